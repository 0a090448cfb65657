// The arguments of tasks and entries, and what a submit gives. Part of pto_orchestration_api.h.
#pragma once

constexpr uint32_t CORE_MAX_TENSOR_ARGS = 32;
constexpr uint32_t CORE_MAX_SCALAR_ARGS = 16;
constexpr uint32_t CHIP_MAX_TENSOR_ARGS = 256;
constexpr uint32_t CHIP_MAX_SCALAR_ARGS = 128;

// What stands for a tensor that there is not; every use of it does nothing.
PL_HIDDEN inline const ChipTensor pl_no_tensor;

// The tensors that a call allocated. They are good as long as its scope is open.
class TaskOutputTensors {
public:
    TaskOutputTensors() = default;
    explicit TaskOutputTensors(const PlOutputs& outputs) : outputs_(outputs) {}

    bool empty() const { return outputs_.count == 0; }
    uint32_t size() const { return outputs_.count; }
    const ChipTensor& get_ref(uint32_t index, const char* file = __builtin_FILE(),
                              int line = __builtin_LINE()) const& {
        if (index < outputs_.count) return outputs_.tensors[index];
        pl_misuse(file, line, "get_ref(%u) of a call with %u outputs", index, outputs_.count);
        return pl_no_tensor;
    }
    const ChipTensor& get_ref(uint32_t index) const&& = delete;
    PTO2TaskId task_id() const {
        PTO2TaskId id;
        id.raw = outputs_.task;
        return id;
    }

private:
    PlOutputs outputs_ = {nullptr, UINT64_MAX, 0};
};

// One tensor argument.
struct PlTensorArg {
    const void* pointer;
    TensorArgType tag;

    const ChipTensor& ref() const {
        if (pointer == nullptr || tag == TensorArgType::OUTPUT) return pl_no_tensor;
        return *static_cast<const ChipTensor*>(pointer);
    }
    const TensorCreateInfo* create_info() const {
        return tag == TensorArgType::OUTPUT ? static_cast<const TensorCreateInfo*>(pointer) : nullptr;
    }
};

// On how many cores a task runs.
struct PTO2LaunchSpec {
    void set_block_num(int64_t count) { block_num_ = count; }
    void set_core_num(int64_t count) { block_num_ = count; }
    void set_require_sync_start(bool required) { require_sync_start_ = required; }
    int64_t block_num() const { return block_num_; }
    bool require_sync_start() const { return require_sync_start_; }

private:
    int64_t block_num_ = 1;
    bool require_sync_start_ = false;
};

template <typename T>
constexpr bool pl_is_tensor_lvalue =
    std::is_lvalue_reference<T>::value &&
    std::is_same<typename std::remove_cv<typename std::remove_reference<T>::type>::type, ChipTensor>::value;
template <typename T>
constexpr bool pl_is_info_lvalue =
    std::is_lvalue_reference<T>::value &&
    std::is_same<typename std::remove_cv<typename std::remove_reference<T>::type>::type,
                 TensorCreateInfo>::value;

// Tensors, then scalars. Tensors are kept by address, so they must live until the submit. The first
// mistake is kept, and reported by the submit.
template <uint32_t TENSORS, uint32_t SCALARS>
class PlArgs {
public:
    bool has_error = false;
    const char* error_msg = nullptr;
    PTO2LaunchSpec launch_spec;

    PlArgs() = default;
    PlArgs(const PlArgs&) = delete;
    PlArgs& operator=(const PlArgs&) = delete;

    template <typename... T>
    void add_input(T&&... tensors) {
        static_assert((pl_is_tensor_lvalue<T&&> && ...), "add_input takes ChipTensor variables");
        add(TensorArgType::INPUT, &tensors...);
    }
    template <typename... T>
    void add_inout(T&&... tensors) {
        static_assert((pl_is_tensor_lvalue<T&&> && ...), "add_inout takes ChipTensor variables");
        add(TensorArgType::INOUT, &tensors...);
    }
    template <typename... T>
    void add_no_dep(T&&... tensors) {
        static_assert((pl_is_tensor_lvalue<T&&> && ...), "add_no_dep takes ChipTensor variables");
        add(TensorArgType::NO_DEP, &tensors...);
    }
    template <typename... T>
    void add_output(T&&... tensors) {
        constexpr bool existing = (pl_is_tensor_lvalue<T&&> && ...);
        static_assert(existing || (pl_is_info_lvalue<T&&> && ...),
                      "add_output takes ChipTensor variables, or TensorCreateInfo variables");
        add(existing ? TensorArgType::OUTPUT_EXISTING : TensorArgType::OUTPUT, &tensors...);
    }

