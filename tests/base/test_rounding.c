// Doubles to the float on a chosen side, against nextafterf().
#include "support/support.h"

#include "math/rounding.h"

#include <float.h>
#include <math.h>

static void check(double x)
{
    float f = (float)x;
    float below = (double)f > x ? nextafterf(f, -INFINITY) : f,
          above = (double)f < x ? nextafterf(f, INFINITY) : f;
    float down = abut_round_down(x), up = abut_round_up(x);
    if (down != below || up != above)
    {
        fail_msg("%.17g is rounded to %.9g and %.9g; %.9g and %.9g are right", x, (double)down, (double)up,
                 (double)below, (double)above);
    }
}

static void test_doubles_are_rounded_to_the_next_float_of_a_side(void** state)
{
    (void)state;
    TestRandom random = { 61 };
    const double special[] = { 0.0,
                               1e-300,
                               1e-46,
                               1.5 * FLT_TRUE_MIN,
                               FLT_MIN,
                               1.0,
                               1.0 / 3,
                               (double)FLT_MAX,
                               3.5e38,
                               1e300,
                               (double)INFINITY,
                               1e-45,
                               0x1p-149,
                               0x1.8p-126,
                               0x1p-150,
                               0x1.fffffefp127,
                               0x1.0000000001p0 };
    for (size_t i = 0; i < sizeof(special) / sizeof(special[0]); ++i)
    {
        check(special[i]);
        check(-special[i]);
    }
    for (int i = 0; i < 1000000; ++i)
    {
        double mantissa = test_random_range(&random, -1.0, 1.0);
        check(ldexp(mantissa, (int)(test_random_bits(&random) % 300) - 160));
    }
    assert_true(isnan(abut_round_up(NAN)) && isnan(abut_round_down(NAN)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_doubles_are_rounded_to_the_next_float_of_a_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
