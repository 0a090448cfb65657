// The orchestration interface of the device runtime, for sources that `pl-runtime` compiles and runs.
//
// Written for `pl-runtime`, from the specification of the device runtime: sources for the device compile
// unmodified. All calls go through a table of operations behind the runtime of the calling thread, which
// `framework_bind_runtime` sets. What the header hands over is plain data (`Pl..`), which
// `pl-runtime/src/cpp/abi.rs` mirrors.
#pragma once

#include "pto_tensor.h"

// Also the names of the dialects before 2026-08-18, unless this is 0.
#ifndef PTO2_OLD_NAMES
#define PTO2_OLD_NAMES 1
#endif

// ---- What goes to the runtime ------------------------------------------------------------------

// Raise it with each change of what follows.
constexpr uint32_t PL_ORCHESTRATION_ABI = 1;

enum class TensorArgType : uint8_t { INPUT = 0, OUTPUT = 1, INOUT = 2, OUTPUT_EXISTING = 3, NO_DEP = 4 };
enum class PTO2ScopeMode : int32_t { AUTO = 0, MANUAL = 1 };
enum class PredicateOp : uint8_t { NONE = 0, EQ = 1, NE = 2, GT = 3, LT = 4, GE = 5, LE = 6 };

// What an explicit dependency is for: the order, and that what the task owns is kept.
enum class PTO2DepKind : uint8_t { NONE = 0, WAIT = 1, RETAIN = 2, WAIT_RETAIN = 3 };
constexpr PTO2DepKind operator|(PTO2DepKind a, PTO2DepKind b) {
    return static_cast<PTO2DepKind>(static_cast<uint8_t>(a) | static_cast<uint8_t>(b));
}

struct CoreTaskOperand {
    const ChipTensor* tensor = nullptr;
    uint32_t ndims = 0;
    uint32_t indices[MAX_TENSOR_DIMS] = {};
};

struct CoreTaskPredicate {
    CoreTaskOperand operand;
    PredicateOp op = PredicateOp::NONE;
    int64_t target = 0;
};
static_assert(sizeof(CoreTaskPredicate) == 48 && offsetof(CoreTaskPredicate, op) == 32, "as in abi.rs");

struct PlSite {
    const char* file;
    int32_t line;
};

struct PlTask {
    const void* const* tensors;  // ChipTensor, or TensorCreateInfo where the tag says OUTPUT
    const TensorArgType* tags;
    const uint64_t* scalars;
    const PTO2TaskId* deps;
    const PTO2DepKind* dep_kinds;  // null: WAIT_RETAIN
    const CoreTaskPredicate* predicate;
    const char* error;  // the first mistake in the arguments, or null
    PlSite site;
    uint32_t tensor_count;
    uint32_t scalar_count;
    uint32_t dep_count;
    int32_t kernels[3];  // AIC, AIV0, AIV1; -1 for none
    int64_t block_num;
    uint8_t dummy;
    uint8_t sync_start;
    uint8_t early_resolve;
};
static_assert(sizeof(PlTask) == 112, "as in abi.rs");

struct PlOutputs {
    const ChipTensor* tensors;
    uint64_t task;
    uint32_t count;
};

struct PTO2Runtime;

struct PlOps {
    uint32_t abi;
    void (*submit)(PTO2Runtime*, const PlTask*, PlOutputs*);
    void (*alloc_tensors)(PTO2Runtime*, const TensorCreateInfo* const*, uint32_t, PlSite, PlOutputs*);
    void (*scope_begin)(PTO2Runtime*, int32_t mode, PlSite);
    void (*scope_end)(PTO2Runtime*);
    int32_t (*is_fatal)(PTO2Runtime*);
    void (*report_fatal)(PTO2Runtime*, int32_t code, const char* text, PlSite);
    void (*misuse)(PTO2Runtime*, const char* text, PlSite);
    void (*log)(PTO2Runtime*, int32_t level, const char* text);
    uint64_t (*get)(PTO2Runtime*, const ChipTensor*, uint32_t, const uint32_t*, PlSite);
    void (*set)(PTO2Runtime*, const ChipTensor*, uint32_t, const uint32_t*, uint64_t, PlSite);
    uint32_t (*available_clusters)(PTO2Runtime*);
    uint32_t (*available_aiv)(PTO2Runtime*);
};

struct PTO2Runtime {
    const PlOps* ops;
};

// The runtime of the calling thread: one library runs on many threads at a time. Hidden, so that each
// library has its own.
PL_HIDDEN inline thread_local PTO2Runtime* pl_bound_runtime = nullptr;

