// Messages to the program around the adapter: stderr, unless it has a function for them.
#include "message.hpp"

#include <cstdarg>
#include <cstdio>
#include <mutex>

namespace abut::bullet
{
inline namespace ABUT_BULLET_REAL
{

namespace
{

struct Receiver
{
    std::mutex mutex;
    MessageFn function = nullptr;
    void* user = nullptr;
};

Receiver& receiver()
{
    static Receiver instance;
    return instance;
}

} // namespace

void set_message_function(MessageFn function, void* user)
{
    Receiver& r = receiver();
    std::lock_guard<std::mutex> lock(r.mutex);
    r.function = function;
    r.user = user;
}

void say(const char* format, ...)
{
    char line[512];
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    Receiver& r = receiver();
    std::lock_guard<std::mutex> lock(r.mutex);
    if (r.function != nullptr)
    {
        r.function(r.user, line);
    }
    else
    {
        std::fprintf(stderr, "abut: %s\n", line);
    }
}

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet
