// Messages to the program around the adapter.
#ifndef ABUT_BULLET_MESSAGE_HPP
#define ABUT_BULLET_MESSAGE_HPP

#include <abut/bullet.hpp>

namespace abut::bullet
{
inline namespace ABUT_BULLET_REAL
{

/// A line, formatted like printf, with "abut: " before it.
void say(const char* format, ...) ABUT_PRINTF(1, 2);

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet

#endif
