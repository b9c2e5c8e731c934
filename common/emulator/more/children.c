/* Implements the work that kernels launch (machine/children.h): the runtime functions that kernels
 * call, and the execution of launches, copies and memory sets when the grid has ended. */
#include "../machine/children.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "../machine/access.h"
#include "../machine/calls.h"
#include "../machine/heap.h"
#include "../runtime/runtime.h"
#include "random.h"

#define CHILD_CALL(name, ...) static void call_##name(Warp *, const PtxCall *, uint32_t lanes);
#include "children.def"

const BuiltinCall *children_calls(size_t *count) {
  static const BuiltinCall calls[] = {
#define CHILD_CALL(name, result, ...) {"cuda" #name, call_##name, result, {__VA_ARGS__}},
#include "children.def"
      {"__lockstep_curand_init", call_curand_init, 0, {8, 8, 8}},
  };
  *count = sizeof calls / sizeof *calls;
  return calls;
}

/* Values of cudaError_t. */
enum {
  SUCCESS = 0,
  INVALID_VALUE = 1,
  NO_MEMORY = 2,
  INVALID_CONFIGURATION = 9,
  INVALID_DIRECTION = 21
};
enum { COPY_ON_DEVICE = 3, COPY_ANYWHERE = 4 };
enum { STREAM_OF_TAILS = 3, STREAM_OF_NOBODY = 4, FIRST_STREAM = 0x10000 };
enum { EVENT_WITHOUT_TIME = 2 };
#define LAUNCHES_PER_BRANCH 100 /* number of branches that a launch counts as in LOCKSTEP_LIMIT */

typedef struct Child {
  /* The start order of the launching block. */
  uint64_t start_order;
  /* Number of the launching thread in its block. */
  uint32_t thread;
  /* open: the thread has requested `buffer` for the arguments, and has not launched yet. tail: the
   * launch is in the tail-launch stream. */
  bool open, tail;
  bool is_kernel;
  uint64_t buffer;
  Launch launch;
  /* If is_kernel is false: a copy of rows, or a memset if `from` is 0. */
  uint64_t to, to_pitch, from, from_pitch, width, rows;
  uint8_t value;
} Child;

typedef struct ChildError {
  uint64_t start_order;
  uint32_t thread, error;
} ChildError;

static void *grown(void *items, size_t count, size_t *room, size_t bytes) {
  if (count < *room)
    return items;
  *room = *room ? 2 * *room : 64;
  items = realloc(items, *room * bytes);
  assert(items);
  return items;
}

static Children *children_of(Warp *w) {
  Children **c = &w->worker->children;
  if (!*c)
    *c = calloc(1, sizeof **c);
  assert(*c);
  return *c;
}

static uint32_t thread_of(const Warp *w, unsigned lane) { return w->number * WARP_LANES + lane; }

static Child *add(Warp *w, unsigned lane, Child child) {
  Children *c = children_of(w);
  c->items = grown(c->items, c->count, &c->room, sizeof *c->items);
  child.start_order = w->block->start_order;
  child.thread = thread_of(w, lane);
  c->items[c->count] = child;
  return &c->items[c->count++];
}

/* ---- errors: each thread's own last one ------------------------------------------------------ */
static ChildError *error_of(Warp *w, unsigned lane) {
  Children *c = children_of(w);
  for (size_t i = 0; i < c->nerrors; i++)
    if (c->errors[i].start_order == w->block->start_order &&
        c->errors[i].thread == thread_of(w, lane))
      return &c->errors[i];
  return NULL;
}

/* Stores an error as the last error of the thread, if it is not SUCCESS. Returns the error. */
static uint32_t remembered(Warp *w, unsigned lane, uint32_t error) {
  Children *c = children_of(w);
  ChildError *known = error ? error_of(w, lane) : NULL;
  if (known)
    known->error = error;
  if (!error || known)
    return error;
  c->errors = grown(c->errors, c->nerrors, &c->errors_room, sizeof *c->errors);
  c->errors[c->nerrors++] = (ChildError){w->block->start_order, thread_of(w, lane), error};
  return error;
}

