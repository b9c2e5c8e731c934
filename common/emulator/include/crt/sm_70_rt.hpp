/* clang's CUDA headers include this file of the toolkit. cuda_device.h defines the functions that
 * the toolkit has here. */
