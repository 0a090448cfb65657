// Types that orchestration sources and kernels share: element types, tensors, task ids.
//
// Written for `pl-runtime`, from the specification of the device runtime. Plain data with fixed sizes:
// `pl-runtime/src/cpp/abi.rs` has the same structures, and asserts the same sizes and offsets.
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// `std::min` and `std::max`, which generated sources use, without the rest of <algorithm>: hundreds of
// small sources are compiled.
#if defined(__has_include)
#if __has_include(<bits/stl_algobase.h>)
#include <bits/stl_algobase.h>
#define PL_HAS_MIN_MAX
#endif
#endif
#ifndef PL_HAS_MIN_MAX
#include <algorithm>
#endif
#include <type_traits>

#define PL_HIDDEN __attribute__((visibility("hidden")))

// ---- Element types -----------------------------------------------------------------------------

enum class DataType : uint8_t {
    FLOAT32 = 0,
    FLOAT16 = 1,
    INT32 = 2,
    INT16 = 3,
    INT8 = 4,
    UINT8 = 5,
    BFLOAT16 = 6,
    INT64 = 7,
    UINT64 = 8,
    UINT16 = 9,
    UINT32 = 10,
    BOOL = 11,
    FP8E4M3FN = 12,
    FP8E8M0 = 13,
    FP4E2M1 = 14,
};

// Bytes of an element; 0 for a type that there is not.
inline uint64_t get_element_size(DataType dtype) {
    switch (dtype) {
        case DataType::INT64:
        case DataType::UINT64:
            return 8;
        case DataType::FLOAT32:
        case DataType::INT32:
        case DataType::UINT32:
            return 4;
        case DataType::FLOAT16:
        case DataType::BFLOAT16:
        case DataType::INT16:
        case DataType::UINT16:
            return 2;
        case DataType::INT8:
        case DataType::UINT8:
        case DataType::BOOL:
        case DataType::FP8E4M3FN:
        case DataType::FP8E8M0:
        case DataType::FP4E2M1:
            return 1;
    }
    return 0;
}

// Bits as a float, and back.
inline float pl_float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

inline uint32_t pl_bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// Carriers of the 16-bit floats: they keep the exact bits, and convert as IEEE 754 says, to nearest
// and ties to even.
struct half {
    uint16_t bits;

    half() = default;
    explicit half(float value) : bits(round(value)) {}
    static half from_bits(uint16_t bits) {
        half value;
        value.bits = bits;
        return value;
    }
    operator float() const {
        uint32_t sign = static_cast<uint32_t>(bits & 0x8000u) << 16;
        uint32_t exponent = (bits >> 10) & 0x1fu;
        uint32_t fraction = bits & 0x3ffu;
        if (exponent == 0x1f) return pl_float_of(sign | 0x7f800000u | fraction << 13);
        if (exponent != 0) return pl_float_of(sign | (exponent + 112) << 23 | fraction << 13);
        float magnitude = static_cast<float>(fraction) * 5.9604644775390625e-8f;  // 2^-24
        return sign != 0 ? -magnitude : magnitude;
    }

private:
    static uint16_t round(float value) {
        uint32_t given = pl_bits_of(value);
        uint32_t sign = given >> 16 & 0x8000u;
        uint32_t magnitude = given & 0x7fffffffu;
        if (magnitude > 0x7f800000u) return static_cast<uint16_t>(sign | 0x7e00u | (magnitude >> 13 & 0x3ffu));
        if (magnitude >= 0x477ff000u) return static_cast<uint16_t>(sign | 0x7c00u);
        if (magnitude < 0x38800000u) {
            // Below the normal numbers: the sum has the rounded fraction in its last bits.
            float sum = pl_float_of(magnitude) + 0.5f;
            return static_cast<uint16_t>(sign | (pl_bits_of(sum) - 0x3f000000u));
        }
        uint32_t rounded = magnitude + 0xfffu + (magnitude >> 13 & 1u);
        return static_cast<uint16_t>(sign | ((rounded - 0x38000000u) >> 13));
    }
};