static void give(Warp *w, const PtxCall *call, unsigned lane, uint32_t error) {
  remembered(w, lane, error);
  put_result(w, call, lane, &error, sizeof error);
}

static void call_PeekAtLastError(Warp *w, const PtxCall *call, uint32_t lanes) {
  EACH_SET(lane, lanes) {
    const ChildError *known = error_of(w, lane);
    put_result(w, call, lane, known ? &known->error : &(uint32_t){SUCCESS}, 4);
  }
}

static void call_GetLastError(Warp *w, const PtxCall *call, uint32_t lanes) {
  call_PeekAtLastError(w, call, lanes);
  EACH_SET(lane, lanes) {
    Children *c = children_of(w);
    ChildError *known = error_of(w, lane);
    if (known)
      *known = c->errors[--c->nerrors];
  }
}

/* Copies a string of the host to memory that kernels can read, and returns its address there. Each
 * string is copied only once. */
static uint64_t text_for_kernels(const char *text) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static struct {
    const char *text;
    uint64_t address;
  } known[256];
  size_t i = 0;
  pthread_mutex_lock(&lock);
  while (known[i].text && known[i].text != text && i + 1 < sizeof known / sizeof *known)
    i++;
  if (known[i].text != text && (known[i].address = heap_allocate(strlen(text) + 1))) {
    Allocation *heap = memory_find(known[i].address);
    known[i].text = text;
    strcpy((char *)on_host(heap, known[i].address), text);
    memory_define(heap, known[i].address, strlen(text) + 1);
  }
  pthread_mutex_unlock(&lock);
  return known[i].address;
}

static void call_text(Warp *w, const PtxCall *call, uint32_t lanes, const char *(*text)(int)) {
  EACH_SET(lane, lanes) {
    int32_t error;
    get_argument(w, call, lane, 0, &error, sizeof error);
    uint64_t address = text_for_kernels(text(error));
    put_result(w, call, lane, &address, sizeof address);
  }
}
static void call_GetErrorString(Warp *w, const PtxCall *call, uint32_t lanes) {
  call_text(w, call, lanes, runtime_error_text);
}
static void call_GetErrorName(Warp *w, const PtxCall *call, uint32_t lanes) {
  call_text(w, call, lanes, runtime_error_name);
}

/* ---- results that calls write through their first argument ----------------------------------- */
static uint32_t give_back(Warp *w, const PtxCall *call, unsigned lane, uint64_t value,
                          size_t bytes) {
  uint64_t to;
  get_argument(w, call, lane, 0, &to, sizeof to);
  return generic_write(w, lane, to, &value, bytes) ? SUCCESS : INVALID_VALUE;
}

static void give_all(Warp *w, const PtxCall *call, uint32_t lanes, uint64_t value, size_t bytes) {
  EACH_SET(lane, lanes) give(w, call, lane, give_back(w, call, lane, value, bytes));
}
static void call_GetDevice(Warp *w, const PtxCall *call, uint32_t lanes) {
  give_all(w, call, lanes, 0, 4);
}
static void call_GetDeviceCount(Warp *w, const PtxCall *call, uint32_t lanes) {
  give_all(w, call, lanes, 1, 4);
}

static void call_Malloc(Warp *w, const PtxCall *call, uint32_t lanes) {
  EACH_SET(lane, lanes) {
    uint64_t bytes;
    get_argument(w, call, lane, 1, &bytes, sizeof bytes);
    const uint64_t address = heap_allocate(bytes);
    const uint32_t error = give_back(w, call, lane, address, sizeof address);
    give(w, call, lane, bytes && !address ? NO_MEMORY : error);
  }
}

static void call_Free(Warp *w, const PtxCall *call, uint32_t lanes) {
  free_in_kernel(w, call, lanes);
  EACH_SET(lane, lanes) give(w, call, lane, SUCCESS);
}

/* ---- streams and events: everything is done in order, so that there is nothing to keep ------- */
static atomic_uint_least64_t next_handle = FIRST_STREAM;

