/* Blocks of uneven sizes and lives, so that averages are no round numbers. */
#include <stdlib.h>
#include <string.h>

#define KEEP __attribute__((noinline))

KEEP char *jar(size_t size) { return malloc(size); }
KEEP char *label(const char *text) { char *copy = malloc(strlen(text) + 1); return strcpy(copy, text); }
KEEP void fill(char *jar, size_t size) { for (size_t i = 0; i < size; i += 3) jar[i] = (char)i; }
KEEP char *grow(char *jar, size_t size) { return realloc(jar, size); }
KEEP char *stack(int depth) { return depth ? stack(depth - 1) : malloc(77); }

int main(void) {
    char *kept[64] = {0};
    for (int i = 0; i < 1009; i++) {
        char *one = jar(i % 131 + 1);
        fill(one, i % 131 + 1);
        if (i % 3 == 0) one = grow(one, 200 + i);
        char *two = label(i % 2 ? "plum" : "apricot and quince");
        if (i % 17 == 0) { free(kept[i % 64]); kept[i % 64] = one; } else free(one);
        if (i % 5 == 0) free(two);
        if (i % 101 == 0) stack(3);
    }
    calloc(7, 13);
    return 0;
}
