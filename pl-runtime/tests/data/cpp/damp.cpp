#include <cstring>

#include "tensor.h"

extern "C" __aicore__ void kernel_entry(__gm__ int64_t* args) {
    const ChipTensor& x = *reinterpret_cast<const ChipTensor*>(args[0]);
    const ChipTensor& y = *reinterpret_cast<const ChipTensor*>(args[1]);
    float factor;
    std::memcpy(&factor, &args[2], sizeof factor);
    for (uint64_t i = 0; i < y.numel(); ++i) {
        y.data_as<float>()[y.start_offset + i] = factor * x.data_as<float>()[x.start_offset + i];
    }
}
