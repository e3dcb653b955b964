// A mill: sieves recurse, `coarse` and `fine` call each other, sacks are allocated,
// and two threads share the work.
//
//     mill SACKS
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grain.h"

#define NOINLINE __attribute__((noinline))

struct sack {
    unsigned long grains[128];
    struct sack *next;
};

// Direct recursion: halves until little is left.
NOINLINE static unsigned long sieve(const unsigned long *grains, int count) {
    if (count <= 4) return grind(grains[0] + count);
    return sieve(grains, count / 2) + sieve(grains + count / 2, count - count / 2);
}

// Indirect recursion: a cycle of two.
NOINLINE static unsigned long fine(unsigned long grain, int depth);

NOINLINE static unsigned long coarse(unsigned long grain, int depth) {
    return depth == 0 ? grain : fine(grain / 3, depth - 1) + grind(depth);
}

NOINLINE static unsigned long fine(unsigned long grain, int depth) {
    return depth == 0 ? grain : coarse(grain / 2, depth - 1) + coarse(grain / 5, depth - 1);
}

NOINLINE static struct sack *fill(int sacks) {
    struct sack *first = NULL;
    for (int i = 0; i < sacks; i++) {
        struct sack *sack = malloc(sizeof *sack);
        memset(sack->grains, i, sizeof sack->grains);
        sack->next = first;
        first = sack;
    }
    return first;
}

NOINLINE static void empty(struct sack *first) {
    while (first) {
        struct sack *next = first->next;
        free(first);
        first = next;
    }
}

static void *miller(void *sacks) {
    unsigned long flour = 0;
    struct sack *first = fill(*(int *)sacks);
    for (struct sack *sack = first; sack; sack = sack->next) flour += sieve(sack->grains, 128);
    empty(first);
    return (void *)(flour & 0xff);
}

static void *baker(void *sacks) {
    unsigned long bread = 0;
    for (int i = 0; i < *(int *)sacks; i++) bread += coarse(i, i % 12);
    return (void *)(bread & 0xff);
}

int main(int argc, char **argv) {
    int sacks = argc > 1 ? atoi(argv[1]) : 10;
    pthread_t threads[2];
    void *result[2];
    pthread_create(&threads[0], NULL, miller, &sacks);
    pthread_create(&threads[1], NULL, baker, &sacks);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], &result[i]);
    printf("%lu\n", (unsigned long)result[0] + (unsigned long)result[1]);
}