    template <typename... T>
    void add_scalar(T... values) {
        const uint64_t each[] = {to_u64(values)...};
        add_scalars(each, static_cast<int32_t>(sizeof...(T)));
    }
    void add_scalars(const uint64_t* values, int32_t count) {
        if (!room_for_scalars(count)) return;
        for (int32_t i = 0; i < count; ++i) scalars_[scalar_count_++] = values[i];
    }
    void add_scalars_i32(const int32_t* values, int32_t count) {
        if (!room_for_scalars(count)) return;
        for (int32_t i = 0; i < count; ++i) scalars_[scalar_count_++] = static_cast<uint32_t>(values[i]);
    }
    template <uint32_t T, uint32_t S>
    void copy_scalars_from(const PlArgs<T, S>& source, int32_t offset, int32_t count) {
        if (offset < 0 || count < 0 || int64_t{offset} + count > int64_t{source.scalar_count()}) {
            return set_error("copy_scalars_from: the source has not so many scalars");
        }
        if (!room_for_scalars(count)) return;
        for (int32_t i = 0; i < count; ++i) {
            scalars_[scalar_count_++] = source.scalar(static_cast<uint32_t>(offset + i));
        }
    }

    // The array is not copied: it must live until the submit.
    void set_dependencies(const PTO2TaskId* ids, uint32_t count) { depend_on(ids, nullptr, count); }
    void set_dependencies_with_kinds(const PTO2TaskId* ids, const PTO2DepKind* kinds, uint32_t count) {
        if (kinds == nullptr && count > 0) return set_error("set_dependencies_with_kinds: the kinds are null");
        depend_on(ids, kinds, count);
    }
    uint32_t explicit_dep_count() const { return dep_count_; }
    PTO2TaskId explicit_dep(uint32_t i) const { return i < dep_count_ ? deps_[i] : PTO2TaskId::invalid(); }
    PTO2DepKind explicit_dep_kind(uint32_t i) const {
        return i < dep_count_ && dep_kinds_ != nullptr ? dep_kinds_[i] : PTO2DepKind::WAIT_RETAIN;
    }
    const PTO2TaskId* explicit_deps_data() const { return deps_; }

    void set_predicate(const CoreTaskPredicate& predicate) { predicate_ = predicate; }
    void set_allow_early_resolve(bool allowed = true) { early_resolve_ = allowed; }
    void set_task_timing_slot(int32_t slot) {
        if (slot < 0 || slot > 15) return set_error("set_task_timing_slot: slots are 0 to 15");
    }
    // Marks arguments for a dump. The runtime here writes none, so that only the names are checked.
    template <typename... T>
    void dump(const T&... arguments) {
        (check_member(&arguments), ...);
    }

    void set_error(const char* message) {
        if (has_error) return;
        has_error = true;
        error_msg = message;
    }
    void clear() {
        tensor_count_ = scalar_count_ = dep_count_ = 0;
        deps_ = nullptr;
        dep_kinds_ = nullptr;
        predicate_ = CoreTaskPredicate{};
        early_resolve_ = false;
    }
    void reset() {
        clear();
        has_error = false;
        error_msg = nullptr;
    }

    uint32_t tensor_count() const { return tensor_count_; }
    uint32_t scalar_count() const { return scalar_count_; }
    TensorArgType tag(uint32_t i) const { return i < tensor_count_ ? tags_[i] : TensorArgType::INPUT; }
    PlTensorArg tensor(uint32_t i, const char* file = __builtin_FILE(), int line = __builtin_LINE()) const {
        if (i < tensor_count_) return PlTensorArg{tensors_[i], tags_[i]};
        pl_misuse(file, line, "tensor argument %u of %u", i, tensor_count_);
        return PlTensorArg{nullptr, TensorArgType::INPUT};
    }
    uint64_t scalar(uint32_t i, const char* file = __builtin_FILE(), int line = __builtin_LINE()) const {
        if (i < scalar_count_) return scalars_[i];
        pl_misuse(file, line, "scalar argument %u of %u", i, scalar_count_);
        return 0;
    }

