// The penetration depth of two cores: a polytope of points of C around the origin is expanded at its nearest
// face until that is a face of C (van den Bergen 2001; proofs: narrow/convex/convex.h).
#ifndef ABUT_NARROW_CONVEX_EPA_KERNELS_INL
#define ABUT_NARROW_CONVEX_EPA_KERNELS_INL

#include "narrow/convex/gjk_kernels.inl"

enum
{
    EPA_VERTICES = 132,
    EPA_FACES = 264,
    EPA_STEPS = 128,
    EPA_EDGES = 128,
    EPA_LANES = 4 // of doubles, at most
};

_Static_assert(EPA_FACES % EPA_LANES == 0 && EPA_EDGES % EPA_LANES == 0 && EPA_LANES % WIDE_DOUBLES == 0,
               "arrays end with full lanes");

/// The depth has been found when the polytope is within this fraction of the size of C. Peers: 1e-4 to 1e-6.
#define EPA_TOLERANCE 1e-9

/// Triangles with a smaller share of the squared size are not planes.
#define EPA_LEAST_AREA 1e-11

typedef struct EpaFace
{
    AbutDVec3 normal; // outward, of unit length
    double distance;  // of the plane from the origin
} EpaFace;

/// Faces in lanes. The half edges of face i are 3·i, 3·i + 1 and 3·i + 2, counter-clockwise from outside.
typedef struct Epa
{
    const AbutConvexPair* pair;
    AbutConvexVertex vertices[EPA_VERTICES];
    double x[EPA_FACES], y[EPA_FACES], z[EPA_FACES]; // normals; 0 of a lane without a face
    double distance[EPA_FACES];                      // infinite of a lane without a face
    uint8_t tails[3 * EPA_FACES];                    // vertices that half edges start from
    uint16_t twins[3 * EPA_FACES];
    uint8_t starts[EPA_VERTICES]; // edges of the last horizon, by the vertices that they start from
    uint16_t free[EPA_FACES];     // lanes without a face
    uint32_t vertex_count, face_count, free_count;
    double size; // of C
} Epa;

/// Half edges of faces that stay, seen from those that a point replaces: the horizon, and the new faces.
typedef struct EpaHorizon
{
    uint32_t seen_count, count;
    uint16_t seen[EPA_EDGES]; // faces
    uint16_t twins[EPA_EDGES];
    uint8_t tails[EPA_EDGES], heads[EPA_EDGES];
    uint32_t nearest; // of the faces that stay
    double x[EPA_EDGES], y[EPA_EDGES], z[EPA_EDGES], distance[EPA_EDGES];
} EpaHorizon;

_Static_assert(sizeof(Epa) < 40000, "the stack of a query");

/// The point of C farthest along d.
static AbutConvexVertex epa_support(const Epa* self, AbutDVec3 d)
{
    const uint32_t start[2] = { 0, 0 };
    return pair_support(self->pair, abut_dvec3_neg(d), start);
}

static EpaFace epa_face(const Epa* self, uint32_t i)
{
    return (EpaFace){ abut_dvec3(self->x[i], self->y[i], self->z[i]), self->distance[i] };
}

static void epa_set_face(Epa* self, uint32_t i, AbutDVec3 normal, double distance)
{
    self->x[i] = normal.x;
    self->y[i] = normal.y;
    self->z[i] = normal.z;
    self->distance[i] = distance;
}

/// The index of a new face; a lane without one is never seen and never the nearest.
static uint16_t epa_new_face(Epa* self)
{
    if (self->free_count > 0)
    {
        return self->free[--self->free_count];
    }
    uint32_t face = self->face_count++;
    for (uint32_t i = face; face % EPA_LANES == 0 && i < face + EPA_LANES; ++i)
    {
        epa_set_face(self, i, abut_dvec3_zero(), INFINITY);
    }
    return (uint16_t)face;
}

/// A face of the first polytope, or false for a triangle without a plane.
static bool epa_add_face(Epa* self, uint8_t a, uint8_t b, uint8_t c)
{
    AbutDVec3 wa = self->vertices[a].w, wb = self->vertices[b].w, wc = self->vertices[c].w;
    AbutDVec3 normal = abut_dvec3_cross(abut_dvec3_sub(wb, wa), abut_dvec3_sub(wc, wa));
    double length = abut_dvec3_length(normal);
    uint32_t face = epa_new_face(self);
    normal = abut_dvec3_div(normal, length);
    epa_set_face(self, face, normal, abut_dvec3_dot(normal, wa));
    self->tails[3 * face] = a;
    self->tails[3 * face + 1] = b;
    self->tails[3 * face + 2] = c;
    return length > EPA_LEAST_AREA * self->size * self->size;
}

