/* Calls gemm on matrices that stand one behind the other, as the simulator places them. */
#include <stdlib.h>

void gemm(long n, long m, long p, double *C, double *A, double *B);

static volatile char other[1 << 22];

int main(int count, char **arguments) {
  long n = atol(arguments[1]), m = atol(arguments[2]), p = atol(arguments[3]);
  double *all;
  if (count < 4 || posix_memalign((void **)&all, 1 << 20, (n * m + n * p + p * m) * 8))
    return 1;
  for (long at = 0; at < n * m + n * p + p * m; at++)
    all[at] = 1;
  /* Nothing of them is in a cache. */
  for (long at = 0; at < sizeof other; at += 64)
    other[at];
  gemm(n, m, p, all, all + n * m, all + n * m + n * p);
  return 0;
}
