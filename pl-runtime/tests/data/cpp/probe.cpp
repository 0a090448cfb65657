#include "intrinsic.h"

// Writes to the element of its block and sub-block: 100 * block + 10 * sub-block + a scalar.
extern "C" __aicore__ void kernel_entry(__gm__ int64_t* args) {
    ChipTensor& y = *reinterpret_cast<ChipTensor*>(args[0]);
    int32_t scalar = from_u64<int32_t>(static_cast<uint64_t>(args[1]));
    if (scalar == 13) y.transpose(0, 9);
    if (scalar == 14) throw 14;
    uint32_t at[2] = {static_cast<uint32_t>(get_block_idx(args)), static_cast<uint32_t>(get_sub_block_id(args))};
    int32_t value = 100 * get_block_idx(args) + 10 * get_sub_block_id(args) + scalar;
    y.data_as<int32_t>()[y.compute_flat_offset(at, 2)] += value + 1000 * get_block_num(args);
}
