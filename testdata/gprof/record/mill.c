/* Work of uneven sizes, so that times are no round numbers. */
#include <stdio.h>
#include <stdlib.h>

#define KEEP __attribute__((noinline))

static volatile unsigned sink;

KEEP void grind(unsigned n) { for (unsigned i = 0; i < n; i++) sink += i * 2654435761u; }
KEEP void sift(unsigned n) { for (unsigned i = 0; i < n; i++) sink ^= i; grind(n / 3); }
KEEP void bag(unsigned n) { grind(n); sift(n / 7); }
KEEP unsigned fold(unsigned n) { sink += n; return n ? fold(n - 1) + 1 : 0; }
KEEP void odd(unsigned n);
KEEP void even(unsigned n) { sink++; if (n) odd(n - 1); }
KEEP void odd(unsigned n) { grind(40); if (n) even(n - 1); }

int main(int argc, char **argv) {
    unsigned size = argc > 1 ? atoi(argv[1]) : 300;
    for (unsigned i = 0; i < 997; i++) {
        bag(size * 100 + i);
        if (i % 3 == 0) sift(size * 50);
        if (i % 13 == 0) even(501);
        if (i % 31 == 0) fold(1000);
        void *p = malloc(i % 97 + 1);
        if (i % 5) free(p);
    }
    printf("%u\n", sink);
    return 0;
}
