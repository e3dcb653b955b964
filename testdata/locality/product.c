/* C += A B, every access as it is written: what a cache simulator sees is what the loops say. */
#ifndef ROW
#define ROW SIZE
#endif

static struct {
  volatile double a[SIZE][ROW];
  volatile double b[SIZE][ROW];
  volatile double c[SIZE][ROW];
} all __attribute__((aligned(4096)));

int main(void) {
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++)
      for (int k = 0; k < SIZE; k++)
        all.c[i][j] += all.a[i][k] * all.b[k][j];
  return 0;
}
