/* Horizontal diffusion as the fused graph of docs/tour-data-movement.md computes it, one loop nest, in
   several layouts and orders of loops: gcc -DSTEP=n. Each prints the processor's time of a repetition and a sum of all
   results, which is the same for all.

   STEP 0  all containers [I,J,K], loops i,j,k: as it is
   STEP 1  in_field [K,I,J]
   STEP 2  and loops k,i,j
   STEP 3  and rows of in_field padded to 8 elements
   STEP 4  as 2, with coeff and out_field [K,I,J], too
   STEP 5  as 4, rows of all padded to a multiple of 8 elements and one line */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifndef STEP
#define STEP 0
#endif
#ifndef SIZE_I
#define SIZE_I 256
#define SIZE_J 256
#define SIZE_K 160
#endif

enum { I = SIZE_I, J = SIZE_J, K = SIZE_K };

#if STEP == 3
#define ROW_IN ((J + 4 + 7) / 8 * 8)
#elif STEP == 5
#define ROW_IN ((J + 4 + 7) / 8 * 8 + 8)
#else
#define ROW_IN (J + 4)
#endif
#if STEP == 5
#define ROW_OUT ((J + 7) / 8 * 8 + 8)
#else
#define ROW_OUT J
#endif

#if STEP == 0
#define IN(i, j, k) in_field[((i) * (J + 4) + (j)) * K + (k)]
#define SIZE_IN ((I + 4) * (J + 4) * K)
#else
#define IN(i, j, k) in_field[((k) * (I + 4) + (i)) * ROW_IN + (j)]
#define SIZE_IN (K * (I + 4) * ROW_IN)
#endif
#if STEP < 4
#define AT(i, j, k) [((i) * J + (j)) * K + (k)]
#define SIZE_OUT (I * J * K)
#else
#define AT(i, j, k) [((k) * I + (i)) * ROW_OUT + (j)]
#define SIZE_OUT (K * I * ROW_OUT)
#endif

#if STEP < 2
#define LOOPS                         \
    for (long i = 0; i < I; i++)      \
        for (long j = 0; j < J; j++)  \
            for (long k = 0; k < K; k++)
#else
#define LOOPS                         \
    for (long k = 0; k < K; k++)      \
        for (long i = 0; i < I; i++)  \
            for (long j = 0; j < J; j++)
#endif

#define LAPLACIAN(i, j, k) \
    (4.0 * IN(i, j, k) - (IN((i) + 1, j, k) + IN((i) - 1, j, k) + IN(i, (j) + 1, k) + IN(i, (j) - 1, k)))

/* Flux from one element to its neighbour: none against the gradient. */
static inline double flux(double here, double next, double one, double other) {
    double both = next - here;
    return both * (other - one) > 0.0 ? 0.0 : both;
}

__attribute__((noinline)) static void diffuse(const double *restrict in_field,
                                              double *restrict out_field,
                                              const double *restrict coeff) {
    LOOPS {
        double middle = LAPLACIAN(i + 2, j + 2, k);
        double east = flux(middle, LAPLACIAN(i + 3, j + 2, k), IN(i + 2, j + 2, k), IN(i + 3, j + 2, k));
        double west = flux(LAPLACIAN(i + 1, j + 2, k), middle, IN(i + 1, j + 2, k), IN(i + 2, j + 2, k));
        double north = flux(middle, LAPLACIAN(i + 2, j + 3, k), IN(i + 2, j + 2, k), IN(i + 2, j + 3, k));
        double south = flux(LAPLACIAN(i + 2, j + 1, k), middle, IN(i + 2, j + 1, k), IN(i + 2, j + 2, k));
        out_field AT(i, j, k) =
            IN(i + 2, j + 2, k) - coeff AT(i, j, k) * (east - west + north - south);
    }
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
    double *in_field = aligned_alloc(64, (SIZE_IN + 7L) / 8 * 8 * sizeof(double));
    double *out_field = aligned_alloc(64, (SIZE_OUT + 7L) / 8 * 8 * sizeof(double));
    double *coeff = aligned_alloc(64, (SIZE_OUT + 7L) / 8 * 8 * sizeof(double));
    double *took = calloc(times + 1, sizeof(double));
    for (long i = 0; i < I + 4; i++)
        for (long j = 0; j < J + 4; j++)
            for (long k = 0; k < K; k++)
                IN(i, j, k) = (double)((i * 7919 + j * 104729 + k * 1299709) % 1000) / 1000.0;
    for (long i = 0; i < I; i++)
        for (long j = 0; j < J; j++)
            for (long k = 0; k < K; k++) {
                coeff AT(i, j, k) = (double)((i * 31 + j * 17 + k * 13) % 100) / 100.0;
                out_field AT(i, j, k) = 0.0;
            }
    for (int one = 0; one < times; one++) {
        double begin = now();
        diffuse(in_field, out_field, coeff);
        took[one] = now() - begin;
    }
    double sum = 0.0;
    for (long i = 0; i < I; i++)
        for (long j = 0; j < J; j++)
            for (long k = 0; k < K; k++)
                sum += out_field AT(i, j, k) * (double)((i + 3 * j + 5 * k) % 11);
    qsort(took, times, sizeof(double), by_value);
    if (times > 0)
        printf("step %d: fastest %.1f ms, median %.1f ms, sum %.17g\n", STEP, took[0] * 1e3,
               took[times / 2] * 1e3, sum);
    return 0;
}
