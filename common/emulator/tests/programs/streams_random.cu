// Tests random programs of streams, events and waits. The test builds a graph of the order of all
// operations. Two conflicting operations race if no path connects them; the device must report
// these races.
//
// env: LOCKSTEP_QUIET=1
#include "check.h"
#include "emulator/emulator.h"

#include <vector>

enum { WORDS = 3000, BUFFERS = 4, STREAMS = 5, EVENTS = 3, STEPS = 30, PROGRAMS = 600 };
enum { DEFAULT, BLOCKING, LAST_BLOCKING = 2 }; // streams 3 and 4 are non-blocking

// ---- random numbers -----------------------------------------------------------------------------
static unsigned state = 1;
static int number(int below) {
  state = state * 1664525u + 1013904223u;
  return (int)((state >> 8) % (unsigned)below);
}

// ---- accesses: words of a buffer, one in every `step` -------------------------------------------
enum Way { READ, WRITE, ATOMIC };
struct Touch {
  int buffer, first, step, count;
  Way way;
};

static bool common_word(const Touch &a, const Touch &b) {
  bool touched[WORDS] = {false};
  for (int i = 0; i < a.count; i++)
    touched[a.first + i * a.step] = true;
  for (int i = 0; i < b.count; i++)
    if (touched[b.first + i * b.step])
      return true;
  return false;
}

static bool in_conflict(const std::vector<Touch> &one, const std::vector<Touch> &other) {
  for (const Touch &a : one)
    for (const Touch &b : other) {
      bool harmless = a.way == b.way && a.way != WRITE;
      if (!harmless && a.buffer == b.buffer && common_word(a, b))
        return true;
    }
  return false;
}

static Touch some_words(Way way, int most_step) {
  Touch t = {number(BUFFERS - 1), 0, 1 + number(most_step), 1 + number(200), way};
  t.first = number(WORDS - t.step * t.count);
  if (number(4) == 0)
    t = {t.buffer, 0, 1, WORDS, way};
  return t;
}

// ---- the graph: every call is a node ------------------------------------------------------------
struct Graph {
  // The accesses of each node.
  std::vector<std::vector<Touch>> touches;
  // before[a][b]: a ends before b begins.
  std::vector<std::vector<bool>> before;
  // The latest node of each stream, of each event, and of the host; -1: none.
  int last[STREAMS], event[EVENTS], host;

  Graph() : host(-1) {
    for (int &each : last)
      each = -1;
    for (int &each : event)
      each = -1;
  }
  void follows(int earlier, int node) {
    if (earlier < 0)
      return;
    before[earlier][node] = true;
    for (int i = 0; i < node; i++)
      if (before[i][earlier])
        before[i][node] = true;
  }
  int add() {
    for (auto &row : before)
      row.push_back(false);
    before.emplace_back(before.size() + 1, false);
    touches.emplace_back();
    return (int)before.size() - 1;
  }
  int queue(int stream) {
    int node = add();
    follows(host, node);
    follows(last[stream], node);
    for (int i = BLOCKING; i <= LAST_BLOCKING; i++) {
      if (stream == DEFAULT)
        follows(last[i], node);
      if (stream == i)
        follows(last[DEFAULT], node);
    }
    return last[stream] = node;
  }
  void host_waits_for(int node) {
    int wait = add();
    follows(host, wait);
    follows(node, wait);
    host = wait;
  }
  // Returns true if a node races with earlier nodes. Later calls treat these nodes as ordered.
  bool races(int node) {
    std::vector<int> found;
    for (int i = 0; i < node; i++)
      if (!before[i][node] && in_conflict(touches[i], touches[node]))
        found.push_back(i);
    for (int each : found)
      follows(each, node);
    return !found.empty();
  }
};

// ---- the program --------------------------------------------------------------------------------
__global__ void touch(const int *in, Touch read, int *out, Touch write, int *sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, value = 0;
  if (in && i < read.count)
    value = in[read.first + i * read.step];
  if (out && i < write.count)
    out[write.first + i * write.step] = value;
  if (sum && i == 0)
    atomicAdd(sum, value);
}

static int *buffers[BUFFERS], *host_words; // the last buffer is pinned
static cudaStream_t streams[STREAMS];
static cudaEvent_t events[EVENTS];
static void nothing(void *) {}

static void launch(int s, std::vector<Touch> &touches) {
  Touch read = some_words(READ, 3), write = some_words(WRITE, 3), sum = some_words(ATOMIC, 1);
  bool reads = number(3) != 0, writes = number(3) != 0, adds = number(3) == 0;
  if (reads)
    touches.push_back(read);
  if (writes && !(reads && read.buffer == write.buffer))
    touches.push_back(write);
  else
    writes = false;
  for (const Touch &each : touches)
    adds = adds && each.buffer != sum.buffer;
  sum.count = 1;
  if (adds)
    touches.push_back(sum);
  touch<<<12, 256, 0, streams[s]>>>(reads ? buffers[read.buffer] : NULL, read,
                                    writes ? buffers[write.buffer] : NULL, write,
                                    adds ? buffers[sum.buffer] + sum.first : NULL);
  LAUNCHED();
}

