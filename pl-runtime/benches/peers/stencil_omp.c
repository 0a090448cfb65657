// The stencil on GCC's OpenMP: dependencies inferred from the addresses of the cells.
#include "stencil.h"

static void begin(int steps, int threads) {
    (void)steps;
    (void)threads;
}

static void run(int steps, int threads, long length) {
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int step = 0; step < steps; step++) {
        double *from = cells[step % 2], *to = cells[(step + 1) % 2];
        for (int i = 0; i < WIDTH; i++) {
            double *left = &from[(i + WIDTH - 1) % WIDTH * APART], *middle = &from[i * APART];
            double *right = &from[(i + 1) % WIDTH * APART], *here = &to[i * APART];
#pragma omp task depend(in : left[0], middle[0], right[0]) depend(out : here[0]) \
    firstprivate(from, to, i, length)
            cell(from, to, i, length);
        }
    }
}

int main(int count, char **arguments) { return measure(count, arguments, begin, run); }
