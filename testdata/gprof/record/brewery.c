// A brewery: direct recursion, a cycle of two, static functions, and one that only a
// function without -pg calls.
//
//     brewery BARRELS
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

NOINLINE unsigned long ferment(unsigned long yeast, int hours) {
    for (int i = 0; i < hours; i++) yeast = (yeast ^ yeast >> 7) * 0x9e3779b97f4a7c15UL;
    return yeast;
}

// Direct recursion.
NOINLINE unsigned long mash(int grains) {
    if (grains < 2) return ferment(grains, 40);
    return mash(grains / 2) + mash(grains - grains / 2);
}

// Indirect recursion: a cycle.
unsigned long boil(int hops);

NOINLINE unsigned long cool(int hops) { return hops == 0 ? 1 : boil(hops - 1) + ferment(hops, 90); }

NOINLINE unsigned long boil(int hops) { return hops == 0 ? 2 : cool(hops - 1) + cool(hops / 2); }

static NOINLINE int taste(const void *a, const void *b) {
    return ferment(*(const int *)a, 3) < ferment(*(const int *)b, 3);
}

// qsort is not compiled with -pg: `taste` is spontaneous.
NOINLINE unsigned long bottle(int count) {
    int *bottles = malloc(count * sizeof *bottles);
    for (int i = 0; i < count; i++) bottles[i] = i;
    qsort(bottles, count, sizeof *bottles, taste);
    unsigned long first = bottles[0];
    free(bottles);
    return first;
}

int main(int argc, char **argv) {
    int barrels = argc > 1 ? atoi(argv[1]) : 1;
    unsigned long beer = 0;
    for (int i = 0; i < barrels; i++) beer += mash(600) + boil(16) + bottle(3000);
    printf("%lu\n", beer & 0xff);
}