static bool is_stream(uint64_t stream) {
  return stream <= STREAM_OF_NOBODY || (stream >= FIRST_STREAM && stream < next_handle);
}

/* Gives each lane SUCCESS if argument number `argument` is a valid handle of a stream or event,
 * otherwise INVALID_VALUE. 0 is the default stream. */
static void give_known(Warp *w, const PtxCall *call, uint32_t lanes, uint32_t argument) {
  EACH_SET(lane, lanes) {
    uint64_t handle;
    get_argument(w, call, lane, argument, &handle, sizeof handle);
    give(w, call, lane, is_stream(handle) ? SUCCESS : INVALID_VALUE);
  }
}

static void call_StreamCreateWithFlags(Warp *w, const PtxCall *call, uint32_t lanes) {
  EACH_SET(lane, lanes)
  give(w, call, lane, give_back(w, call, lane, atomic_fetch_add(&next_handle, 1), 8));
}
static void call_EventCreateWithFlags(Warp *w, const PtxCall *call, uint32_t lanes) {
  EACH_SET(lane, lanes) {
    uint32_t flags;
    get_argument(w, call, lane, 1, &flags, sizeof flags);
    give(w, call, lane,
         flags != EVENT_WITHOUT_TIME
             ? INVALID_VALUE
             : give_back(w, call, lane, atomic_fetch_add(&next_handle, 1), 8));
  }
}
static void call_StreamDestroy(Warp *w, const PtxCall *call, uint32_t lanes) {
  give_known(w, call, lanes, 0);
}
static void call_EventDestroy(Warp *w, const PtxCall *call, uint32_t lanes) {
  give_known(w, call, lanes, 0);
}
static void call_StreamWaitEvent(Warp *w, const PtxCall *call, uint32_t lanes) {
  give_known(w, call, lanes, 0);
}
static void call_EventRecord(Warp *w, const PtxCall *call, uint32_t lanes) {
  give_known(w, call, lanes, 1);
}
static void call_EventRecordWithFlags(Warp *w, const PtxCall *call, uint32_t lanes) {
  give_known(w, call, lanes, 1);
}

/* ---- kernels --------------------------------------------------------------------------------- */
static void refuse(Warp *w, unsigned lane, const PtxFunction *kernel, const char *why) {
  hook_mistake((Mistake){.kind = MISTAKE_CHILD_REFUSED,
                         .at = {w, lane, call_line(w)},
                         .function = kernel,
                         .sentence = why});
}

/* Allocates the buffer for the arguments of a launch, and returns its address. Returns 0 if the
 * launch is not possible. */
static uint64_t buffer_for(Warp *w, unsigned lane, uint64_t handle, Launch launch) {
  const PtxModule *m = launch.module;
  char text[200];
  if (handle == 0 || handle > m->nfunctions || !m->functions[handle - 1].is_entry ||
      !m->functions[handle - 1].is_defined) {
    refuse(w, lane, NULL, "the launched function is not a kernel");
    remembered(w, lane, INVALID_VALUE);
    return 0;
  }
  launch.function = &m->functions[handle - 1];
  const char *why = launch_limit(&launch, launch.dynamic_shared, text, sizeof text);
  if (why) {
    refuse(w, lane, launch.function, why);
    remembered(w, lane, INVALID_CONFIGURATION);
    return 0;
  }
  const uint32_t bytes = launch.function->param_bytes;
  const uint64_t buffer = heap_allocate(bytes ? bytes : 1);
  if (buffer)
    add(w, lane, (Child){.open = true, .is_kernel = true, .buffer = buffer, .launch = launch});
  else
    remembered(w, lane, NO_MEMORY);
  return buffer;
}