static AbutDVec3 epa_any_perpendicular(AbutDVec3 d)
{
    AbutDVec3 size = abut_dvec3_abs(d);
    AbutDVec3 axis = size.x <= size.y && size.x <= size.z ? abut_dvec3(1.0, 0.0, 0.0)
                     : size.y <= size.z                   ? abut_dvec3(0.0, 1.0, 0.0)
                                                          : abut_dvec3(0.0, 0.0, 1.0);
    return abut_dvec3_cross(d, axis);
}

/// How far a point is from the space of the first `count` vertices.
static double epa_outside(const Epa* self, uint32_t count, AbutDVec3 w)
{
    AbutDVec3 a = self->vertices[0].w, from = abut_dvec3_sub(w, a);
    if (count == 1)
    {
        return abut_dvec3_length(from);
    }
    AbutDVec3 ab = abut_dvec3_sub(self->vertices[1].w, a);
    if (count == 2)
    {
        return abut_dvec3_length(abut_dvec3_cross(ab, from)) / abut_dvec3_length(ab);
    }
    AbutDVec3 n = abut_dvec3_normalize(abut_dvec3_cross(ab, abut_dvec3_sub(self->vertices[2].w, a)));
    return fabs(abut_dvec3_dot(n, from));
}

/// Points in general position behind those of the simplex; false where C is flat.
static bool epa_complete(Epa* self)
{
    while (self->vertex_count < 4)
    {
        uint32_t n = self->vertex_count;
        AbutDVec3 directions[3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
        uint32_t direction_count = 3;
        AbutDVec3 ab = abut_dvec3_sub(self->vertices[n > 1 ? 1 : 0].w, self->vertices[0].w);
        if (n == 2)
        {
            directions[0] = epa_any_perpendicular(ab);
            directions[1] = abut_dvec3_cross(ab, directions[0]);
            direction_count = 2;
        }
        else if (n == 3)
        {
            directions[0] = abut_dvec3_cross(ab, abut_dvec3_sub(self->vertices[2].w, self->vertices[0].w));
            direction_count = 1;
        }
        double best = 16.0 * self->pair->rounding + 1e-12 * self->size;
        for (uint32_t i = 0; i < 2 * direction_count; ++i)
        {
            AbutDVec3 d = directions[i / 2];
            AbutConvexVertex vertex = epa_support(self, i % 2 == 0 ? d : abut_dvec3_neg(d));
            double outside = epa_outside(self, n, vertex.w);
            if (outside > best)
            {
                best = outside;
                self->vertices[n] = vertex;
                self->vertex_count = n + 1;
            }
        }
        if (self->vertex_count == n)
        {
            return false;
        }
    }
    return true;
}

static bool epa_make_tetrahedron(Epa* self)
{
    AbutDVec3 a = self->vertices[0].w, ab = abut_dvec3_sub(self->vertices[1].w, a);
    AbutDVec3 ac = abut_dvec3_sub(self->vertices[2].w, a), ad = abut_dvec3_sub(self->vertices[3].w, a);
    if (abut_dvec3_dot(abut_dvec3_cross(ab, ac), ad) > 0.0)
    {
        AbutConvexVertex swapped = self->vertices[1];
        self->vertices[1] = self->vertices[2];
        self->vertices[2] = swapped;
    }
    static const uint16_t twins[12] = { 5, 8, 11, 10, 6, 0, 4, 9, 1, 7, 3, 2 };
    memcpy(self->twins, twins, sizeof(twins));
    return epa_add_face(self, 0, 1, 2) && epa_add_face(self, 0, 3, 1) && epa_add_face(self, 1, 3, 2) &&
           epa_add_face(self, 2, 3, 0);
}

/// The first of the nearest faces of a tetrahedron.
static uint32_t epa_nearest_of_four(const Epa* self)
{
    uint32_t nearest = 0;
    for (uint32_t i = 1; i < 4; ++i)
    {
        nearest = self->distance[i] < self->distance[nearest] ? i : nearest;
    }
    return nearest;
}

/// The faces that a point sees, and the nearest of the others. False for too many.
KERNEL_INLINE bool epa_find_seen(const Epa* self, AbutDVec3 w, EpaHorizon* out, uint64_t* seen)
{
    WideDouble x = wide_double_splat(w.x), y = wide_double_splat(w.y), z = wide_double_splat(w.z);
    WideDouble slack = wide_double_splat(1e-13 * self->size), infinite = wide_double_splat(-INFINITY);
    WideDouble index = wide_double_count(), step = wide_double_splat(WIDE_DOUBLES);
    WideLargest nearest = { infinite, wide_double_splat(0.0) };
    double largest;
    out->seen_count = 0;
    for (uint32_t first = 0; first < self->face_count; first += 64)
    {
        uint64_t bits = 0;
        for (uint32_t i = first; i < self->face_count && i < first + 64; i += WIDE_DOUBLES)
        {
            WideDouble along = wide_double_load(self->x + i) * x + wide_double_load(self->y + i) * y +
                               wide_double_load(self->z + i) * z;
            WideDouble distance = wide_double_load(self->distance + i);
            WideDoubleMask is_seen = along > distance + slack;
            wide_largest_add(&nearest, wide_double_select(is_seen, infinite, -distance), index);
            index += step;
            bits |= (uint64_t)wide_double_bits(is_seen) << (i - first);
        }
        seen[first / 64] = bits;
        for (; bits != 0; bits &= bits - 1)
        {
            if (out->seen_count == EPA_EDGES)
            {
                return false;
            }
            out->seen[out->seen_count++] = (uint16_t)(first + (uint32_t)__builtin_ctzll(bits));
        }
    }
    out->nearest = wide_largest_index(&nearest, &largest);
    return true;
}

/// The edges between the faces that are seen and the others, without branches, which no processor foresees
/// here. False for too many.
KERNEL_INLINE bool epa_find_edges(Epa* self, const uint64_t* seen, EpaHorizon* out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < out->seen_count && count < EPA_EDGES - 3; ++i)
    {
        for (uint32_t h = 3u * out->seen[i], end = h + 3; h < end; ++h)
        {
            uint32_t twin = self->twins[h], other = twin / 3;
            out->tails[count] = self->tails[h];
            out->heads[count] = self->tails[twin];
            out->twins[count] = (uint16_t)twin;
            count += (uint32_t)(~seen[other / 64] >> (other % 64) & 1u);
        }
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        self->starts[out->tails[i]] = (uint8_t)i;
    }
    out->count = count;
    return count >= 3 && count < EPA_EDGES - 3;
}