// Calls where no runtime is bound: on other threads than the entry's, or outside of it.
PL_HIDDEN inline uint32_t pl_stray_calls = 0;

PL_HIDDEN inline bool pl_unbound() {
    if (pl_bound_runtime != nullptr) return false;
    __atomic_fetch_add(&pl_stray_calls, 1, __ATOMIC_RELAXED);
    return true;
}

extern "C" __attribute__((used, visibility("default"))) inline void framework_bind_runtime(
    PTO2Runtime* runtime) {
    pl_bound_runtime = runtime;
}

extern "C" __attribute__((used, visibility("default"))) inline uint32_t pl_orchestration_abi() {
    return PL_ORCHESTRATION_ABI;
}

// Stray calls since this was asked last.
extern "C" __attribute__((used, visibility("default"))) inline uint32_t pl_orchestration_stray_calls() {
    return __atomic_exchange_n(&pl_stray_calls, 0, __ATOMIC_RELAXED);
}

constexpr int PL_MAX_TEXT = 1024;

PL_HIDDEN inline void pl_misuse(const char* file, int line, const char* format, ...) {
    if (pl_unbound()) return;
    char text[PL_MAX_TEXT];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    pl_bound_runtime->ops->misuse(pl_bound_runtime, text, PlSite{file, line});
}

// A value together with the place where it is passed.
template <typename T>
struct PlHere {
    T value;
    PlSite site;
    PlHere(T given, const char* file = __builtin_FILE(), int line = __builtin_LINE())
        : value(given), site{file, line} {}
};

// ---- State of the run --------------------------------------------------------------------------

inline bool rt_is_fatal() {
    return pl_unbound() || pl_bound_runtime->ops->is_fatal(pl_bound_runtime) != 0;
}

// Ends the run with `code`; 0 is reported as 9.
__attribute__((format(printf, 2, 3))) inline void rt_report_fatal(PlHere<int32_t> code, const char* format,
                                                                  ...) {
    if (pl_unbound()) return;
    char text[PL_MAX_TEXT];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    pl_bound_runtime->ops->report_fatal(pl_bound_runtime, code.value, text, code.site);
}

inline uint32_t rt_available_cluster_count() {
    return pl_unbound() ? 0 : pl_bound_runtime->ops->available_clusters(pl_bound_runtime);
}

inline uint32_t rt_available_aiv_count() {
    return pl_unbound() ? 0 : pl_bound_runtime->ops->available_aiv(pl_bound_runtime);
}

// Not for sources: the run ends when the entry returns.
inline void rt_orchestration_done(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    pl_misuse(file, line, "rt_orchestration_done is called by the runtime, when the entry has returned");
}

__attribute__((format(printf, 2, 3))) inline void pl_log(int32_t level, const char* format, ...) {
    if (pl_unbound()) return;
    char text[PL_MAX_TEXT];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    pl_bound_runtime->ops->log(pl_bound_runtime, level, text);
}

#define LOG_ERROR(...) pl_log(0, __VA_ARGS__)
#define LOG_WARN(...) pl_log(1, __VA_ARGS__)
#define LOG_TIMING(...) pl_log(2, __VA_ARGS__)
#define LOG_INFO(...) pl_log(3, __VA_ARGS__)
#define LOG_DEBUG(...) pl_log(4, __VA_ARGS__)

// ---- Scopes ------------------------------------------------------------------------------------

inline void pl_scope_begin(PTO2ScopeMode mode, PlSite site) {
    if (!pl_unbound()) {
        pl_bound_runtime->ops->scope_begin(pl_bound_runtime, static_cast<int32_t>(mode), site);
    }
}

// A scope without a site: reports say `(unknown):0`.
inline void rt_scope_begin(PTO2ScopeMode mode = PTO2ScopeMode::AUTO) {
    pl_scope_begin(mode, PlSite{nullptr, 0});
}

inline void rt_scope_end() {
    if (!pl_unbound()) pl_bound_runtime->ops->scope_end(pl_bound_runtime);
}

class PTO2ScopeGuard {
public:
    explicit PTO2ScopeGuard(PTO2ScopeMode mode = PTO2ScopeMode::AUTO, const char* file = __builtin_FILE(),
                            int line = __builtin_LINE()) {
        pl_scope_begin(mode, PlSite{file, line});
    }
    ~PTO2ScopeGuard() { rt_scope_end(); }
    PTO2ScopeGuard(const PTO2ScopeGuard&) = delete;
    PTO2ScopeGuard& operator=(const PTO2ScopeGuard&) = delete;
};

#define PL_JOIN_NAMES(a, b) a##b
#define PL_UNIQUE_NAME(name, number) PL_JOIN_NAMES(name, number)

