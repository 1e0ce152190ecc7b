// Separating axes of boxes in lanes of doubles: operation by operation the formulas of boxes.c, so that
// batches have the bits of single calls.
#ifndef ABUT_NARROW_PRIMITIVE_BOX_KERNELS_INL
#define ABUT_NARROW_PRIMITIVE_BOX_KERNELS_INL

#include "narrow/primitive/round_kernels.inl"

/// Both boxes in the axes of A, as BoxPair of boxes.c.
typedef struct BoxLanes
{
    WideDouble r[3][3], size_r[3][3];
    WideDouble t[3], s[3], half_a[3], half_b[3];
    WideDouble radius, size, rounding, advantage;
    WideDouble low, face_gap;
    WideDouble gap[9], squared[9], parallel, slanted;
    WideDouble face, face_separation, best, best_separation;
} BoxLanes;

KERNEL_INLINE WideDouble box_sum(const WideDouble* half)
{
    return half[0] + half[1] + half[2]; // of lengths
}

KERNEL_INLINE WideDouble box_largest(const WideDouble* half)
{
    return wide_double_max(half[0], wide_double_max(half[1], half[2]));
}

KERNEL_INLINE void box_set_half(const double* const* sizes, WideDouble scale, WideDouble half[3],
                                WideDouble* radius)
{
    half[0] = ROUND_GATHER(WideDouble, sizes, [0]) * scale;
    half[1] = ROUND_GATHER(WideDouble, sizes, [1]) * scale;
    half[2] = ROUND_GATHER(WideDouble, sizes, [2]) * scale;
    *radius = ROUND_GATHER(WideDouble, sizes, [3]) * scale;
}

/// The lengths of its rounding are those of abut_core_pair_make(). Returns their sum.
KERNEL_INLINE WideDouble box_load(const AbutRoundPairs* pairs, uint32_t i, const RoundFrame* frame,
                                  BoxLanes* self)
{
    const RoundVec t = frame->at;
    WideDouble radius_a, radius_b, length = round_taxicab(t);
    box_set_half(pairs->sizes[0] + i, wide_double_splat(1.0), self->half_a, &radius_a);
    box_set_half(pairs->sizes[1] + i, frame->scale, self->half_b, &radius_b);
    self->t[0] = t.x;
    self->t[1] = t.y;
    self->t[2] = t.z;
    for (int k = 0; k < 3; ++k)
    {
        const RoundVec row = frame->rotation.rows[k];
        self->s[k] = round_dot(round_column(&frame->rotation, k), t);
        self->r[k][0] = row.x;
        self->r[k][1] = row.y;
        self->r[k][2] = row.z;
        self->size_r[k][0] = wide_double_abs(row.x);
        self->size_r[k][1] = wide_double_abs(row.y);
        self->size_r[k][2] = wide_double_abs(row.z);
    }
    self->radius = radius_a + radius_b;
    self->size = wide_double_min(box_largest(self->half_a), box_largest(self->half_b));
    self->advantage = ABUT_BOX_FACE_ADVANTAGE * self->size;
    WideDouble lengths =
        (box_sum(self->half_a) + radius_a) + (length + box_sum(self->half_b) + radius_b) + length;
    self->rounding = (ABUT_TRANSFORM_ROUNDING + ABUT_CORE_ROUNDING) * lengths;
    return lengths;
}

/// As best_face().
KERNEL_INLINE void box_find_face(BoxLanes* self)
{
    const WideDouble none = wide_double_splat(0.0);
    WideDoubleMask of_a = none == none;
    for (int i = 0; i < 3; ++i)
    {
        const WideDouble* row = self->size_r[i];
        WideDouble other = row[0] * self->half_b[0] + row[1] * self->half_b[1] + row[2] * self->half_b[2];
        WideDouble separation = wide_double_abs(self->t[i]) - self->half_a[i] - other;
        WideDoubleMask better = i == 0 ? of_a : separation > self->face_separation;
        self->face = wide_double_select(better, wide_double_splat(i), self->face);
        self->face_separation = wide_double_select(better, separation, self->face_separation);
    }
    self->face_gap = self->face_separation;
    for (int j = 0; j < 3; ++j)
    {
        WideDouble other = self->size_r[0][j] * self->half_a[0] + self->size_r[1][j] * self->half_a[1] +
                           self->size_r[2][j] * self->half_a[2];
        WideDouble separation = wide_double_abs(self->s[j]) - self->half_b[j] - other;
        WideDouble advantage = wide_double_select(of_a, self->advantage, none);
        WideDoubleMask better = separation > self->face_separation + advantage;
        self->face_gap = wide_double_max(self->face_gap, separation);
        self->face = wide_double_select(better, wide_double_splat(3 + j), self->face);
        self->face_separation = wide_double_select(better, separation, self->face_separation);
        of_a = of_a & ~better;
    }
    self->low = self->face_gap - self->rounding;
    self->best = self->face;
    self->best_separation = self->face_separation;
}

