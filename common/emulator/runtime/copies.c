/* Implements cudaMemcpy, cudaMemset and related functions.
 *
 * The source and the destination of a copy are resolved to an allocation or to ordinary host
 * memory. Then the copy is checked: its direction must match the pointers, and it must not exceed
 * the allocations. A GPU does not detect some copies past the end of an allocation, because it
 * allocates memory in larger units; the emulated device reports all such copies. */
#include "runtime.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct Side {
  /* NULL: ordinary host memory. */
  Allocation *memory;
  uint64_t address;
  /* The address at which the emulator accesses the bytes. */
  uint8_t *bytes;
} Side;

static bool resolve(Side *side, const void *pointer) {
  side->address = runtime_address(pointer);
  side->memory = memory_find(side->address);
  side->bytes = (uint8_t *)(uintptr_t)pointer;
  if (side->memory)
    side->bytes = side->memory->view + (side->address - side->memory->address);
  return side->memory || !memory_is_device(side->address);
}

static bool host_may_touch(const Side *side) {
  return !side->memory || side->memory->registered || side->memory->kind == MEMORY_MANAGED ||
         side->memory->kind == MEMORY_PINNED;
}

static bool fits(const Side *side, size_t bytes) {
  return !side->memory ||
         bytes <= side->memory->bytes - (size_t)(side->address - side->memory->address);
}

/* Returns the number of bytes from the first byte of the first row to the end of the last row;
 * SIZE_MAX on overflow. */
static size_t span_of(size_t pitch, size_t width, size_t rows) {
  size_t bytes;
  return __builtin_mul_overflow(rows - 1, pitch, &bytes) ||
                 __builtin_add_overflow(bytes, width, &bytes)
             ? SIZE_MAX
             : bytes;
}

/* ---- reports --------------------------------------------------------------------------------- */
static cudaError_t wrong_pointer(const char *role, const void *pointer) {
  char what[120];
  runtime_describe(pointer, what, sizeof what);
  const Allocation *near = memory_nearest(runtime_address(pointer));
  bool freed = pointer && near && !near->live;
  Report report = report_make(freed ? REPORT_USE_AFTER_FREE : REPORT_BAD_COPY);
  snprintf(report.sentence, sizeof report.sentence, "the copy's %s is %s", role, what);
  if (!freed) {
    report_file(&report);
    return cudaErrorInvalidValue;
  }
  CallSite here;
  call_site(&here);
  report.cause = "The buffer was freed before this copy.";
  strcpy(report.at.did, "copied here");
  strcpy(report.other.did, "freed before");
  report_file_from(&report, &here, near->freed);
  return cudaErrorInvalidValue;
}

static cudaError_t wrong_direction(const char *role, const Side *side, const void *pointer,
                                   enum cudaMemcpyKind kind) {
  static const char *const names[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                      "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice",
                                      "cudaMemcpyDefault"};
  char what[120];
  runtime_describe(pointer, what, sizeof what);
  Report report = report_make(REPORT_BAD_COPY);
  snprintf(report.sentence, sizeof report.sentence, "%s, but the copy's %s is %s%s", names[kind],
           role, what, side->memory ? ", device memory" : "");
  report.cause = "The arguments of a copy are its destination, its source, the bytes, and the "
                 "direction that fits these two.";
  const RuntimeVariable *variable = runtime_variable_at(pointer);
  if (variable) {
    snprintf(report.sentence, sizeof report.sentence,
             "the copy's %s is the name of the variable %s", role, variable->name);
    report.cause = "In host code, the name of a __device__ or __constant__ variable is no address "
                   "on the device. Use cudaMemcpyToSymbol or cudaMemcpyFromSymbol.";
  }
  report_file(&report);
  return cudaErrorInvalidValue;
}

/* Returns the probable cause if a copy of `bytes` bytes is longer than its buffer of `room` bytes;
 * NULL: the cause is unknown. */
static const char *cause_of_length(size_t bytes, size_t room) {
  if (bytes > PTRDIFF_MAX)
    return "A product of ints that grows past 2147483647 continues at -2147483648. Compute sizes "
           "in "
           "size_t.";
  if (bytes == sizeof(void *) && room < bytes)
    return "8 bytes are the size of a pointer, and of a double. The sizeof of a pointer is not the "
           "size of what it points to.";
  if (bytes / sizeof(float) == room || bytes / sizeof(double) == room)
    return "The allocation has as many bytes as the copy has elements. It counts bytes, so "
           "multiply "
           "by sizeof.";
  return NULL;
}

