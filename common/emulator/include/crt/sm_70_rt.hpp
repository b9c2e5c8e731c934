/* clang's own CUDA headers ask for this file of the toolkit; cuda_device.h holds what it would. */
