// What the stencil peers share: 8 cells wide, two rows that alternate; a task reads three cells of
// the row before and writes one.
#ifndef STENCIL_H
#define STENCIL_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WIDTH = 8, APART = 8 };

static double cells[2][WIDTH * APART];

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

// `length` multiplications, each of which waits for the one before.
static double body(double left, double middle, double right, long length) {
    double value = (left + middle + right) / 3.0;
    for (long i = 0; i < length; i++) {
        value *= 1.0000001;
        __asm__ volatile("" : "+x"(value));
    }
    return value;
}

static void cell(const double *from, double *to, int at, long length) {
    const double *left = &from[(at + WIDTH - 1) % WIDTH * APART];
    const double *right = &from[(at + 1) % WIDTH * APART];
    to[at * APART] = body(*left, from[at * APART], *right, length);
}

static void fill(void) {
    for (int i = 0; i < WIDTH; i++) {
        cells[0][i * APART] = 1.0 + i;
        cells[1][i * APART] = 0.0;
    }
}

static uint64_t checksum(void) {
    uint64_t sum = 0;
    for (int row = 0; row < 2; row++) {
        for (int i = 0; i < WIDTH; i++) {
            uint64_t bits;
            memcpy(&bits, &cells[row][i * APART], sizeof bits);
            sum = sum * 31 + bits;
        }
    }
    return sum;
}

// One thread, no tasks: what the bodies alone take.
static uint64_t sequential(int steps, long length) {
    uint64_t start = now();
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < WIDTH; i++) {
            cell(cells[step % 2], cells[(step + 1) % 2], i, length);
        }
    }
    return now() - start;
}

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Arguments: steps, threads, repetitions, lengths of the body. Prints a line for each length: the
// length, nanoseconds alone, nanoseconds with tasks (medians), checksum.
static int measure(int count, char **arguments, void (*begin)(int steps, int threads),
                   void (*run)(int steps, int threads, long length)) {
    if (count < 5) {
        fprintf(stderr, "usage: %s steps threads repetitions length...\n", arguments[0]);
        return 2;
    }
    int steps = atoi(arguments[1]), threads = atoi(arguments[2]), repetitions = atoi(arguments[3]);
    uint64_t *alone = (uint64_t *)malloc(sizeof *alone * repetitions);
    uint64_t *tasks = (uint64_t *)malloc(sizeof *tasks * repetitions);
    begin(steps, threads);
    fill();
    run(steps, threads, 0);
    for (int at = 4; at < count; at++) {
        long length = atol(arguments[at]);
        for (int i = 0; i < repetitions; i++) {
            fill();
            alone[i] = sequential(steps, length);
            fill();
            uint64_t start = now();
            run(steps, threads, length);
            tasks[i] = now() - start;
        }
        qsort(alone, repetitions, sizeof *alone, by_value);
        qsort(tasks, repetitions, sizeof *tasks, by_value);
        printf("%ld %llu %llu %llx\n", length, (unsigned long long)alone[repetitions / 2],
               (unsigned long long)tasks[repetitions / 2], (unsigned long long)checksum());
    }
    return 0;
}

#endif
