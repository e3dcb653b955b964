/* A product over rows, as BLAS has it: HayStack's example, whose misses are published. */
void rows(long n, float alpha, float beta, float C[n][n], float A[n][n], float B[n][n]) {
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < n; j++)
      C[i][j] *= beta;
    for (long k = 0; k < n; k++)
      for (long j = 0; j < n; j++)
        C[i][j] += alpha * A[i][k] * B[k][j];
  }
}
