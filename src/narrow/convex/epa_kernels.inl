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
    EPA_EDGES = 128
};

/// The depth has been found when the polytope is within this fraction of the size of C. Peers: 1e-4 to 1e-6.
#define EPA_TOLERANCE 1e-9

/// Triangles with a smaller share of the squared size are not planes.
#define EPA_LEAST_AREA 1e-11

typedef struct EpaFace
{
    AbutDVec3 normal; // outward, of unit length
    double distance;  // of the plane from the origin
    uint8_t corners[3];
    bool open; // in the polytope
} EpaFace;

typedef struct Epa
{
    const AbutConvexPair* pair;
    AbutConvexVertex vertices[EPA_VERTICES];
    EpaFace faces[EPA_FACES];
    uint8_t edges[EPA_EDGES][2];
    uint32_t vertex_count, face_count, edge_count;
    double size; // of C
} Epa;

_Static_assert(sizeof(Epa) < 40000, "the stack of a query");

/// The point of C farthest along d.
static AbutConvexVertex epa_support(const Epa* self, AbutDVec3 d)
{
    const uint32_t start[2] = { 0, 0 };
    return pair_support(self->pair, abut_dvec3_neg(d), start);
}

/// A face, or false for a triangle without a plane.
static bool epa_add_face(Epa* self, uint32_t a, uint32_t b, uint32_t c)
{
    AbutDVec3 wa = self->vertices[a].w, wb = self->vertices[b].w, wc = self->vertices[c].w;
    AbutDVec3 normal = abut_dvec3_cross(abut_dvec3_sub(wb, wa), abut_dvec3_sub(wc, wa));
    double length = abut_dvec3_length(normal);
    if (!(length > EPA_LEAST_AREA * self->size * self->size) || self->face_count == EPA_FACES)
    {
        return false;
    }
    normal = abut_dvec3_div(normal, length);
    self->faces[self->face_count++] =
        (EpaFace){ normal, abut_dvec3_dot(normal, wa), { (uint8_t)a, (uint8_t)b, (uint8_t)c }, true };
    return true;
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
    return epa_add_face(self, 0, 1, 2) && epa_add_face(self, 0, 3, 1) && epa_add_face(self, 1, 3, 2) &&
           epa_add_face(self, 2, 3, 0);
}

static uint32_t epa_nearest(const Epa* self)
{
    uint32_t nearest = UINT32_MAX;
    double best = INFINITY;
    for (uint32_t i = 0; i < self->face_count; ++i)
    {
        if (self->faces[i].open && self->faces[i].distance < best)
        {
            best = self->faces[i].distance;
            nearest = i;
        }
    }
    return nearest;
}

/// An edge of two removed faces is inside; of one it is on the horizon.
static bool epa_toggle_edge(Epa* self, uint8_t tail, uint8_t head)
{
    for (uint32_t i = 0; i < self->edge_count; ++i)
    {
        if (self->edges[i][0] == head && self->edges[i][1] == tail)
        {
            --self->edge_count;
            self->edges[i][0] = self->edges[self->edge_count][0];
            self->edges[i][1] = self->edges[self->edge_count][1];
            return true;
        }
    }
    if (self->edge_count == EPA_EDGES)
    {
        return false;
    }
    self->edges[self->edge_count][0] = tail;
    self->edges[self->edge_count][1] = head;
    ++self->edge_count;
    return true;
}

/// Replaces the faces that the point sees. False when there are no more vertices, or a new face has no plane.
static bool epa_expand(Epa* self, const AbutConvexVertex* vertex)
{
    if (self->vertex_count == EPA_VERTICES)
    {
        return false;
    }
    self->edge_count = 0;
    uint32_t kept = 0;
    double slack = 1e-13 * self->size;
    for (uint32_t i = 0; i < self->face_count; ++i)
    {
        const EpaFace* face = &self->faces[i];
        if (abut_dvec3_dot(face->normal, vertex->w) > face->distance + slack)
        {
            for (int k = 0; k < 3; ++k)
            {
                if (!epa_toggle_edge(self, face->corners[k], face->corners[(k + 1) % 3]))
                {
                    return false;
                }
            }
        }
        else
        {
            if (kept != i)
            {
                self->faces[kept] = *face;
            }
            ++kept;
        }
    }
    self->face_count = kept;
    uint32_t added = self->vertex_count++;
    self->vertices[added] = *vertex;
    bool whole = self->edge_count > 0;
    for (uint32_t i = 0; i < self->edge_count && whole; ++i)
    {
        whole = epa_add_face(self, self->edges[i][0], self->edges[i][1], added);
    }
    return whole;
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
        const uint8_t* c = self->faces[i].corners;
        double volume = gjk_volume(self->vertices[c[0]].w, self->vertices[c[1]].w, self->vertices[c[2]].w);
        if (!(volume > 8.0 * self->pair->rounding * far))
        {
            return false;
        }
    }
    return self->face_count >= 4;
}

/// The closest point of a face to the origin; true when it is closer than the points of the result.
static bool epa_try_witness(const Epa* self, const EpaFace* face, double* closest, AbutEpaResult* out)
{
    const AbutConvexVertex* v[3];
    AbutDVec3 points[3];
    for (int i = 0; i < 3; ++i)
    {
        v[i] = &self->vertices[face->corners[i]];
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
        if (self->faces[i].distance <= most)
        {
            epa_try_witness(self, &self->faces[i], &closest, out);
        }
    }
    out->point_b = abut_dvec3_mul_sub(out->point_a, out->depth, normal);
}

/// Expands until the nearest face is one of C. The best upper bound is along the normal of `best`. True when
/// contact is proved, be it before.
static bool epa_iterate(Epa* self, bool proved, AbutEpaResult* out, EpaFace* best)
{
    double tolerance = EPA_TOLERANCE * self->size;
    for (; out->steps < EPA_STEPS; ++out->steps)
    {
        const EpaFace face = self->faces[epa_nearest(self)];
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
        if (high - face.distance <= tolerance || !epa_expand(self, &vertex))
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
    self.vertex_count = self.face_count = self.edge_count = 0;
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
    EpaFace best = { .open = false };
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