struct bfloat16_t {
    uint16_t bits;

    bfloat16_t() = default;
    explicit bfloat16_t(float value) : bits(round(value)) {}
    static bfloat16_t from_bits(uint16_t bits) {
        bfloat16_t value;
        value.bits = bits;
        return value;
    }
    operator float() const { return pl_float_of(static_cast<uint32_t>(bits) << 16); }

private:
    static uint16_t round(float value) {
        uint32_t given = pl_bits_of(value);
        if ((given & 0x7fffffffu) > 0x7f800000u) return static_cast<uint16_t>(given >> 16 | 0x40u);
        return static_cast<uint16_t>((given + 0x7fffu + (given >> 16 & 1u)) >> 16);
    }
};

template <typename T>
constexpr bool pl_is_scalar = std::is_arithmetic<T>::value || std::is_enum<T>::value ||
                              std::is_same<T, half>::value || std::is_same<T, bfloat16_t>::value;

// The bits of a scalar, zero-extended, and back.
template <typename T>
inline uint64_t to_u64(T value) {
    static_assert(pl_is_scalar<T> && sizeof(T) <= sizeof(uint64_t), "numbers and enums are scalars");
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    return bits;
}

template <typename T>
inline T from_u64(uint64_t bits) {
    static_assert(pl_is_scalar<T> && sizeof(T) <= sizeof(uint64_t), "numbers and enums are scalars");
    T value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// ---- Task ids ----------------------------------------------------------------------------------

struct PTO2TaskId {
    uint64_t raw = UINT64_MAX;

    bool is_valid() const { return raw != UINT64_MAX; }
    uint8_t ring() const { return static_cast<uint8_t>(raw >> 32); }
    uint32_t local() const { return static_cast<uint32_t>(raw); }
    static PTO2TaskId invalid() { return PTO2TaskId{}; }
    static PTO2TaskId make(uint8_t ring, uint32_t local) {
        PTO2TaskId id;
        id.raw = static_cast<uint64_t>(ring) << 32 | local;
        return id;
    }
};
static_assert(sizeof(PTO2TaskId) == 8, "as in abi.rs");

inline bool operator==(PTO2TaskId a, PTO2TaskId b) { return a.raw == b.raw; }
inline bool operator!=(PTO2TaskId a, PTO2TaskId b) { return a.raw != b.raw; }

// ---- Mistakes ----------------------------------------------------------------------------------

// Ends the run with code 5 (in a kernel: fails the task), unless it has failed before. Nothing is
// aborted: what was wrong gives something inert, and every call after it does nothing.
PL_HIDDEN void pl_misuse(const char* file, int line, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

// ---- Tensors -----------------------------------------------------------------------------------

enum class AddressSpace : uint8_t { HOST = 0, DEVICE = 1 };

constexpr uint32_t MAX_TENSOR_DIMS = 5;

struct PTOBufferHandle {
    uint64_t addr = 0;
    uint64_t size = 0;  // bytes
};

// A tensor: which elements of which buffer. Plain data; the runtime looks up what it names each time
// that it is used, so that one that was kept too long, or made up, is an error.
struct alignas(64) ChipTensor {
    PTOBufferHandle buffer;
    PTO2TaskId owner_task_id;
    uint64_t start_offset = 0;  // elements
    int32_t version = 0;
    uint32_t ndims = 1;
    DataType dtype = DataType::FLOAT32;
    bool manual_dep = false;
    bool is_contiguous = true;
    AddressSpace address_space = AddressSpace::HOST;
    uint32_t shapes[MAX_TENSOR_DIMS] = {1, 1, 1, 1, 1};
    uint64_t extent_elem_cache = 0;
    uint32_t strides[MAX_TENSOR_DIMS] = {1, 1, 1, 1, 1};  // elements
    uint32_t pl_reserved[9] = {};

    uint64_t numel() const {
        uint64_t count = 1;
        for (uint32_t i = 0; i < rank(); ++i) count *= shapes[i];
        return count;
    }
    uint64_t nbytes() const { return numel() * get_element_size(dtype); }
    uint64_t extent_elem() const {
        uint64_t extent = 1;
        for (uint32_t i = 0; i < rank(); ++i) {
            if (shapes[i] == 0) return 0;
            extent += static_cast<uint64_t>(shapes[i] - 1) * strides[i];
        }
        return extent;
    }
    bool is_device_memory() const { return address_space == AddressSpace::DEVICE; }
    template <typename T>
    T* data_as() const {
        return reinterpret_cast<T*>(static_cast<uintptr_t>(buffer.addr));
    }
    uint64_t compute_flat_offset(const uint32_t* indices, uint32_t count) const {
        uint64_t offset = start_offset;
        for (uint32_t i = 0; i < count && i < MAX_TENSOR_DIMS; ++i) {
            offset += static_cast<uint64_t>(indices[i]) * strides[i];
        }
        return offset;
    }
    void dump() const {
        printf("ChipTensor(addr 0x%llx, %llu bytes, offset %llu, dtype %d, shape [",
               static_cast<unsigned long long>(buffer.addr), static_cast<unsigned long long>(buffer.size),
               static_cast<unsigned long long>(start_offset), static_cast<int>(dtype));
        for (uint32_t i = 0; i < rank(); ++i) printf(i == 0 ? "%u" : ", %u", shapes[i]);
        printf("])\n");
    }

    // The part of `shape` elements from `offsets`, one of each for each dimension.
    ChipTensor view(const uint32_t* shape, const uint32_t* offsets, bool manual = false,
                    const char* file = __builtin_FILE(), int line = __builtin_LINE()) const {
        ChipTensor part = derived(manual);
        bool empty = false;
        for (uint32_t i = 0; i < rank(); ++i) {
            part.shapes[i] = shape[i];
            empty = empty || shape[i] == 0;
        }
        if (empty) return part.laid_out();
        for (uint32_t i = 0; i < rank(); ++i) {
            if (static_cast<uint64_t>(offsets[i]) + shape[i] > shapes[i]) {
                pl_misuse(file, line,
                          "view: %u elements from %u are not inside dimension %u, which has %u", shape[i],
                          offsets[i], i, shapes[i]);
                return ChipTensor{};
            }
            part.start_offset += static_cast<uint64_t>(offsets[i]) * strides[i];
        }
        return part.laid_out();
    }

    // Every `step`-th index of dimension `dim` from `start`, below `end`.
    ChipTensor slice(uint32_t dim, uint32_t start, uint32_t end, uint32_t step = 1, bool manual = false,
                     const char* file = __builtin_FILE(), int line = __builtin_LINE()) const {
        if (dim >= rank() || step == 0 || start >= end || end > shapes[dim]) {
            pl_misuse(file, line, "slice: %u..%u with step %u is no part of dimension %u, which has %u",
                      start, end, step, dim, dim < rank() ? shapes[dim] : 0);
            return ChipTensor{};
        }
        uint64_t stride = static_cast<uint64_t>(strides[dim]) * step;
        if (stride > UINT32_MAX) {
            pl_misuse(file, line, "slice: the stride %llu does not fit in 32 bits",
                      static_cast<unsigned long long>(stride));
            return ChipTensor{};
        }
        ChipTensor part = derived(manual);
        part.start_offset += static_cast<uint64_t>(start) * strides[dim];
        part.shapes[dim] = (end - start - 1) / step + 1;
        part.strides[dim] = static_cast<uint32_t>(stride);
        return part.laid_out();
    }

    ChipTensor transpose(uint32_t x, uint32_t y, bool manual = false, const char* file = __builtin_FILE(),
                         int line = __builtin_LINE()) const {
        uint32_t order[MAX_TENSOR_DIMS] = {0, 1, 2, 3, 4};
        if (x >= rank() || y >= rank()) {
            pl_misuse(file, line, "transpose: dimensions %u and %u of a tensor of %u dimensions", x, y,
                      ndims);
            return ChipTensor{};
        }
        order[x] = y;
        order[y] = x;
        return permute(order, manual, file, line);
    }

    ChipTensor permute(const uint32_t* order, bool manual = false, const char* file = __builtin_FILE(),
                       int line = __builtin_LINE()) const {
        ChipTensor part = derived(manual);
        uint32_t seen = 0;
        for (uint32_t i = 0; i < rank(); ++i) {
            if (order[i] >= rank() || (seen >> order[i] & 1u) != 0) {
                pl_misuse(file, line, "permute: the order names dimension %u of %u twice, or it does not exist",
                          order[i], ndims);
                return ChipTensor{};
            }
            seen |= 1u << order[i];
            part.shapes[i] = shapes[order[i]];
            part.strides[i] = strides[order[i]];
        }
        return part.laid_out();
    }

    // The same elements, row by row, with another shape.
    ChipTensor reshape(const uint32_t* shape, uint32_t count, bool manual = false,
                       const char* file = __builtin_FILE(), int line = __builtin_LINE()) const {
        ChipTensor part = derived(manual);
        if (count < 1 || count > MAX_TENSOR_DIMS) {
            pl_misuse(file, line, "reshape: a tensor has 1 to 5 dimensions, not %u", count);
            return ChipTensor{};
        }
        part.ndims = count;
        part.make_rows(shape);
        if (part.numel() != numel()) {
            pl_misuse(file, line, "reshape: %llu elements, where the tensor has %llu",
                      static_cast<unsigned long long>(part.numel()), static_cast<unsigned long long>(numel()));
            return ChipTensor{};
        }
        if (!has_no_gaps()) {
            pl_misuse(file, line, "reshape: the tensor is a view with gaps");
            return ChipTensor{};
        }
        return part;
    }

    // Takes the shape, row-major.
    void make_rows(const uint32_t* shape) {
        uint64_t stride = 1;
        for (uint32_t i = rank(); i-- > 0;) {
            shapes[i] = shape[i];
            strides[i] = static_cast<uint32_t>(stride);
            stride *= shape[i] == 0 ? 1 : shape[i];
        }
        is_contiguous = true;
        extent_elem_cache = extent_elem();
    }

    // The number of dimensions, whatever `ndims` was set to.
    uint32_t rank() const { return ndims < MAX_TENSOR_DIMS ? ndims : MAX_TENSOR_DIMS; }

    ChipTensor laid_out() const {
        ChipTensor part = *this;
        part.is_contiguous = has_no_gaps();
        part.extent_elem_cache = extent_elem();
        return part;
    }

private:
    ChipTensor derived(bool manual) const {
        ChipTensor part = *this;
        part.manual_dep = manual;
        return part;
    }
    bool has_no_gaps() const {
        uint64_t expected = 1;
        bool gaps = false;
        for (uint32_t i = rank(); i-- > 0;) {
            if (shapes[i] == 0) return true;
            gaps = gaps || (shapes[i] > 1 && strides[i] != expected);
            expected *= shapes[i];
        }
        return !gaps;
    }
};

static_assert(sizeof(ChipTensor) == 128 && alignof(ChipTensor) == 64, "as in abi.rs");
static_assert(offsetof(ChipTensor, owner_task_id) == 16 && offsetof(ChipTensor, start_offset) == 24 &&
                  offsetof(ChipTensor, version) == 32 && offsetof(ChipTensor, ndims) == 36 &&
                  offsetof(ChipTensor, dtype) == 40 && offsetof(ChipTensor, manual_dep) == 41 &&
                  offsetof(ChipTensor, is_contiguous) == 42 && offsetof(ChipTensor, address_space) == 43 &&
                  offsetof(ChipTensor, shapes) == 44 && offsetof(ChipTensor, extent_elem_cache) == 64 &&
                  offsetof(ChipTensor, strides) == 72 && offsetof(ChipTensor, pl_reserved) == 92,
              "as in abi.rs");

// A tensor in memory that the caller names: it must lie in an argument of the entry.
inline ChipTensor make_tensor_strided(const void* address, const uint32_t* shapes, const uint32_t* strides,
                                      uint32_t ndims, DataType dtype = DataType::FLOAT32,
                                      bool manual_dep = false, int32_t version = 0,
                                      AddressSpace space = AddressSpace::HOST,
                                      const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    if (ndims < 1 || ndims > MAX_TENSOR_DIMS) {
        pl_misuse(file, line, "a tensor has 1 to 5 dimensions, not %u", ndims);
        return ChipTensor{};
    }
    ChipTensor tensor;
    tensor.buffer.addr = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(address));
    tensor.ndims = ndims;
    tensor.dtype = dtype;
    tensor.manual_dep = manual_dep;
    tensor.version = version;
    tensor.address_space = space;
    for (uint32_t i = 0; i < ndims; ++i) {
        tensor.shapes[i] = shapes[i];
        tensor.strides[i] = strides[i];
    }
    tensor = tensor.laid_out();
    tensor.buffer.size = tensor.extent_elem() * get_element_size(dtype);
    return tensor;
}

inline ChipTensor make_tensor_external(const void* address, const uint32_t* shapes, uint32_t ndims,
                                       DataType dtype = DataType::FLOAT32, bool manual_dep = false,
                                       int32_t version = 0, AddressSpace space = AddressSpace::HOST,
                                       const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    ChipTensor rows;
    rows.ndims = ndims;
    if (ndims >= 1 && ndims <= MAX_TENSOR_DIMS) rows.make_rows(shapes);
    return make_tensor_strided(address, shapes, rows.strides, ndims, dtype, manual_dep, version, space, file,
                               line);
}

// A tensor to allocate.
struct TensorCreateInfo {
    uint64_t initial_value = 0;  // bits of an element
    uint32_t ndims = 0;
    uint32_t shapes[MAX_TENSOR_DIMS] = {};
    DataType dtype = DataType::FLOAT32;
    bool manual_dep = false;
    bool has_initial_value = false;
    uint8_t pl_reserved[29] = {};

    TensorCreateInfo() = default;
    // A number of dimensions that there is not is reported where the tensor is allocated.
    TensorCreateInfo(const uint32_t* dims, uint32_t count, DataType type = DataType::FLOAT32,
                     bool manual = false)
        : ndims(count), dtype(type), manual_dep(manual) {
        for (uint32_t i = 0; i < count && i < MAX_TENSOR_DIMS; ++i) shapes[i] = dims[i];
    }

    // The bits of `value`, of which each element takes as many as it has.
    template <typename T>
    void set_initial_value(T value) {
        initial_value = to_u64(value);
        has_initial_value = true;
    }
    uint64_t buffer_size_bytes() const {
        uint64_t bytes = get_element_size(dtype);
        for (uint32_t i = 0; i < ndims && i < MAX_TENSOR_DIMS; ++i) bytes *= shapes[i];
        return bytes;
    }
    void copy(const TensorCreateInfo& other) { *this = other; }
};

static_assert(sizeof(TensorCreateInfo) == 64 && offsetof(TensorCreateInfo, ndims) == 8 &&
                  offsetof(TensorCreateInfo, shapes) == 12 && offsetof(TensorCreateInfo, dtype) == 32 &&
                  offsetof(TensorCreateInfo, manual_dep) == 33 &&
                  offsetof(TensorCreateInfo, has_initial_value) == 34,
              "as in abi.rs");
