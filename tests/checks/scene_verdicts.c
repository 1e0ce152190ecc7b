// Reads scenes from the standard input, one a line, and prints a line for each: empty when it is taken, else
// what is wrong with it. For viewer/test/schema.test.js, which asks about a thousand of them.
#include "scenes/simulate/scene_file.h"

#include <stdio.h>
#include <string.h>

enum
{
    LINE_SIZE = 1 << 16,
    BODY_LIMIT = 1000
};

int main(void)
{
    static char line[LINE_SIZE];
    while (fgets(line, sizeof(line), stdin) != NULL)
    {
        SceneText text = { "scene.json", line, strcspn(line, "\n"), NULL, BODY_LIMIT };
        Scene scene;
        AbutResult result = scene_parse(&text, &scene);
        puts(result == ABUT_OK ? "" : abut_last_error());
        if (result == ABUT_OK)
        {
            scene_destroy(&scene);
        }
    }
    return 0;
}
