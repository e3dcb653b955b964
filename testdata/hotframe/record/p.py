import sys, time, hashlib
def hashing(until):
    n = 0
    while time.process_time() < until:
        hashlib.sha256(b'x' * 5000).digest(); n += 1
    return n
def summing(until):
    total = 0
    while time.process_time() < until:
        total += sum(i * i for i in range(500))
    return total
def main(seconds):
    hashing(seconds * 0.4)
    summing(seconds)
main(float(sys.argv[1]))