static void call_GetParameterBufferV2(Warp *w, const PtxCall *call, uint32_t lanes) {
  const Launch *parent = w->worker->run->launch;
  EACH_SET(lane, lanes) {
    Launch launch = {.module = parent->module, .tracked = parent->tracked, .nested = true};
    uint64_t handle;
    get_argument(w, call, lane, 0, &handle, sizeof handle);
    get_argument(w, call, lane, 1, launch.grid, sizeof launch.grid);
    get_argument(w, call, lane, 2, launch.block, sizeof launch.block);
    get_argument(w, call, lane, 3, &launch.dynamic_shared, sizeof launch.dynamic_shared);
    const uint64_t buffer = buffer_for(w, lane, handle, launch);
    put_result(w, call, lane, &buffer, sizeof buffer);
  }
}

/* Finds the launch with this buffer. Searches from the end, because most threads launch immediately
 * after they have requested the buffer. */
static Child *open_child(Warp *w, uint64_t buffer) {
  Children *c = children_of(w);
  for (size_t i = c->count; i-- > 0;)
    if (c->items[i].open && c->items[i].buffer == buffer)
      return &c->items[i];
  return NULL;
}

static uint32_t launch_child(Warp *w, unsigned lane, Child *child, uint64_t stream) {
  const PtxFunction *function = child->launch.function;
  uint8_t *parameters = calloc(1, function->param_bytes + 1);
  assert(parameters);
  memcpy(parameters, on_host(memory_find(child->buffer), child->buffer), function->param_bytes);
  heap_free(child->buffer);
  child->launch.parameters = parameters;
  child->tail = stream == STREAM_OF_TAILS;
  child->open = !is_stream(stream);
  child->buffer = 0;
  if (!child->open)
    return SUCCESS;
  refuse(w, lane, function, "its stream was not created by a kernel");
  return INVALID_VALUE;
}

static void call_LaunchDeviceV2(Warp *w, const PtxCall *call, uint32_t lanes) {
  EACH_SET(lane, lanes) {
    uint64_t buffer, stream;
    get_argument(w, call, lane, 0, &buffer, sizeof buffer);
    get_argument(w, call, lane, 1, &stream, sizeof stream);
    Child *child = buffer ? open_child(w, buffer) : NULL;
    give(w, call, lane, child ? launch_child(w, lane, child, stream) : INVALID_VALUE);
  }
}

/* ---- copies and sets ------------------------------------------------------------------------- */
/* Returns the allocation that contains all rows of a copy or memset; NULL if there is none. */
static Allocation *rows_in(uint64_t address, uint64_t pitch, const Child *c) {
  Allocation *a = memory_find(address);
  const uint64_t left = a ? a->bytes - (address - a->address) : 0;
  uint64_t last, end = 0;
  bool over = __builtin_mul_overflow(c->rows - 1, pitch, &last) ||
              __builtin_add_overflow(last, c->width, &end);
  return a && !over && end <= left ? a : NULL;
}

static bool is_a_threads(uint64_t address) {
  return address - PTX_LOCAL_WINDOW < PTX_WINDOW_BYTES ||
         address - PTX_SHARED_WINDOW < PTX_WINDOW_BYTES;
}

static void queue(Warp *w, const PtxCall *call, unsigned lane, Child c, uint64_t stream) {
  c.tail = stream == STREAM_OF_TAILS;
  if (!is_stream(stream) || is_a_threads(c.to) || is_a_threads(c.from)) {
    give(w, call, lane, INVALID_VALUE);
    return;
  }
  give(w, call, lane, SUCCESS);
  if (!c.width || !c.rows)
    return;
  if (rows_in(c.to, c.to_pitch, &c) && (!c.from || rows_in(c.from, c.from_pitch, &c))) {
    add(w, lane, c);
    return;
  }
  hook_mistake((Mistake){
      .kind = MISTAKE_STOPPED,
      .at = {w, lane, call_line(w)},
      .report = REPORT_OUT_OF_BOUNDS,
      .did = "called it",
      .sentence = c.from ? "a copy in a kernel from or to what is in no buffer of the device"
                         : "bytes set in a kernel, some of which are in no buffer of the device"});
  run_fail(w, LAUNCH_ILLEGAL_ADDRESS);
}

