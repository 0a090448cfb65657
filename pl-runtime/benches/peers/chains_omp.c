// 64 independent chains of tasks with two inout dependencies each, on GCC's OpenMP.
// Arguments: tasks, threads, whether the tasks compute. Prints nanoseconds and a checksum.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CHAINS = 64, APART = 16 };

static uint64_t a[CHAINS * APART], b[CHAINS * APART];

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void step(uint64_t *x, uint64_t *y) {
    *x = *x * 6364136223846793005u + *y;
    *y ^= *x >> 7;
}

static uint64_t run(long tasks, int threads, int computes) {
    uint64_t start = now();
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (long i = 0; i < tasks; i++) {
        uint64_t *x = &a[i % CHAINS * APART], *y = &b[i % CHAINS * APART];
        if (computes) {
#pragma omp task depend(inout : x[0]) depend(inout : y[0]) firstprivate(x, y)
            step(x, y);
        } else {
#pragma omp task depend(inout : x[0]) depend(inout : y[0]) firstprivate(x, y)
            {
            }
        }
    }
    return now() - start;
}

int main(int count, char **arguments) {
    if (count != 4) {
        fprintf(stderr, "usage: chains_omp tasks threads computes\n");
        return 2;
    }
    long tasks = atol(arguments[1]);
    int threads = atoi(arguments[2]), computes = atoi(arguments[3]);
    for (int i = 0; i < CHAINS; i++) {
        a[i * APART] = (uint64_t)i + 1;
        b[i * APART] = (uint64_t)i * 3;
    }
    if (!computes) {
        run(10000, threads, 0);
    }
    uint64_t taken = run(tasks, threads, computes), sum = 0;
    for (int i = 0; i < CHAINS; i++) {
        sum = sum * 31 + a[i * APART];
        sum = sum * 31 + b[i * APART];
    }
    printf("%llu %llx\n", (unsigned long long)taken, (unsigned long long)sum);
    return 0;
}