/* Reports a copy that is longer than its buffer. `cause`: the cause; NULL: use cause_of_length. */
static cudaError_t too_long(const char *role, const Side *side, size_t bytes, const char *cause) {
  const Allocation *memory = side->memory;
  char name[80];
  size_t start = (size_t)(side->address - memory->address);
  runtime_buffer_name(memory, name, sizeof name);
  if (start) {
    report_host(REPORT_BAD_COPY,
                "the copy's %s is %s from byte %zu: %zu bytes are left there, %zu were asked for",
                role, name, start, memory->bytes - start, bytes);
    return cudaErrorInvalidValue;
  }
  Report report = report_make(REPORT_BAD_COPY);
  report.bytes = bytes;
  report.bytes_there = memory->bytes;
  snprintf(report.sentence, sizeof report.sentence,
           "the copy's %s is %s: %zu bytes are there, %zu were asked for", role, name,
           memory->bytes, bytes);
  report.cause = cause ? cause : cause_of_length(bytes, memory->bytes);
  CallSite here;
  call_site(&here);
  strcpy(report.at.did, "copied here");
  strcpy(report.other.did, "allocated here");
  report_file_from(&report, &here, memory->made);
  return cudaErrorInvalidValue;
}

/* Reports a copy to the host of bytes that no kernel and no copy has written. Short gaps are
 * ignored, because they may be the padding of a structure. Reports nothing after a failed call.
 * Also reports nothing if a kernel writes to the buffer at addresses that depend on data, for
 * example to compact an array, because the program itself keeps track of the valid part of such a
 * buffer. */
static void look_for_unwritten(const Side *from, size_t pitch, size_t width, size_t rows) {
  enum { PADDING = 15 };
  char name[80];
  size_t sum = 0;
  uint64_t first = 0, start = from->memory->address;
  for (size_t row = 0; row < rows; row++) {
    uint64_t here;
    size_t more = memory_undefined(from->memory, from->address + row * pitch, width,
                                   width > PADDING ? PADDING + 1 : width, &here);
    first = sum || !more ? first : here;
    sum += more;
  }
  if (!sum || from->memory->kind == MEMORY_MANAGED || from->memory->gaps_expected ||
      runtime_any_failure() || !machine_settings()->checks)
    return;
  from->memory->gaps_expected = true;
  Report report = report_make(REPORT_UNWRITTEN_COPY);
  report.bytes = width * rows;
  snprintf(
      report.sentence, sizeof report.sentence,
      "nothing wrote %zu of the %zu bytes that a copy brings to the host: %s, from byte %" PRIu64
      " on",
      sum, width * rows, runtime_buffer_name(from->memory, name, sizeof name), first - start);
  report_file(&report);
}

