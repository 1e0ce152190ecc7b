// The pyramid of bounds: one box per brick, then one per 2³, up to a root.
#include "field/field.h"

AbutFieldBounds abut_field_root_bounds(void* block)
{
    const AbutFieldHeader* header = block;
    const AbutFieldBounds* bounds = abut_field_section(block, ABUT_FIELD_PYRAMID);
    size_t count = (size_t)(header->sections[ABUT_FIELD_PYRAMID].size / sizeof(AbutFieldBounds));
    return bounds[count - 1];
}
