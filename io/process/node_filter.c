#include "io/process/node_filter.h"

#include <string.h>

static uint32_t load_component(const uint8_t* bytes, uint32_t size)
{
    uint32_t value = (uint32_t)bytes[1] << 8 | bytes[0];
    return size == 2 ? value : (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 | value;
}

static void store_component(uint8_t* bytes, uint32_t size, uint32_t value)
{
    for (uint32_t i = 0; i < size; ++i)
    {
        bytes[i] = (uint8_t)(value >> (8 * i));
    }
}

void abut_io_filter_nodes(AbutIoNodeFilter* filter, const uint8_t* nodes, size_t count, uint8_t* out)
{
    const uint32_t size = filter->node_bytes, component = filter->component_bytes;
    const uint8_t* before = filter->previous;
    for (size_t i = 0; i < count; ++i)
    {
        const uint8_t* node = nodes + i * size;
        uint8_t change[8];
        for (uint32_t c = 0; c < size; c += component)
        {
            store_component(change + c, component,
                            load_component(node + c, component) - load_component(before + c, component));
        }
        for (uint32_t b = 0; b < size; ++b)
        {
            out[b * count + i] = change[b];
        }
        before = node;
    }
    memmove(filter->previous, before, size);
}

void abut_io_unfilter_nodes(AbutIoNodeFilter* filter, uint8_t* nodes, size_t count)
{
    const uint32_t size = filter->node_bytes, component = filter->component_bytes;
    uint8_t filtered[ABUT_IO_FILTER_BYTES];
    memcpy(filtered, nodes, count * size);
    for (size_t i = 0; i < count; ++i)
    {
        uint8_t change[8];
        for (uint32_t b = 0; b < size; ++b)
        {
            change[b] = filtered[b * count + i];
        }
        for (uint32_t c = 0; c < size; c += component)
        {
            uint32_t value =
                load_component(filter->previous + c, component) + load_component(change + c, component);
            store_component(filter->previous + c, component, value);
        }
        memcpy(nodes + i * size, filter->previous, size);
    }
}