static void copy(int s, std::vector<Touch> &touches) {
  Touch from = some_words(READ, 1), to = some_words(WRITE, 1);
  to.buffer = (from.buffer + 1 + number(BUFFERS - 1)) % BUFFERS;
  to.step = 1;
  to.count = from.count;
  if (to.first + to.count > WORDS)
    to.first = WORDS - to.count;
  touches = {from, to};
  CHECK(cudaMemcpyAsync(buffers[to.buffer] + to.first, buffers[from.buffer] + from.first,
                        from.count * sizeof(int), cudaMemcpyDefault, streams[s]));
}

static void set(int s, bool in_default, std::vector<Touch> &touches) {
  Touch to = some_words(WRITE, 1);
  touches = {to};
  if (in_default)
    CHECK(cudaMemset(buffers[to.buffer] + to.first, 0, to.count * sizeof(int)));
  else
    CHECK(cudaMemsetAsync(buffers[to.buffer] + to.first, 0, to.count * sizeof(int), streams[s]));
}

static void copy_and_wait(Graph &g, int node, bool to_host) {
  Touch one = some_words(to_host ? READ : WRITE, 1);
  int *device = buffers[one.buffer] + one.first;
  size_t bytes = one.count * sizeof(int);
  g.touches[node] = {one};
  if (to_host)
    CHECK(cudaMemcpy(host_words, device, bytes, cudaMemcpyDeviceToHost));
  else
    CHECK(cudaMemcpy(device, host_words, bytes, cudaMemcpyHostToDevice));
}

// Makes a random call that orders work: the host or a stream waits.
static void order(Graph &g) {
  int s = number(STREAMS), e = number(EVENTS);
  switch (number(12)) {
  case 0:
  case 1:
  case 2:
  case 3:
    g.event[e] = g.queue(s);
    CHECK(cudaEventRecord(events[e], streams[s]));
    break;
  case 4:
  case 5:
  case 6:
  case 7:
    g.follows(g.event[e], g.queue(s));
    CHECK(cudaStreamWaitEvent(streams[s], events[e]));
    break;
  case 8:
    g.host_waits_for(g.event[e]);
    if (number(2))
      CHECK(cudaEventSynchronize(events[e]));
    else
      while (cudaEventQuery(events[e]) == cudaErrorNotReady)
        ;
    break;
  case 9:
    g.host_waits_for(s == DEFAULT ? g.queue(s) : g.last[s]);
    if (number(2))
      CHECK(cudaStreamSynchronize(streams[s]));
    else
      while (cudaStreamQuery(streams[s]) == cudaErrorNotReady)
        ;
    break;
  case 10:
    g.host_waits_for(g.queue(s));
    CHECK(cudaLaunchHostFunc(streams[s], nothing, NULL));
    break;
  default:
    if (number(3) == 0) {
      for (int node : g.last)
        g.host_waits_for(node);
      CHECK(cudaDeviceSynchronize());
    }
  }
}

static bool work_races(Graph &g) {
  int kind = number(10), s = kind >= 8 ? DEFAULT : number(STREAMS), node = g.queue(s);
  if (kind < 4)
    launch(s, g.touches[node]);
  else if (kind < 7)
    copy(s, g.touches[node]);
  else if (kind < 9)
    set(s, kind == 8, g.touches[node]);
  else
    copy_and_wait(g, node, number(2));
  bool races = g.races(node);
  if (kind == 9)
    g.host_waits_for(node);
  return races;
}

static int run(unsigned seed) {
  Graph g;
  int races = 0;
  state = seed;
  for (int i = BLOCKING; i < STREAMS; i++)
    CHECK(cudaStreamCreateWithFlags(&streams[i], i <= LAST_BLOCKING ? cudaStreamDefault
                                                                    : cudaStreamNonBlocking));
  for (cudaEvent_t &each : events)
    CHECK(cudaEventCreate(&each));
  for (int step = 0; step < STEPS; step++) {
    if (number(2)) {
      order(g);
      continue;
    }
    uint64_t before = emulator_report_count();
    bool expected = work_races(g), found = emulator_report_count() > before;
    races += expected;
    if (found != expected)
      printf("program %u, step %d: %s\n", seed, step,
             found ? "no race, but a report" : "a race, and no report");
    EXPECT(found == expected);
  }
  CHECK(cudaDeviceSynchronize());
  for (int i = BLOCKING; i < STREAMS; i++)
    CHECK(cudaStreamDestroy(streams[i]));
  for (cudaEvent_t each : events)
    CHECK(cudaEventDestroy(each));
  return races;
}

int main() {
  int races = 0;
  host_words = (int *)calloc(WORDS, sizeof *host_words);
  for (int i = 0; i < BUFFERS; i++) {
    CHECK(i < BUFFERS - 1 ? cudaMalloc(&buffers[i], WORDS * sizeof(int))
                          : cudaMallocHost(&buffers[i], WORDS * sizeof(int)));
    CHECK(cudaMemset(buffers[i], 0, WORDS * sizeof(int)));
  }
  CHECK(cudaDeviceSynchronize()); // cudaMemset does not wait
  for (unsigned seed = 1; seed <= PROGRAMS; seed++)
    races += run(seed);
  EXPECT(races > PROGRAMS / 2 && races < PROGRAMS * STEPS / 4); // many have races, many have none
  for (int i = 0; i < BUFFERS; i++)
    CHECK(i < BUFFERS - 1 ? cudaFree(buffers[i]) : cudaFreeHost(buffers[i]));
  free(host_words);
  return done();
}
