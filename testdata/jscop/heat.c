/* A stencil on a plane, there and back in each step of time. */
void heat(long t, long n, double A[n][n], double B[n][n]) {
  for (long s = 0; s < t; s++) {
    for (long i = 1; i < n - 1; i++)
      for (long j = 1; j < n - 1; j++)
        B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i - 1][j] + A[i + 1][j]);
    for (long i = 1; i < n - 1; i++)
      for (long j = 1; j < n - 1; j++)
        A[i][j] = B[i][j];
  }
}
