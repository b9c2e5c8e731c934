/* Empty: clang's CUDA headers include this file of the toolkit, and cuda_device.h defines its
 * functions. */
