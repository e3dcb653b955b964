/* The product of product.c in several layouts and orders: gcc -DSTEP=n. Each prints the processor's time of a repetition
   and a sum of all results, which is the same for all.

   STEP 0  as it is
   STEP 1  rows of B padded by a line (pad B)
   STEP 2  loops i,k,j
   STEP 3  loops i,k,j in tiles of k and j */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifndef STEP
#define STEP 0
#endif
#ifndef SIZE
#define SIZE 512
#endif

enum { N = SIZE, ROW_B = STEP == 1 ? SIZE + 8 : SIZE, TILE_K = 32, TILE_J = 64 };

__attribute__((aligned(64))) static double A[N][N], B[N][ROW_B], C[N][N];

__attribute__((noinline)) static void product(void) {
#if STEP < 2
    for (long i = 0; i < N; i++)
        for (long j = 0; j < N; j++)
            for (long k = 0; k < N; k++)
                C[i][j] += A[i][k] * B[k][j];
#elif STEP == 2
    for (long i = 0; i < N; i++)
        for (long k = 0; k < N; k++)
            for (long j = 0; j < N; j++)
                C[i][j] += A[i][k] * B[k][j];
#else
    for (long k_tile = 0; k_tile < N; k_tile += TILE_K)
        for (long j_tile = 0; j_tile < N; j_tile += TILE_J)
            for (long i = 0; i < N; i++)
                for (long k = k_tile; k < k_tile + TILE_K; k++)
                    for (long j = j_tile; j < j_tile + TILE_J; j++)
                        C[i][j] += A[i][k] * B[k][j];
#endif
}

/* What this process had of a processor, so that what runs beside it does not count. */
static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

static int by_value(const void *one, const void *other) {
    double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

int main(int count, char **arguments) {
    int times = count > 1 ? atoi(arguments[1]) : 9;
    double *took = calloc(times + 1, sizeof(double));
    for (long i = 0; i < N; i++)
        for (long j = 0; j < N; j++) {
            A[i][j] = (double)((i * 7 + j * 3) % 16);
            B[i][j] = (double)((i * 5 + j * 11) % 16);
        }
    for (int one = 0; one < times; one++) {
        double begin = now();
        product();
        took[one] = now() - begin;
    }
    double sum = 0.0;
    for (long i = 0; i < N; i++)
        for (long j = 0; j < N; j++)
            sum += C[i][j] * (double)((i + 3 * j) % 11);
    qsort(took, times, sizeof(double), by_value);
    if (times > 0)
        printf("step %d: fastest %.1f ms, median %.1f ms, sum %.17g\n", STEP, took[0] * 1e3,
               took[times / 2] * 1e3, sum);
    return 0;
}
