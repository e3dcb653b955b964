"""Eight queens, and other functions that call themselves, each in its own way."""


def place(n, row=0, taken=()):
    if row == n:
        return 1
    return sum(place(n, row + 1, (*taken, column)) for column in range(n) if is_free(row, column, taken))


def is_free(row, column, taken):
    return all(abs(column - other) not in (0, row - at) for at, other in enumerate(taken))


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def even(n):
    return n == 0 or odd(n - 1)


def odd(n):
    return n > 0 and even(n - 1)


def flat(n):
    return sum(one(k) for k in range(n))


def one(k):
    return k % 3


print(place(8), fibonacci(20), even(300), flat(5_000))