/// As measure_all_edges().
KERNEL_INLINE void box_measure_edges(BoxLanes* self)
{
    const WideDouble none = wide_double_splat(0.0), one = wide_double_splat(1.0);
    self->slanted = one;
    self->parallel = wide_double_splat(-1.0);
    for (int edge = 0; edge < 9; ++edge)
    {
        const int i = edge / 3, j = edge % 3;
        const int k = (i + 1) % 3, l = (i + 2) % 3, m = (j + 1) % 3, n = (j + 2) % 3;
        WideDouble(*r)[3] = self->r, (*size)[3] = self->size_r;
        WideDouble squared = r[k][j] * r[k][j] + r[l][j] * r[l][j];
        WideDouble across = wide_double_abs(self->t[l] * r[k][j] - self->t[k] * r[l][j]);
        WideDouble width = self->half_a[k] * size[l][j] + self->half_a[l] * size[k][j] +
                           self->half_b[m] * size[i][n] + self->half_b[n] * size[i][m];
        WideDoubleMask is_axis = squared > ABUT_BOX_PARALLEL;
        self->gap[edge] = across - width;
        self->squared[edge] = wide_double_select(is_axis, squared, none);
        self->slanted = wide_double_min(self->slanted, wide_double_select(is_axis, squared, one));
        self->parallel = wide_double_max(self->parallel, wide_double_select(is_axis, none, squared));
    }
}

KERNEL_INLINE WideDouble box_signed_square(WideDouble x)
{
    return x * wide_double_abs(x);
}

/// As best_edges(), in these lanes.
KERNEL_INLINE void box_find_edges(BoxLanes* self, WideDoubleMask close)
{
    WideDouble advantage = self->advantage;
    for (int edge = 0; edge < 9; ++edge)
    {
        WideDouble gap = self->gap[edge], squared = self->squared[edge];
        WideDouble least = box_signed_square(self->best_separation + advantage);
        WideDoubleMask counts = close & (squared > 0.0) &
                                (box_signed_square(gap) > (least - wide_double_abs(least) * 1e-12) * squared);
        if (wide_double_bits(counts) == 0)
        {
            continue;
        }
        WideDouble length = wide_double_sqrt(squared), separation = gap / length;
        WideDouble low = (gap - self->rounding) / (length * (1.0 + 0x1p-40));
        WideDoubleMask better = counts & (separation > self->best_separation + advantage);
        self->low = wide_double_select(counts, wide_double_max(self->low, low), self->low);
        self->best = wide_double_select(better, wide_double_splat(6 + edge), self->best);
        self->best_separation = wide_double_select(better, separation, self->best_separation);
        advantage = wide_double_select(better, wide_double_splat(0.0), advantage);
    }
}

/// As is_overlap_proved().
KERNEL_INLINE WideDoubleMask box_overlap(const BoxLanes* self)
{
    WideDouble lengths = box_sum(self->half_a) + box_sum(self->half_b) + wide_double_abs(self->t[0]) +
                         wide_double_abs(self->t[1]) + wide_double_abs(self->t[2]);
    WideDouble sine = wide_double_sqrt(self->parallel) + 0x1p-46;
    WideDouble least = 8.0 * sine / wide_double_sqrt(self->slanted) * lengths;
    WideDouble least_of_edges = least * (1.0 + 0x1p-40);
    WideDoubleMask proved = -self->face_gap - self->rounding > least;
    for (int i = 0; i < 9; ++i)
    {
        WideDoubleMask is_axis = self->squared[i] > 0.0;
        proved = proved & (~is_axis | (-self->gap[i] - self->rounding > least_of_edges));
    }
    return proved & ~(self->best_separation > self->rounding);
}

KERNEL_INLINE void box_store(double* p, WideDouble a)
{
    memcpy(p, &a, sizeof(a));
}

KERNEL_INLINE void box_store_all(const BoxLanes* self, const RoundFrame* frame, uint32_t i, AbutBoxLanes* out)
{
    for (int k = 0; k < 3; ++k)
    {
        box_store(out->rotation[k][0] + i, frame->rotation.rows[k].x);
        box_store(out->rotation[k][1] + i, frame->rotation.rows[k].y);
        box_store(out->rotation[k][2] + i, frame->rotation.rows[k].z);
        box_store(out->at[k] + i, self->t[k]);
        box_store(out->toward_b[k] + i, self->s[k]);
    }
    box_store(out->scale + i, frame->scale);
    box_store(out->rounding + i, self->rounding);
    box_store(out->size + i, self->size);
    box_store(out->low + i, self->low);
    box_store(out->face + i, self->face);
    box_store(out->face_separation + i, self->face_separation);
    box_store(out->best + i, self->best);
    box_store(out->best_separation + i, self->best_separation);
    round_store_mask(out->overlap + i, box_overlap(self));
}

static void boxes_kernel(const AbutRoundPairs* pairs, AbutRoundAnswers* out, AbutBoxLanes* boxes)
{
    RoundPose pose_a;
    RoundMat rotation_a;
    for (uint32_t i = 0; i < pairs->count; i += WIDE_DOUBLES)
    {
        if (i == 0 || !round_same_poses(pairs->poses[0] + i))
        {
            pose_a = round_load_pose(pairs->poses[0] + i);
            rotation_a = round_rotation(&pose_a);
        }
        BoxLanes self;
        RoundFrame frame = round_relative(pairs->poses[1] + i, &pose_a, &rotation_a);
        WideDouble lengths = box_load(pairs, i, &frame, &self);
        box_find_face(&self);
        WideDouble face_low = self.low - self.radius;
        if (wide_double_bits(face_low - self.rounding <= pairs->margin) != 0)
        {
            box_measure_edges(&self);
            box_find_edges(&self, face_low <= pairs->margin);
        }
        WideDouble low = self.low - self.radius - self.rounding;
        WideDoubleMask within = ~(low > pairs->margin);
        if (wide_double_bits(within) != 0)
        {
            box_store_all(&self, &frame, i, boxes);
        }
        round_store_state(out, i, low, wide_double_splat(1.0), self.rounding);
        round_store_mask(out->within + i, within);
        round_store_mask(out->unserved + i, ~(frame.valid & (lengths < ROUND_LARGEST)));
    }
}

#endif
