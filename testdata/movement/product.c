/* A product of matrices as it is written first: what Polly exports and `hotframe sdfg simulate` reads. */
void product(long n, double A[n][n], double B[n][n], double C[n][n]) {
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++)
            for (long k = 0; k < n; k++)
                C[i][j] += A[i][k] * B[k][j];
}