typedef struct EpaLanes
{
    WideDouble x, y, z;
} EpaLanes;

/// Vertices in lanes.
KERNEL_INLINE EpaLanes epa_vertices(const Epa* self, const uint8_t* indices)
{
    const AbutConvexVertex* v = self->vertices;
    AbutDVec3 a = v[indices[0]].w, b = v[indices[1]].w;
#if WIDE_DOUBLES == 4
    AbutDVec3 c = v[indices[2]].w, d = v[indices[3]].w;
    return (EpaLanes){ { a.x, b.x, c.x, d.x }, { a.y, b.y, c.y, d.y }, { a.z, b.z, c.z, d.z } };
#else
    return (EpaLanes){ { a.x, b.x }, { a.y, b.y }, { a.z, b.z } };
#endif
}

/// Planes of the triangles of all edges and a point. False where one has none.
KERNEL_INLINE bool epa_make_planes(const Epa* self, AbutDVec3 w, EpaHorizon* out)
{
    WideDouble x = wide_double_splat(w.x), y = wide_double_splat(w.y), z = wide_double_splat(w.z);
    WideDouble least = wide_double_splat(INFINITY);
    for (uint32_t i = out->count; i % EPA_LANES != 0; ++i) // the last edge in the lanes that are left
    {
        out->tails[i] = out->tails[out->count - 1];
        out->heads[i] = out->heads[out->count - 1];
    }
    for (uint32_t i = 0; i < out->count; i += WIDE_DOUBLES)
    {
        EpaLanes a = epa_vertices(self, out->tails + i), b = epa_vertices(self, out->heads + i);
        WideDouble ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z;
        WideDouble vx = x - a.x, vy = y - a.y, vz = z - a.z;
        WideDouble nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
        WideDouble length = wide_double_sqrt(nx * nx + ny * ny + nz * nz);
        nx = nx / length;
        ny = ny / length;
        nz = nz / length;
        WideDouble distance = nx * a.x + ny * a.y + nz * a.z;
        least = wide_double_min(length, least);
        memcpy(out->x + i, &nx, sizeof(nx));
        memcpy(out->y + i, &ny, sizeof(ny));
        memcpy(out->z + i, &nz, sizeof(nz));
        memcpy(out->distance + i, &distance, sizeof(distance));
    }
    return wide_double_least(least) > EPA_LEAST_AREA * self->size * self->size;
}

