// A larder: shelves nest, jars are filled, copied, moved and thrown away, some are forgotten.
// Two threads stock it. (testdata/dhat has the same program.)
//
//     larder JARS
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef NOINLINE
#define NOINLINE __attribute__((noinline))
#endif

struct shelf {
    struct shelf *upper, *lower;
    char *jar;
};

NOINLINE static char *jar(int size) {
    char *jar = malloc(size);
    memset(jar, size, size);
    return jar;
}

// Recursive.
NOINLINE static struct shelf *build(int height) {
    if (height == 0) return NULL;
    struct shelf *shelf = calloc(1, sizeof *shelf);
    shelf->upper = build(height - 1);
    shelf->lower = build(height - 2 < 0 ? 0 : height - 2);
    shelf->jar = jar(16 << height);
    return shelf;
}

NOINLINE static void clear(struct shelf *shelf) {
    if (!shelf) return;
    clear(shelf->upper);
    clear(shelf->lower);
    free(shelf->jar);
    free(shelf);
}

// One jar that grows.
NOINLINE static void simmer(int rounds) {
    char *pot = jar(10);
    for (int i = 1; i < rounds; i++) {
        pot = realloc(pot, 10 + 100 * i);
        pot[100 * i] = 1;
        usleep(1000);
    }
    free(pot);
}

// Gone at once.
NOINLINE static int taste(int jars) {
    int sum = 0;
    for (int i = 0; i < jars; i++) {
        char *spoon = jar(24), *copy = malloc(24);
        memcpy(copy, spoon, 24);
        sum += copy[3];
        free(copy);
        free(spoon);
    }
    return sum;
}

// Never freed.
NOINLINE static void forget(int jars) {
    for (int i = 0; i < jars; i++) jar(1000 + i);
}

static void *cook(void *jars) {
    simmer(*(int *)jars);
    return (void *)(long)taste(*(int *)jars);
}

static void *carpenter(void *jars) {
    struct shelf *shelf = build(6);
    struct shelf *other = build(3);
    clear(shelf);
    (void)jars;
    return other;
}

int main(int argc, char **argv) {
    int jars = argc > 1 ? atoi(argv[1]) : 10;
    pthread_t threads[2];
    void *result;
    pthread_create(&threads[0], NULL, cook, &jars);
    pthread_create(&threads[1], NULL, carpenter, &jars);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], &result);
    forget(jars / 4);
    puts("full");
}
