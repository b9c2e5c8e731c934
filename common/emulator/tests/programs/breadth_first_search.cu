// A breadth-first search in a graph in CSR form, with one launch per level. The threads of a level
// claim unvisited neighbours by compare-and-swap and append them to the queue of the next level.
#include "inputs.h"

enum { THREADS = 64, UNSEEN = -1 };

struct Graph {
  int vertices;
  std::vector<int> starts, targets;
};

__global__ void expand(const int *starts, const int *targets, const int *queue, int length,
                       int *level, int *parent, int next_level, int *next_queue, int *next_length) {
  int i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= length)
    return;
  int from = queue[i];
  for (int k = starts[from]; k < starts[from + 1]; k++) {
    int to = targets[k];
    if (atomicCAS(&level[to], UNSEEN, next_level) == UNSEEN) {
      parent[to] = from;
      next_queue[atomicAdd(next_length, 1)] = to;
    }
  }
}

// Edges connect vertices with close numbers, so there are many levels. The last vertices are
// unreachable.
static Graph random_graph(int vertices, int reachable) {
  std::vector<std::vector<int>> out(vertices);
  for (int v = 0; v < vertices; v++)
    for (int k = random_below(5); k >= 0; k--) {
      int to = v + random_below(50) - 10;
      bool same_side = to >= 0 && to < vertices && (to < reachable) == (v < reachable);
      if (same_side)
        out[v].push_back(to); // also self-loops and double edges
    }
  Graph g = {vertices, {0}, {}};
  for (const std::vector<int> &edges : out) {
    g.targets.insert(g.targets.end(), edges.begin(), edges.end());
    g.starts.push_back((int)g.targets.size());
  }
  return g;
}

static std::vector<int> levels_on_host(const Graph &g, int source) {
  std::vector<int> level(g.vertices, (int)UNSEEN), queue(1, source);
  level[source] = 0;
  for (size_t i = 0; i < queue.size(); i++)
    for (int k = g.starts[queue[i]]; k < g.starts[queue[i] + 1]; k++)
      if (level[g.targets[k]] == UNSEEN) {
        level[g.targets[k]] = level[queue[i]] + 1;
        queue.push_back(g.targets[k]);
      }
  return level;
}

static void run(const Graph &g, int source) {
  std::vector<int> level(g.vertices, (int)UNSEEN), parent(g.vertices, (int)UNSEEN);
  level[source] = 0;
  int *starts = to_device(g.starts), *targets = to_device(g.targets);
  int *d_level = to_device(level), *d_parent = to_device(parent);
  int *queue = device_array<int>(g.vertices), *next = device_array<int>(g.vertices);
  int *d_length = device_array<int>(1), length = 1, depth = 0;
  CHECK(cudaMemcpy(queue, &source, sizeof source, cudaMemcpyHostToDevice));
  while (length > 0) {
    CHECK(cudaMemset(d_length, 0, sizeof length));
    expand<<<ceil_div(length, THREADS), THREADS>>>(starts, targets, queue, length, d_level,
                                                   d_parent, ++depth, next, d_length);
    LAUNCHED();
    CHECK(cudaMemcpy(&length, d_length, sizeof length, cudaMemcpyDeviceToHost));
    int *swap = queue;
    queue = next;
    next = swap;
  }
  level = to_host(d_level, g.vertices);
  parent = to_host(d_parent, g.vertices);
  EXPECT(level == levels_on_host(g, source));
  for (int v = 0; v < g.vertices; v++) { // any parent in the previous level is right
    if (level[v] <= 0) {
      EXPECT(parent[v] == UNSEEN);
      continue;
    }
    bool edge = false;
    for (int k = g.starts[parent[v]]; k < g.starts[parent[v] + 1]; k++)
      edge = edge || g.targets[k] == v;
    EXPECT(edge && level[parent[v]] == level[v] - 1);
  }
  for (int *array : {starts, targets, d_level, d_parent, queue, next, d_length})
    CHECK(cudaFree(array));
}

int main() {
  run(random_graph(2, 1), 0);
  run(random_graph(500, 300), 5);
  Graph large = random_graph(4001, 3500);
  run(large, 0);
  run(large, 3990);
  return done();
}