static void queue_copy(Warp *w, const PtxCall *call, unsigned lane, Child c, uint32_t direction,
                       uint64_t stream) {
  if (direction != COPY_ON_DEVICE && direction != COPY_ANYWHERE)
    give(w, call, lane, INVALID_DIRECTION);
  else if (!c.from || c.width > c.to_pitch || c.width > c.from_pitch)
    give(w, call, lane, INVALID_VALUE);
  else
    queue(w, call, lane, c, stream);
}

static void call_MemcpyAsync(Warp *w, const PtxCall *call, uint32_t lanes) {
  EACH_SET(lane, lanes) {
    Child c = {.rows = 1};
    uint64_t stream;
    uint32_t direction;
    get_argument(w, call, lane, 0, &c.to, 8);
    get_argument(w, call, lane, 1, &c.from, 8);
    get_argument(w, call, lane, 2, &c.width, 8);
    get_argument(w, call, lane, 3, &direction, 4);
    get_argument(w, call, lane, 4, &stream, 8);
    c.to_pitch = c.from_pitch = c.width;
    queue_copy(w, call, lane, c, direction, stream);
  }
}

static void call_Memcpy2DAsync(Warp *w, const PtxCall *call, uint32_t lanes) {
  EACH_SET(lane, lanes) {
    Child c = {.rows = 0};
    uint64_t stream, *const parts[] = {&c.to,         &c.to_pitch, &c.from,
                                       &c.from_pitch, &c.width,    &c.rows};
    uint32_t direction;
    for (uint32_t i = 0; i < 6; i++)
      get_argument(w, call, lane, i, parts[i], 8);
    get_argument(w, call, lane, 6, &direction, 4);
    get_argument(w, call, lane, 7, &stream, 8);
    queue_copy(w, call, lane, c, direction, stream);
  }
}

static void call_MemsetAsync(Warp *w, const PtxCall *call, uint32_t lanes) {
  EACH_SET(lane, lanes) {
    Child c = {.rows = 1};
    uint64_t stream;
    uint32_t value;
    get_argument(w, call, lane, 0, &c.to, 8);
    get_argument(w, call, lane, 1, &value, 4);
    get_argument(w, call, lane, 2, &c.width, 8);
    get_argument(w, call, lane, 3, &stream, 8);
    c.value = (uint8_t)value;
    queue(w, call, lane, c, stream);
  }
}

static void call_Memset2DAsync(Warp *w, const PtxCall *call, uint32_t lanes) {
  EACH_SET(lane, lanes) {
    Child c = {.rows = 0};
    uint64_t stream;
    uint32_t value;
    get_argument(w, call, lane, 0, &c.to, 8);
    get_argument(w, call, lane, 1, &c.to_pitch, 8);
    get_argument(w, call, lane, 2, &value, 4);
    get_argument(w, call, lane, 3, &c.width, 8);
    get_argument(w, call, lane, 4, &c.rows, 8);
    get_argument(w, call, lane, 5, &stream, 8);
    c.value = (uint8_t)value;
    if (c.width > c.to_pitch)
      give(w, call, lane, INVALID_VALUE);
    else
      queue(w, call, lane, c, stream);
  }
}

static void move_rows(const Child *c) {
  Allocation *to = memory_find(c->to), *from = c->from ? memory_find(c->from) : NULL;
  for (uint64_t row = 0; row < c->rows; row++) {
    const uint64_t at = c->to + row * c->to_pitch, source = c->from + row * c->from_pitch;
    if (from) {
      memmove(on_host(to, at), on_host(from, source), c->width);
      memory_define_like(to, at, from, source, c->width);
    } else {
      memset(on_host(to, at), c->value, c->width);
      memory_define(to, at, c->width);
    }
    if (to->unsettled)
      memory_unsettle(to, at - to->address, at - to->address + c->width);
  }
}

/* ---- one after the other --------------------------------------------------------------------- */
static void drop(Child *c) { free((void *)c->launch.parameters); }

void children_drop(Children *c) {
  for (size_t i = 0; i < c->count; i++)
    drop(&c->items[i]);
  free(c->items);
  free(c->errors);
  *c = (Children){0};
}

