#include "tensor.h"

extern "C" __aicore__ void kernel_entry(__gm__ int64_t* args) {
    const ChipTensor& a = *reinterpret_cast<const ChipTensor*>(args[0]);
    const ChipTensor& b = *reinterpret_cast<const ChipTensor*>(args[1]);
    const ChipTensor& y = *reinterpret_cast<const ChipTensor*>(args[2]);
    for (uint64_t i = 0; i < y.numel(); ++i) {
        y.data_as<float>()[y.start_offset + i] =
            a.data_as<float>()[a.start_offset + i] + b.data_as<float>()[b.start_offset + i];
    }
}
