#include "bake/sign/classifier.h"

/// Error up to which an integer winding number can be rounded, with a margin.
static const double ROUNDABLE = 0.45;

/// Bound of the error of numbers that are nowhere whole; the error itself is a fiftieth of it, as a rule.
static const double SOUP_ERROR = 0.1;

static AbutWindingValue winding_to(const AbutSignClassifier* self, AbutDVec3 point, double error,
                                   uint32_t skip)
{
    AbutWindingValue value = abut_winding_at(&self->winding, point, 1.0, skip);
    for (double tightness = 1.4; value.error > error; tightness *= 1.4)
    {
        value = abut_winding_at(&self->winding, point, tightness, skip);
    }
    return value;
}

// The difference to an integer is known better than the number itself.
double abut_sign_classifier_winding_beside(const AbutSignClassifier* self, AbutDVec3 point, uint32_t skip,
                                           double beside)
{
    if (!self->info.gapless && self->gaps.caps == NULL)
    {
        return winding_to(self, point, SOUP_ERROR, skip).number + beside;
    }
    double number = winding_to(self, point, ROUNDABLE, skip).number + beside;
    double lacking = self->info.gapless ? 0.0 : abut_winding_to(&self->gaps.cap_winding, point, 1e-3).number;
    return floor(number + lacking + 0.5) - lacking;
}

double abut_sign_classifier_effective_winding(const AbutSignClassifier* self, AbutDVec3 point, double number)
{
    return self->info.gapless ? number : abut_winding_regions_effective_winding(&self->gaps, point, number);
}
