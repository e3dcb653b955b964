/* C += A * B, rows of as many elements as the sizes say. */
void gemm(long n, long m, long p, double C[n][m], double A[n][p], double B[p][m]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++) {
      C[i][j] *= 2.0;
      for (long k = 0; k < p; k++)
        C[i][j] += A[i][k] * B[k][j];
    }
}