// `PTO2_SCOPE() { .. }`: a scope around the block.
#define PTO2_SCOPE(...) \
    if (PTO2ScopeGuard PL_UNIQUE_NAME(pl_scope_guard_, __COUNTER__){__VA_ARGS__}; true)
// A scope up to the end of the block that this stands in.
#define PTO2_SCOPE_GUARD(...) PTO2ScopeGuard PL_UNIQUE_NAME(pl_scope_guard_, __COUNTER__){__VA_ARGS__}

#include "pto_task_args.h"

// ---- Tasks -------------------------------------------------------------------------------------

constexpr int32_t INVALID_KERNEL_ID = -1;

// Up to three kernels for a cluster, at least one.
struct MixedKernels {
    int32_t aic_kernel_id = INVALID_KERNEL_ID;
    int32_t aiv0_kernel_id = INVALID_KERNEL_ID;
    int32_t aiv1_kernel_id = INVALID_KERNEL_ID;
};

inline TaskOutputTensors pl_submit(const CoreTaskArgs& args, MixedKernels kernels, bool dummy, PlSite site) {
    if (rt_is_fatal()) return TaskOutputTensors();
    PlTask task = args.pl_task();
    task.kernels[0] = kernels.aic_kernel_id;
    task.kernels[1] = kernels.aiv0_kernel_id;
    task.kernels[2] = kernels.aiv1_kernel_id;
    task.dummy = dummy;
    task.site = site;
    PlOutputs outputs = {nullptr, UINT64_MAX, 0};
    pl_bound_runtime->ops->submit(pl_bound_runtime, &task, &outputs);
    return TaskOutputTensors(outputs);
}

inline TaskOutputTensors rt_submit_task(const MixedKernels& kernels, const CoreTaskArgs& args,
                                        const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return pl_submit(args, kernels, false, PlSite{file, line});
}

template <uint32_t N>
inline TaskOutputTensors rt_submit_task(const MixedKernels& kernels, CoreTaskArgsWithDeps<N>& args,
                                        const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return pl_submit(args.pl_bound(), kernels, false, PlSite{file, line});
}

template <typename Args>
inline TaskOutputTensors rt_submit_aic_task(int32_t kernel, Args& args, const char* file = __builtin_FILE(),
                                            int line = __builtin_LINE()) {
    return rt_submit_task(MixedKernels{kernel, INVALID_KERNEL_ID, INVALID_KERNEL_ID}, args, file, line);
}

template <typename Args>
inline TaskOutputTensors rt_submit_aiv_task(int32_t kernel, Args& args, const char* file = __builtin_FILE(),
                                            int line = __builtin_LINE()) {
    return rt_submit_task(MixedKernels{INVALID_KERNEL_ID, kernel, INVALID_KERNEL_ID}, args, file, line);
}

inline TaskOutputTensors rt_submit_dummy_task(const CoreTaskArgs& args, const char* file = __builtin_FILE(),
                                              int line = __builtin_LINE()) {
    return pl_submit(args, MixedKernels{}, true, PlSite{file, line});
}

inline TaskOutputTensors pl_alloc(const TensorCreateInfo* const* infos, uint32_t count, PlSite site) {
    if (rt_is_fatal()) return TaskOutputTensors();
    PlOutputs outputs = {nullptr, UINT64_MAX, 0};
    pl_bound_runtime->ops->alloc_tensors(pl_bound_runtime, infos, count, site, &outputs);
    return TaskOutputTensors(outputs);
}

inline TaskOutputTensors alloc_tensors(const CoreTaskArgs& args, const char* file = __builtin_FILE(),
                                       int line = __builtin_LINE()) {
    const TensorCreateInfo* infos[CORE_MAX_TENSOR_ARGS] = {};
    const char* error = args.scalar_count() != 0 ? "alloc_tensors takes no scalars" : nullptr;
    for (uint32_t i = 0; i < args.tensor_count(); ++i) {
        if (args.tag(i) != TensorArgType::OUTPUT) error = "alloc_tensors takes create infos only";
        infos[i] = args.tensor(i).create_info();
    }
    if (args.has_error) error = args.error_msg;
    if (error != nullptr) {
        pl_misuse(file, line, "%s", error);
        return TaskOutputTensors();
    }
    return pl_alloc(infos, args.tensor_count(), PlSite{file, line});
}

inline TaskOutputTensors alloc_tensors(const TensorCreateInfo* infos, uint32_t count,
                                       const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    const TensorCreateInfo* each[CORE_MAX_TENSOR_ARGS] = {};
    if (infos == nullptr && count > 0) {
        pl_misuse(file, line, "alloc_tensors of %u tensors that are null", count);
        return TaskOutputTensors();
    }
    for (uint32_t i = 0; i < count && i < CORE_MAX_TENSOR_ARGS; ++i) each[i] = infos + i;
    return pl_alloc(each, count, PlSite{file, line});
}

