/* Forward substitution with a lower triangle. */
void solve(long n, float L[n][n], float x[n], float b[n]) {
  for (long i = 0; i < n; i++) {
    x[i] = b[i];
    for (long j = 0; j < i; j++)
      x[i] -= L[i][j] * x[j];
    x[i] = x[i] / L[i][i];
  }
}