/* ---- one copy of rows ------------------------------------------------------------------------ */
static cudaError_t check_directions(const Side *to, const Side *from, const void *to_pointer,
                                    const void *from_pointer, enum cudaMemcpyKind kind) {
  bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if ((unsigned)kind > cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  if (kind == cudaMemcpyDefault)
    return cudaSuccess;
  if (to_device ? !to->memory : !host_may_touch(to))
    return wrong_direction("destination", to, to_pointer, kind);
  if (from_device ? !from->memory : !host_may_touch(from))
    return wrong_direction("source", from, from_pointer, kind);
  return cudaSuccess;
}

static void move(const Side *to, const Side *from, size_t bytes) {
  memmove(to->bytes, from->bytes, bytes);
  if (!to->memory)
    return;
  if (from->memory)
    memory_see_host(from->memory);
  if (from->memory)
    memory_define_like(to->memory, to->address, from->memory, from->address, bytes);
  else
    memory_define(to->memory, to->address, bytes);
}

/* Returns the log entry of one copied row. Must be called after the copy, because it hashes the
 * bytes. */
static Stretch stretch_between(const Side *host, const Side *device, size_t bytes) {
  return copies_stretch(host->address, device->address, host->bytes, bytes);
}

static bool is_host(const Side *side) {
  return !side->memory || side->memory->kind == MEMORY_PINNED;
}

/* Logs a copy between host and device. All rows together are logged as one range. If both pitches
 * exceed the width, the copied rows are parts of longer rows, so each row is also logged
 * separately. */
static void note_copy(Side to, size_t to_pitch, Side from, size_t from_pitch, size_t width,
                      size_t rows) {
  bool to_host = is_host(&to), tile = rows > 1 && to_pitch > width && from_pitch > width;
  Side *host = to_host ? &to : &from, *device = to_host ? &from : &to;
  if (!log_wanted() || is_host(&from) == to_host)
    return;
  Stretch all = {.bytes = 0};
  for (size_t row = 0; row < rows; row++) {
    Stretch one = stretch_between(host, device, width);
    if (tile)
      copies_add(to_host, one);
    all = row ? copies_join(all, one) : one;
    to.address += to_pitch, to.bytes += to_pitch;
    from.address += from_pitch, from.bytes += from_pitch;
  }
  copies_add(to_host, tile ? copies_alone(all) : all);
}

/* Logs only the number of bytes of a copy. Used with LOCKSTEP_PRETEND. */
static cudaError_t pretend(const Side *to, const Side *from, size_t bytes) {
  if (is_host(to) != is_host(from))
    copies_add(is_host(to), (Stretch){.bytes = bytes});
  return cudaSuccess;
}

/* Records an access of a copy for the detection of races between streams. If the copy is queued,
 * also marks the bytes as unsettled or in use, so that an access by the host before it has waited
 * is detected. */
static void note_touch(const Side *side, TouchWay way, size_t bytes) {
  Allocation *a = side->memory;
  if (!a)
    return;
  const uint64_t from = side->address - a->address;
  stream_races_touch(a, way, side->address, bytes);
  if (order_queueing() && way == TOUCH_WRITE)
    memory_unsettle(a, from, from + bytes);
  else if (order_queueing())
    memory_use(a, from, from + bytes);
}

/* Reports a copy whose two pitches are swapped: `side` was allocated by cudaMallocPitch, and the
 * call passes its pitch for the other side of the copy. */
static void look_for_pitches(const Side *side, size_t pitch, size_t other_pitch) {
  const Allocation *a = side->memory;
  if (!a || !a->pitch || pitch == a->pitch || other_pitch != a->pitch)
    return;
  char name[80];
  Report r = report_make(REPORT_PITCH);
  CallSite here;
  call_site(&here);
  snprintf(r.sentence, sizeof r.sentence,
           "the two pitches of the copy are exchanged: the rows of %s begin every %zu bytes, and "
           "the copy takes %zu",
           runtime_buffer_name(a, name, sizeof name), a->pitch, pitch);
  strcpy(r.at.did, "copied here");
  strcpy(r.other.did, "allocated here");
  report_file_from(&r, &here, a->made);
}

/* All arguments are checked before the first byte is copied. */
cudaError_t runtime_copy_rows(void *to_pointer, size_t to_pitch, const void *from_pointer,
                              size_t from_pitch, size_t width, size_t rows,
                              enum cudaMemcpyKind kind) {
  Side to, from;
  if (width == 0 || rows == 0)
    return cudaSuccess;
  if (rows > 1 && (width > to_pitch || width > from_pitch))
    return cudaErrorInvalidPitchValue;
  if (!to_pointer || !resolve(&to, to_pointer))
    return wrong_pointer("destination", to_pointer);
  if (!from_pointer || !resolve(&from, from_pointer))
    return wrong_pointer("source", from_pointer);
  cudaError_t error = check_directions(&to, &from, to_pointer, from_pointer, kind);
  if (error)
    return error;
  size_t to_bytes = span_of(to_pitch, width, rows), from_bytes = span_of(from_pitch, width, rows);
  if (rows > 1) {
    look_for_pitches(&to, to_pitch, from_pitch);
    look_for_pitches(&from, from_pitch, to_pitch);
  }
  if (!fits(&to, to_bytes))
    return too_long("destination", &to, to_bytes, NULL);
  if (!fits(&from, from_bytes))
    return too_long("source", &from, from_bytes, NULL);
  if (machine_settings()->pretend)
    return pretend(&to, &from, width * rows);
  if (from.memory && host_may_touch(&to))
    look_for_unwritten(&from, from_pitch, width, rows);
  const Side first_to = to, first_from = from;
  runtime_shared_memory_open();
  for (size_t row = 0; row < rows; row++) {
    move(&to, &from, width);
    note_touch(&to, TOUCH_WRITE, width);
    note_touch(&from, TOUCH_READ, width);
    to.address += to_pitch, to.bytes += to_pitch;
    from.address += from_pitch, from.bytes += from_pitch;
  }
  if (!first_to.memory && first_from.memory)
    /* A copy to ordinary host memory has finished when the call returns. This is so on a GPU
     * too. */
    order_returns_late();
  note_copy(first_to, to_pitch, first_from, from_pitch, width, rows);
  if (rows > 1 && first_to.memory && !first_to.memory->all_defined)
    memory_copied_here(first_to.memory,
                       (CopiedRows){.at = (size_t)(first_to.address - first_to.memory->address),
                                    .pitch = to_pitch,
                                    .width = width,
                                    .rows = rows});
  return cudaSuccess;
}

cudaError_t runtime_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
  return runtime_copy_rows(to, bytes, from, bytes, bytes, 1, kind);
}