KERNEL_INLINE void epa_set_new_face(Epa* self, const EpaHorizon* from, uint32_t edge, uint8_t added,
                                    uint32_t face)
{
    epa_set_face(self, face, abut_dvec3(from->x[edge], from->y[edge], from->z[edge]), from->distance[edge]);
    self->tails[3 * face] = from->tails[edge];
    self->tails[3 * face + 1] = from->heads[edge];
    self->tails[3 * face + 2] = added;
    self->twins[3 * face] = from->twins[edge];
    self->twins[from->twins[edge]] = (uint16_t)(3 * face);
}

/// The faces between the horizon and the last vertex, in the order of its edges. False where the edges are
/// not one closed line, since rounding has torn the part that the point sees; the polytope is not closed
/// then.
KERNEL_INLINE bool epa_join(Epa* self, const EpaHorizon* from, uint32_t* nearest)
{
    uint8_t added = (uint8_t)(self->vertex_count - 1);
    uint32_t edge = 0, first = 0, before = 0;
    double least = self->distance[from->nearest];
    *nearest = from->nearest;
    for (uint32_t i = 0; i < from->count; ++i)
    {
        uint32_t face = i < from->seen_count ? from->seen[i] : epa_new_face(self);
        epa_set_new_face(self, from, edge, added, face);
        before = i == 0 ? face : before; // joined with the last one below
        first = i == 0 ? face : first;
        self->twins[3 * before + 1] = (uint16_t)(3 * face + 2);
        self->twins[3 * face + 2] = (uint16_t)(3 * before + 1);
        before = face;
        *nearest = from->distance[edge] < least ? face : *nearest;
        least = abut_smaller(from->distance[edge], least);
        uint8_t head = from->heads[edge];
        edge = self->starts[head];
        if (edge >= from->count || from->tails[edge] != head || (edge == 0) != (i + 1 == from->count))
        {
            return false;
        }
    }
    self->twins[3 * before + 1] = (uint16_t)(3 * first + 2);
    self->twins[3 * first + 2] = (uint16_t)(3 * before + 1);
    for (uint32_t i = from->count; i < from->seen_count; ++i)
    {
        epa_set_face(self, from->seen[i], abut_dvec3_zero(), INFINITY);
        self->free[self->free_count++] = from->seen[i];
    }
    return true;
}

/// Replaces the faces that the point sees. False when there are no more vertices, a new face has no plane, or
/// rounding has torn the horizon.
KERNEL_INLINE bool epa_expand(Epa* self, const AbutConvexVertex* vertex, uint32_t* nearest)
{
    EpaHorizon horizon;
    uint64_t seen[(EPA_FACES + 63) / 64];
    if (self->vertex_count == EPA_VERTICES || !epa_find_seen(self, vertex->w, &horizon, seen) ||
        !epa_find_edges(self, seen, &horizon) ||
        self->face_count + horizon.count > EPA_FACES + horizon.seen_count ||
        !epa_make_planes(self, vertex->w, &horizon))
    {
        return false;
    }
    self->vertices[self->vertex_count++] = *vertex;
    return epa_join(self, &horizon, nearest);
}

/// The polytope encloses the origin, whatever the rounding of its vertices.
static bool epa_proves_contact(const Epa* self)
{
    double far = 0.0;
    for (uint32_t i = 0; i < self->vertex_count; ++i)
    {
        far = abut_larger(far, abut_dvec3_squared_length(self->vertices[i].w));
    }
    for (uint32_t i = 0; i < self->face_count; ++i)
    {
        const uint8_t* c = self->tails + (size_t)3 * i;
        double volume = gjk_volume(self->vertices[c[0]].w, self->vertices[c[1]].w, self->vertices[c[2]].w);
        if (self->distance[i] < INFINITY && !(volume > 8.0 * self->pair->rounding * far))
        {
            return false;
        }
    }
    return self->face_count >= 4;
}

