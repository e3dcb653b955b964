/* Two loops, one after the other, over arrays of a fixed size; the second runs down. */
float a[4096], b[4096];
int c[4096];

void sequence(long n) {
  for (long i = 0; i < n; i++)
    a[i] = 2.0f * b[i + 1];
  for (long i = n - 1; i >= 0; i -= 2)
    c[i] = c[i] + (int)a[n - i];
}
