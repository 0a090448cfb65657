// What kernels get, for kernels that `pl-runtime` compiles and runs; it is put before each of them.
//
// A kernel is `extern "C" void kernel_entry(int64_t* args)`: pointers to its tensors in the order in which the
// task was given them, then its scalars as raw bits; the contexts of the block have places of their own.
#pragma once

#include "pto_tensor.h"

#ifndef __aicore__
#define __aicore__
#endif
#ifndef __gm__
#define __gm__
#endif
#ifndef __global__
#define __global__
#endif

constexpr int PL_LOCAL_CONTEXT = 48;
constexpr int PL_GLOBAL_CONTEXT = 49;

struct LocalContext {
    int32_t block_idx;
    int32_t block_num;
    uint64_t async_context;  // always 0: there is nothing asynchronous
};

struct GlobalContext {
    int32_t sub_block_id;
    uint64_t dma_workspace;  // always 0
};
static_assert(sizeof(LocalContext) == 16 && sizeof(GlobalContext) == 16, "as in kernels.rs");

inline const LocalContext& pl_local_context(const int64_t* args) {
    return *reinterpret_cast<const LocalContext*>(args[PL_LOCAL_CONTEXT]);
}
inline const GlobalContext& pl_global_context(const int64_t* args) {
    return *reinterpret_cast<const GlobalContext*>(args[PL_GLOBAL_CONTEXT]);
}

inline int32_t get_block_idx(const int64_t* args) { return pl_local_context(args).block_idx; }
inline int32_t get_block_num(const int64_t* args) { return pl_local_context(args).block_num; }
inline int32_t get_sub_block_id(const int64_t* args) { return pl_global_context(args).sub_block_id; }
inline uint64_t get_dma_workspace(const int64_t* args) { return pl_global_context(args).dma_workspace; }

// What is wrong ends the kernel, and fails its task.
struct PlKernelError {
    char text[1024];
};

PL_HIDDEN inline void pl_misuse(const char* file, int line, const char* format, ...) {
    PlKernelError error;
    int used = snprintf(error.text, sizeof error.text, "%s:%d: ", file, line);
    if (used < 0 || used >= static_cast<int>(sizeof error.text)) used = 0;
    va_list list;
    va_start(list, format);
    vsnprintf(error.text + used, sizeof error.text - static_cast<size_t>(used), format, list);
    va_end(list);
    throw error;
}

extern "C" void kernel_entry(int64_t* args);

#include <exception>

// What the runtime calls: 0, or 1 and a text, if the kernel has thrown something.
extern "C" __attribute__((used, visibility("default"))) inline int32_t pl_kernel_call(
    int64_t* args, char* text, size_t capacity) {
    try {
        kernel_entry(args);
        return 0;
    } catch (const PlKernelError& error) {
        snprintf(text, capacity, "%s", error.text);
    } catch (const std::exception& exception) {
        snprintf(text, capacity, "%s", exception.what());
    } catch (...) {
        snprintf(text, capacity, "an exception that is no std::exception");
    }
    return 1;
}