// One to 32 create infos.
template <typename... Infos>
inline TaskOutputTensors alloc_tensors(PlHere<const TensorCreateInfo&> first, const Infos&... rest) {
    static_assert(sizeof...(Infos) < CORE_MAX_TENSOR_ARGS, "at most 32 tensors in one call");
    static_assert((std::is_same<Infos, TensorCreateInfo>::value && ...), "alloc_tensors takes create infos only");
    const TensorCreateInfo* each[] = {&first.value, &rest...};
    return pl_alloc(each, 1 + sizeof...(Infos), first.site);
}

// ---- Single elements ---------------------------------------------------------------------------

// Reads an element, after the tasks that write it; its bits, zero-extended, as `T`.
template <typename T = uint64_t>
inline T get_tensor_data(const ChipTensor& tensor, uint32_t ndims, const uint32_t* indices,
                         const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    uint64_t bits = 0;
    if (!rt_is_fatal()) {
        bits = pl_bound_runtime->ops->get(pl_bound_runtime, &tensor, ndims, indices, PlSite{file, line});
    }
    return from_u64<T>(bits);
}

// Writes an element, after the tasks that use it: as many bits of `value` as it has.
template <typename T>
inline void set_tensor_data(const ChipTensor& tensor, uint32_t ndims, const uint32_t* indices, T value,
                            const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    if (std::is_floating_point<T>::value && sizeof(T) != get_element_size(tensor.dtype)) {
        pl_misuse(file, line, "set_tensor_data: a float of %d bytes for an element of %d", int(sizeof(T)),
                  int(get_element_size(tensor.dtype)));
    }
    if (rt_is_fatal()) return;
    pl_bound_runtime->ops->set(pl_bound_runtime, &tensor, ndims, indices, to_u64(value), PlSite{file, line});
}

// ---- The way in --------------------------------------------------------------------------------

struct PTO2OrchestrationConfig {
    int expected_arg_count;
};

// What the runtime calls entries through: an exception of the source is a text, and goes no further.
struct PlCall {
    void (*entry)(const ChipTaskArgs&);
    PTO2OrchestrationConfig (*config)(const ChipTaskArgs&);  // or null
    const ChipTensor* tensors;
    const uint64_t* scalars;
    uint32_t tensor_count;
    uint32_t scalar_count;
    int32_t expected_arg_count;  // out: what the config function says
    char text[PL_MAX_TEXT];      // out: the exception
};

enum class PlCalled : int32_t { RETURNED = 0, TOO_FEW_ARGUMENTS = 1, THROWN = 2 };

#ifdef __cpp_exceptions
#include <exception>
#endif

inline PlCalled pl_enter(PlCall* call) {
    ChipTaskArgs args;
    for (uint32_t i = 0; i < call->tensor_count; ++i) args.add_input(call->tensors[i]);
    args.add_scalars(call->scalars, static_cast<int32_t>(call->scalar_count));
    if (call->config != nullptr) {
        call->expected_arg_count = call->config(args).expected_arg_count;
        int64_t given = int64_t{call->tensor_count} + call->scalar_count;
        if (call->expected_arg_count > given) return PlCalled::TOO_FEW_ARGUMENTS;
    }
    call->entry(args);
    return PlCalled::RETURNED;
}

extern "C" __attribute__((used, visibility("default"))) inline PlCalled pl_orchestration_call(PlCall* call) {
#ifdef __cpp_exceptions
    try {
        return pl_enter(call);
    } catch (const std::exception& exception) {
        snprintf(call->text, sizeof call->text, "%s", exception.what());
    } catch (...) {
        snprintf(call->text, sizeof call->text, "an exception that is no std::exception");
    }
    return PlCalled::THROWN;
#else
    return pl_enter(call);
#endif
}

// ---- Earlier dialects --------------------------------------------------------------------------

#if PTO2_OLD_NAMES
using Tensor = ChipTensor;
using Arg = CoreTaskArgs;
using L0TaskArgs = CoreTaskArgs;
using L2TaskArgs = ChipTaskArgs;
using ChipStorageTaskArgs = ChipTaskArgs;

inline ChipTensor from_tensor_arg(const PlTensorArg& argument) { return argument.ref(); }

#define pto2_rt_submit_task rt_submit_task
#define pto2_rt_submit_aic_task rt_submit_aic_task
#define pto2_rt_submit_aiv_task rt_submit_aiv_task
#endif