/* Returns false for a copy within the device, because the host does not wait for such a copy. */
static bool host_waits(enum cudaMemcpyKind kind) { return kind != cudaMemcpyDeviceToDevice; }

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
  RUNTIME_WAITING(runtime_copy(to, from, bytes, kind), host_waits(kind));
}
RUNTIME_ALIAS(cudaMemcpy, _ptds);

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
  RUNTIME_CAPTURED(stream, capture_copy(stream, to, bytes, from, bytes, bytes, 1, kind),
                   runtime_copy(to, from, bytes, kind));
}
RUNTIME_ALIAS(cudaMemcpyAsync, _ptsz);

static bool both_zero(int a, int b) { return a == 0 && b == 0; }

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device,
                           size_t bytes) {
  RUNTIME_WAITING(both_zero(to_device, from_device)
                      ? runtime_copy(to, from, bytes, cudaMemcpyDeviceToDevice)
                      : cudaErrorInvalidDevice,
                  false);
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t bytes, cudaStream_t stream) {
  RUNTIME_STREAM(stream, both_zero(to_device, from_device)
                             ? runtime_copy(to, from, bytes, cudaMemcpyDeviceToDevice)
                             : cudaErrorInvalidDevice);
}

/* ---- two and three dimensions ---------------------------------------------------------------- */
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t rows, enum cudaMemcpyKind kind) {
  RUNTIME_WAITING(runtime_copy_rows(to, to_pitch, from, from_pitch, width, rows, kind),
                  host_waits(kind));
}
RUNTIME_ALIAS(cudaMemcpy2D, _ptds);

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t rows, enum cudaMemcpyKind kind,
                              cudaStream_t stream) {
  RUNTIME_CAPTURED(stream, capture_copy(stream, to, to_pitch, from, from_pitch, width, rows, kind),
                   runtime_copy_rows(to, to_pitch, from, from_pitch, width, rows, kind));
}
RUNTIME_ALIAS(cudaMemcpy2DAsync, _ptsz);

/* The source or destination of a 3-D copy: pitched memory or an array. If it is an array, positions
 * and extents are in elements instead of bytes. */
typedef struct Box {
  const struct cudaArray *array;
  const struct cudaPitchedPtr *memory;
  struct cudaPos at;
  size_t pitch;
} Box;

static size_t element_of(const struct cudaMemcpy3DParms *p) {
  const struct cudaArray *a = p->srcArray ? p->srcArray : p->dstArray;
  return a ? runtime_array_pitch(a) / a->extent.width : 1;
}

static bool open_box(Box *box, const struct cudaArray *array, const struct cudaPitchedPtr *memory,
                     struct cudaPos at, struct cudaExtent extent, size_t element) {
  *box = (Box){array, memory, at, array ? runtime_array_pitch(array) : memory->pitch};
  if (!array)
    return true;
  box->at.x *= element;
  size_t height = array->extent.height ? array->extent.height : 1;
  size_t depth = array->extent.depth ? array->extent.depth : 1;
  return runtime_array_pitch(array) / array->extent.width == element &&
         at.x + extent.width <= array->extent.width && at.y + extent.height <= height &&
         at.z + extent.depth <= depth;
}

static void *corner(const Box *b, size_t plane) {
  if (b->array)
    return runtime_array_place(b->array, b->at.x, b->at.y, b->at.z + plane);
  return (uint8_t *)b->memory->ptr + (b->at.z + plane) * b->memory->ysize * b->pitch +
         b->at.y * b->pitch + b->at.x;
}

