// An object that owns device memory is passed to a kernel by value. The destructor of the copy and
// that of the original both free the memory.
//
// kind: double-free error-ignored
// says: error: cudaFree was called again for allocation 1 (256 bytes)
// says:       freed again   @freed
// says:       freed before   @freed
// says:       One line frees it twice. The destructors of an object and of its copy do that: a
// says+ kernel takes its arguments as copies. Delete the copy constructor, or pass the pointer
// says+ alone.
// says: warning: cudaFree returned cudaErrorInvalidValue (invalid argument), which was not checked
// says:       called here   @freed
// says:       The program did not check this error. CUDA calls return their errors.
// says+ cudaGetLastError() returns the error of a launch.
#include "mistake.h"

template <bool RIGHT> struct Image {
  int *pixels;
  bool owner = true;
  explicit Image(int n) : pixels(device_array<int>(n)) {}
  Image(const Image &other) : pixels(other.pixels), owner(!RIGHT) {}
  ~Image() {
    if (owner)
      cudaFree(pixels); // <- freed
  }
};

template <bool RIGHT> __global__ void clear(Image<RIGHT> image) { image.pixels[threadIdx.x] = 0; }

template <bool RIGHT> void run() {
  Image<RIGHT> image(64);
  clear<<<1, 64>>>(image);
  answer(cudaDeviceSynchronize());
}
BOTH(run)