    // All of it, as the runtime takes it.
    PlTask pl_task() const {
        PlTask task = {};
        task.tensors = tensors_;
        task.tags = tags_;
        task.scalars = scalars_;
        task.deps = deps_;
        task.dep_kinds = dep_kinds_;
        task.predicate = predicate_.op == PredicateOp::NONE ? nullptr : &predicate_;
        task.error = has_error ? error_msg : nullptr;
        task.tensor_count = tensor_count_;
        task.scalar_count = scalar_count_;
        task.dep_count = dep_count_;
        task.block_num = launch_spec.block_num();
        task.sync_start = launch_spec.require_sync_start();
        task.early_resolve = early_resolve_;
        return task;
    }

private:
    template <typename... Pointers>
    void add(TensorArgType tag, Pointers... pointers) {
        if (scalar_count_ > 0) return set_error("a tensor is added after a scalar: tensors come first");
        if (tensor_count_ + sizeof...(Pointers) > TENSORS) return set_error("too many tensors");
        ((tags_[tensor_count_] = tag, tensors_[tensor_count_++] = pointers), ...);
    }
    bool room_for_scalars(int32_t count) {
        if (count < 0) set_error("a negative number of scalars");
        else if (int64_t{scalar_count_} + count > int64_t{SCALARS}) set_error("too many scalars");
        else return true;
        return false;
    }
    void depend_on(const PTO2TaskId* ids, const PTO2DepKind* kinds, uint32_t count) {
        if (ids == nullptr && count > 0) return set_error("set_dependencies: the ids are null");
        if (count > 0 && dep_count_ > 0) return set_error("set_dependencies: there are dependencies already");
        deps_ = ids;
        dep_kinds_ = kinds;
        dep_count_ = count;
    }
    void check_member(const void* argument) {
        for (uint32_t i = 0; i < tensor_count_; ++i) {
            if (tensors_[i] == argument) return;
        }
        set_error("dump: one of the names is no argument of the task");
    }
    // Scalars were copied, so that they are told by their value.
    template <typename T, typename = typename std::enable_if<pl_is_scalar<T>>::type>
    void check_member(const T* value) {
        for (uint32_t i = 0; i < scalar_count_; ++i) {
            if (scalars_[i] == to_u64(*value)) return;
        }
        set_error("dump: one of the names is no argument of the task");
    }

    const void* tensors_[TENSORS];
    TensorArgType tags_[TENSORS];
    uint32_t tensor_count_ = 0;
    uint32_t scalar_count_ = 0;
    uint64_t scalars_[SCALARS];
    const PTO2TaskId* deps_ = nullptr;
    const PTO2DepKind* dep_kinds_ = nullptr;
    uint32_t dep_count_ = 0;
    bool early_resolve_ = false;
    CoreTaskPredicate predicate_;
};

using CoreTaskArgs = PlArgs<CORE_MAX_TENSOR_ARGS, CORE_MAX_SCALAR_ARGS>;
using ChipTaskArgs = PlArgs<CHIP_MAX_TENSOR_ARGS, CHIP_MAX_SCALAR_ARGS>;

// Arguments with room for the ids of up to `N` tasks to wait for; can be submitted again.
template <uint32_t N = 16>
class CoreTaskArgsWithDeps : private CoreTaskArgs {
public:
    using CoreTaskArgs::add_inout;
    using CoreTaskArgs::add_input;
    using CoreTaskArgs::add_no_dep;
    using CoreTaskArgs::add_output;
    using CoreTaskArgs::add_scalar;
    using CoreTaskArgs::add_scalars;
    using CoreTaskArgs::add_scalars_i32;
    using CoreTaskArgs::copy_scalars_from;
    using CoreTaskArgs::error_msg;
    using CoreTaskArgs::has_error;
    using CoreTaskArgs::launch_spec;
    using CoreTaskArgs::scalar_count;
    using CoreTaskArgs::set_allow_early_resolve;
    using CoreTaskArgs::set_error;
    using CoreTaskArgs::set_task_timing_slot;
    using CoreTaskArgs::tensor_count;

    // Waits for the tasks, and keeps what they own.
    template <typename... Ids>
    void add_dep(Ids... ids) {
        (keep(ids, PTO2DepKind::WAIT_RETAIN), ...);
    }
    // Waits for the tasks.
    template <typename... Ids>
    void add_dep_wait(Ids... ids) {
        (keep(ids, PTO2DepKind::WAIT), ...);
    }
    void reset() {
        CoreTaskArgs::reset();
        count_ = 0;
    }
    const CoreTaskArgs& pl_bound() {
        set_dependencies(nullptr, 0);
        if (count_ > 0) set_dependencies_with_kinds(ids_, kinds_, count_);
        return *this;
    }

private:
    void keep(PTO2TaskId id, PTO2DepKind kind) {
        if (count_ == N) return set_error("add_dep: there is no room for more tasks");
        ids_[count_] = id;
        kinds_[count_++] = kind;
    }

    PTO2TaskId ids_[N];
    PTO2DepKind kinds_[N];
    uint32_t count_ = 0;
};