cudaError_t runtime_planes(const struct cudaMemcpy3DParms *p, PlaneWork *work, void *data) {
  Box to, from;
  if (!p || (p->srcArray && p->srcPtr.ptr) || (p->dstArray && p->dstPtr.ptr))
    return cudaErrorInvalidValue;
  size_t element = element_of(p);
  if (!open_box(&to, p->dstArray, &p->dstPtr, p->dstPos, p->extent, element) ||
      !open_box(&from, p->srcArray, &p->srcPtr, p->srcPos, p->extent, element))
    return cudaErrorInvalidValue;
  for (size_t z = 0; z < p->extent.depth; z++) {
    cudaError_t error = work(corner(&to, z), to.pitch, corner(&from, z), from.pitch,
                             p->extent.width * element, p->extent.height, p->kind, data);
    if (error)
      return error;
  }
  return cudaSuccess;
}

static cudaError_t copy_plane(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t rows, enum cudaMemcpyKind kind, void *nothing) {
  (void)nothing;
  return runtime_copy_rows(to, to_pitch, from, from_pitch, width, rows, kind);
}

cudaError_t runtime_copy_3d(const struct cudaMemcpy3DParms *p) {
  return runtime_planes(p, copy_plane, NULL);
}

struct cudaMemcpy3DParms runtime_rows(void *to, size_t to_pitch, const void *from,
                                      size_t from_pitch, size_t width, size_t rows,
                                      enum cudaMemcpyKind kind) {
  void *source = (void *)(uintptr_t)from;
  return (struct cudaMemcpy3DParms){.srcPtr = make_cudaPitchedPtr(source, from_pitch, width, rows),
                                    .dstPtr = make_cudaPitchedPtr(to, to_pitch, width, rows),
                                    .extent = make_cudaExtent(width, rows, 1),
                                    .kind = kind};
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *parameters) {
  RUNTIME_WAITING(runtime_copy_3d(parameters), !parameters || host_waits(parameters->kind));
}
RUNTIME_ALIAS(cudaMemcpy3D, _ptds);

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *parameters, cudaStream_t stream) {
  RUNTIME_CAPTURED(stream, capture_copy_3d(stream, parameters), runtime_copy_3d(parameters));
}
RUNTIME_ALIAS(cudaMemcpy3DAsync, _ptsz);

/* Converts the parameters of a copy between two devices to those of a copy within one device,
 * because there is only one device. */
static struct cudaMemcpy3DParms peer_3d(const struct cudaMemcpy3DPeerParms *p) {
  return (struct cudaMemcpy3DParms){.srcArray = p->srcArray,
                                    .srcPos = p->srcPos,
                                    .srcPtr = p->srcPtr,
                                    .dstArray = p->dstArray,
                                    .dstPos = p->dstPos,
                                    .dstPtr = p->dstPtr,
                                    .extent = p->extent,
                                    .kind = cudaMemcpyDeviceToDevice};
}

cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *parameters) {
  if (!parameters || !both_zero(parameters->srcDevice, parameters->dstDevice))
    return parameters ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
  struct cudaMemcpy3DParms copy = peer_3d(parameters);
  return cudaMemcpy3D(&copy);
}
RUNTIME_ALIAS(cudaMemcpy3DPeer, _ptds);

cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *parameters,
                                  cudaStream_t stream) {
  if (!parameters || !both_zero(parameters->srcDevice, parameters->dstDevice))
    return parameters ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
  struct cudaMemcpy3DParms copy = peer_3d(parameters);
  return cudaMemcpy3DAsync(&copy, stream);
}
RUNTIME_ALIAS(cudaMemcpy3DPeerAsync, _ptsz);

/* ---- memset ---------------------------------------------------------------------------------- */
static void fill(uint8_t *bytes, unsigned value, size_t element, size_t count) {
  if (element == 1)
    memset(bytes, (int)value, count);
  for (size_t i = 0; element > 1 && i < count; i++) /* little-endian, as on a GPU */
    memcpy(bytes + i * element, &value, element);
}

