/* Asynchronous copies to shared memory, for clang: the C functions of the toolkit's
 * cuda_pipeline.h. */
#ifndef CUDA_PIPELINE_H
#define CUDA_PIPELINE_H

#define CUDA_PIPELINE_HERE static __attribute__((device, nodebug, always_inline, unused)) inline

/* Copies 4, 8 or 16 bytes. The last `zeros` bytes are not read; they are zero in the destination.
 */
CUDA_PIPELINE_HERE void __pipeline_memcpy_async(void *to, const void *from, size_t bytes,
                                                size_t zeros = 0) {
  const unsigned int place = (unsigned int)__cvta_generic_to_shared(to),
                     read = (unsigned int)(bytes - zeros);
  if (bytes == 4)
    __asm__ volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
                     :
                     : "r"(place), "l"(from), "r"(read)
                     : "memory");
  else if (bytes == 8)
    __asm__ volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;"
                     :
                     : "r"(place), "l"(from), "r"(read)
                     : "memory");
  else
    __asm__ volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                     :
                     : "r"(place), "l"(from), "r"(read)
                     : "memory");
}
CUDA_PIPELINE_HERE void __pipeline_commit() {
  __asm__ volatile("cp.async.commit_group;" : : : "memory");
}
#define __pipeline_wait_prior(n) __asm__ volatile("cp.async.wait_group %0;" : : "n"(n) : "memory")

#endif