void children_collect(Children *all, Worker *worker) {
  random_grid_ended();
  Children *own = worker->children;
  if (!own)
    return;
  for (size_t i = 0; i < own->count; i++) {
    if (own->items[i].open) { /* the thread never launched with this buffer */
      heap_free(own->items[i].buffer);
      drop(&own->items[i]);
      continue;
    }
    all->items = grown(all->items, all->count, &all->room, sizeof *all->items);
    all->items[all->count++] = own->items[i];
  }
  own->count = 0;
  children_drop(own);
  free(own);
  worker->children = NULL;
}

/* Orders launches by the block that made them, with tail launches last. Launches of one block keep
 * the order of their calls (`buffer` holds the position of the call), even if a worker ran several
 * blocks alternately. */
static int by_block(const void *left, const void *right) {
  const Child *a = left, *b = right;
  if (a->tail != b->tail)
    return a->tail ? 1 : -1;
  if (a->start_order != b->start_order)
    return a->start_order < b->start_order ? -1 : 1;
  return a->buffer < b->buffer ? -1 : a->buffer > b->buffer;
}

static void put_in_order(Children *c) {
  for (size_t i = 0; i < c->count; i++)
    c->items[i].buffer = i; /* the position before sorting */
  if (c->count)
    qsort(c->items, c->count, sizeof *c->items, by_block);
}

/* Returns true if the number of threads that launch kernels exceeds
 * cudaLimitDevRuntimePendingLaunchCount. Each thread counts once, because its launches run one
 * after the other. */
static bool too_many_at_once(const Children *c) {
  size_t threads = 0;
  uint64_t block = UINT64_MAX;
  uint32_t seen[1024 / 32] = {0};
  for (size_t i = 0; c->count > runtime_pending_launches() && i < c->count; i++) {
    const Child *each = &c->items[i];
    if (each->start_order != block)
      memset(seen, 0, sizeof seen);
    block = each->start_order;
    threads += each->is_kernel && !(seen[each->thread / 32] >> each->thread % 32 & 1);
    seen[each->thread / 32] |= 1u << each->thread % 32;
  }
  return threads > runtime_pending_launches();
}

/* The launches of one grid; `next` is the next one to run. */
typedef struct Level {
  Children children;
  size_t next;
} Level;

static void level_add(Level **levels, size_t *count, size_t *room, Children children,
                      const Launch *parent) {
  if (!children.count)
    return;
  put_in_order(&children);
  if (too_many_at_once(&children))
    hook_mistake((Mistake){.kind = MISTAKE_CHILDREN_TOO_MANY,
                           .function = parent->function,
                           .expected = runtime_pending_launches()});
  *levels = grown(*levels, *count, room, sizeof **levels);
  (*levels)[(*count)++] = (Level){children, 0};
}

LaunchStatus children_run(Children *first, const Launch *parent, RunGrid *run) {
  Level *levels = NULL;
  size_t count = 0, room = 0;
  uint64_t left = machine_settings()->branch_limit / LAUNCHES_PER_BRANCH;
  LaunchStatus status = LAUNCH_DONE;
  level_add(&levels, &count, &room, *first, parent);
  while (count && status == LAUNCH_DONE) {
    Level *level = &levels[count - 1];
    Child child = level->children.items[level->next++];
    level->children.items[level->next - 1].launch.parameters = NULL;
    /* Free the level before its last child runs, so that a long chain of tail launches needs
     * constant memory. */
    if (level->next == level->children.count) {
      children_drop(&level->children);
      count--;
    }
    Children more = {0};
    if (!child.is_kernel) {
      move_rows(&child);
    } else if (left-- == 0) {
      hook_mistake((Mistake){.kind = MISTAKE_CHILDREN_ENDLESS, .function = child.launch.function});
      status = LAUNCH_ENDLESS;
    } else {
      status = run(&child.launch, &more);
    }
    if (status == LAUNCH_DONE)
      level_add(&levels, &count, &room, more, &child.launch);
    else
      children_drop(&more);
    drop(&child);
  }
  while (count)
    children_drop(&levels[--count].children);
  free(levels);
  return status;
}