cudaError_t runtime_set(const struct cudaMemsetParams *p) {
  Side to;
  size_t width = p->width * p->elementSize;
  if (p->width == 0 || p->height == 0)
    return cudaSuccess;
  if (p->height > 1 && width > p->pitch)
    return cudaErrorInvalidPitchValue;
  if (!p->dst || !resolve(&to, p->dst) || !to.memory) {
    char what[120];
    Report report = report_make(REPORT_BAD_COPY);
    snprintf(report.sentence, sizeof report.sentence, "cudaMemset was given %s",
             runtime_describe(p->dst, what, sizeof what));
    report.cause = "cudaMemset sets device memory. Use memset for the host's.";
    report_file(&report);
    return cudaErrorInvalidValue;
  }
  size_t bytes = span_of(p->pitch, width, p->height);
  if (!fits(&to, bytes))
    return too_long(
        "destination", &to, bytes,
        p->elementSize > 1 && p->width == to.memory->bytes
            ? "The function counts elements of 2 or 4 bytes, and it was given a count of "
              "bytes."
            : NULL);
  if (machine_settings()->pretend)
    return cudaSuccess;
  runtime_shared_memory_open();
  for (size_t row = 0; row < p->height; row++) {
    fill(to.bytes + row * p->pitch, p->value, p->elementSize, p->width);
    memory_define(to.memory, to.address + row * p->pitch, width);
    Side here = {to.memory, to.address + row * p->pitch, NULL};
    note_touch(&here, TOUCH_WRITE, width);
  }
  return cudaSuccess;
}

/* Executes a memset. For managed and pinned memory, the host waits until the memset is done. */
static cudaError_t set_for_host(const struct cudaMemsetParams *p) {
  const cudaError_t error = runtime_set(p);
  const Allocation *a = memory_find((uint64_t)(uintptr_t)p->dst);
  if (!error && a && (a->kind == MEMORY_PINNED || a->kind == MEMORY_MANAGED))
    order_returns_late();
  return error;
}

/* The parameters of a memset of rows of bytes. */
#define ROWS(pointer, pitch, value, width, rows)                                                   \
  (&(struct cudaMemsetParams){pointer, pitch, (uint8_t)(value), 1, width, rows})
/* Returns the value. Reports the value if it fits neither in a signed nor in an unsigned byte. */
static int byte_of(int value) {
  if (value < INT8_MIN || value > UINT8_MAX)
    report_host(REPORT_SET_VALUE, "cudaMemset was given the value %d, and sets every byte to %d",
                value, (uint8_t)value);
  return value;
}
#define SET_FOR_HOST(...)                                                                          \
  RUNTIME_CAPTURED(0, capture_set(0, ROWS(__VA_ARGS__)), set_for_host(ROWS(__VA_ARGS__)))
#define SET(stream, ...)                                                                           \
  RUNTIME_CAPTURED(stream, capture_set(stream, ROWS(__VA_ARGS__)), runtime_set(ROWS(__VA_ARGS__)))

cudaError_t cudaMemset(void *pointer, int value, size_t bytes) {
  SET_FOR_HOST(pointer, bytes, byte_of(value), bytes, 1);
}
RUNTIME_ALIAS(cudaMemset, _ptds);

cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t stream) {
  SET(stream, pointer, bytes, byte_of(value), bytes, 1);
}
RUNTIME_ALIAS(cudaMemsetAsync, _ptsz);

cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t rows) {
  SET_FOR_HOST(pointer, pitch, byte_of(value), width, rows);
}
RUNTIME_ALIAS(cudaMemset2D, _ptds);

cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t rows,
                              cudaStream_t stream) {
  SET(stream, pointer, pitch, byte_of(value), width, rows);
}
RUNTIME_ALIAS(cudaMemset2DAsync, _ptsz);

/* Sets the planes of pitched memory. Each plane has ysize rows. */
static cudaError_t set_3d(struct cudaPitchedPtr to, int value, struct cudaExtent extent) {
  if (extent.height > to.ysize || (to.ysize && extent.depth > SIZE_MAX / to.ysize))
    return cudaErrorInvalidValue;
  for (size_t z = 0; z < extent.depth; z++) {
    cudaError_t error = runtime_set(ROWS((uint8_t *)to.ptr + z * to.ysize * to.pitch, to.pitch,
                                         value, extent.width, extent.height));
    if (error)
      return error;
  }
  return cudaSuccess;
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr to, int value, struct cudaExtent extent) {
  RUNTIME_STREAM(0, set_3d(to, value, extent));
}
RUNTIME_ALIAS(cudaMemset3D, _ptds);

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr to, int value, struct cudaExtent extent,
                              cudaStream_t stream) {
  RUNTIME_STREAM(stream, set_3d(to, value, extent));
}
RUNTIME_ALIAS(cudaMemset3DAsync, _ptsz);