/// The closest point of a face to the origin; true when it is closer than the points of the result.
static bool epa_try_witness(const Epa* self, uint32_t face, double* closest, AbutEpaResult* out)
{
    const AbutConvexVertex* v[3];
    AbutDVec3 points[3];
    for (int i = 0; i < 3; ++i)
    {
        v[i] = &self->vertices[self->tails[3 * face + (uint32_t)i]];
        points[i] = v[i]->w;
    }
    AbutSimplexChoice choice = abut_simplex_triangle(points, 0, 1, 2);
    double squared = abut_dvec3_squared_length(choice.point);
    if (!(squared < *closest))
    {
        return false;
    }
    *closest = squared;
    out->point_a = abut_dvec3_zero();
    for (uint32_t i = 0; i < choice.count; ++i)
    {
        out->point_a = abut_dvec3_mul_add(out->point_a, choice.weights[i], v[choice.indices[i]]->a);
    }
    for (int i = 0; i < 3; ++i)
    {
        out->ids[i][0] = v[i]->id_a;
        out->ids[i][1] = v[i]->id_b;
    }
    return true;
}

/// Of the triangles of the nearest plane, the one that contains the projection of the origin.
static void epa_witness(const Epa* self, AbutDVec3 normal, AbutEpaResult* out)
{
    double closest = INFINITY, most = out->low + 1e-7 * self->size;
    for (uint32_t i = 0; i < self->face_count; ++i)
    {
        if (self->distance[i] <= most)
        {
            epa_try_witness(self, i, &closest, out);
        }
    }
    out->point_b = abut_dvec3_mul_sub(out->point_a, out->depth, normal);
}

/// Expands until the nearest face is one of C. The best upper bound is along the normal of `best`. True when
/// contact is proved, be it before.
KERNEL_INLINE bool epa_iterate(Epa* self, bool proved, AbutEpaResult* out, EpaFace* best)
{
    double tolerance = EPA_TOLERANCE * self->size;
    uint32_t nearest = epa_nearest_of_four(self);
    for (; out->steps < EPA_STEPS; ++out->steps)
    {
        const EpaFace face = epa_face(self, nearest);
        AbutConvexVertex vertex = epa_support(self, face.normal);
        double high = abut_dvec3_dot(face.normal, vertex.w);
        out->low = abut_larger(face.distance, 0.0);
        if (high < out->depth)
        {
            out->depth = high;
            *best = face;
        }
        if (high < -self->pair->rounding)
        {
            out->state = ABUT_EPA_SEPARATED;
            out->plane = -high;
            return false;
        }
        proved = proved || epa_proves_contact(self);
        if (high - face.distance <= tolerance || !epa_expand(self, &vertex, &nearest))
        {
            break;
        }
    }
    return proved;
}

static void epa_kernel(const AbutConvexPair* pair, const AbutGjkResult* gjk, AbutEpaResult* out)
{
    Epa self;
    self.pair = pair;
    self.vertex_count = self.face_count = self.free_count = 0;
    memset(self.starts, 0, sizeof(self.starts));
    self.size = pair->a.enclosing + pair->scale * pair->b.enclosing;
    *out = (AbutEpaResult){ .state = ABUT_EPA_CLOSE, .depth = INFINITY };
    for (uint32_t i = 0; i < gjk->count; ++i)
    {
        self.vertices[self.vertex_count++] = gjk->simplex[i];
    }
    if (gjk->count == 0)
    {
        self.vertices[self.vertex_count++] = epa_support(&self, abut_dvec3(1.0, 0.0, 0.0));
    }
    EpaFace best = { .distance = 0.0 };
    if (!epa_complete(&self) || !epa_make_tetrahedron(&self))
    {
        return;
    }
    bool proved = epa_iterate(&self, gjk->state == ABUT_GJK_CONTACT, out, &best);
    out->normal = abut_dvec3_neg(best.normal);
    epa_witness(&self, best.normal, out);
    if (out->state != ABUT_EPA_SEPARATED)
    {
        out->state = proved ? ABUT_EPA_CONTACT : ABUT_EPA_CLOSE;
    }
}

#endif
