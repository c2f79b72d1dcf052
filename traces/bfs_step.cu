// A step of a breadth-first search: each thread visits the neighbours of one vertex.

__global__ void bfs_step(const unsigned* first, const unsigned* edge, unsigned* level,
                         const unsigned* frontier, unsigned* next, unsigned* next_size, unsigned size,
                         unsigned depth) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  unsigned v = frontier[i];
  for (unsigned k = first[v]; k < first[v + 1]; k++) {
    unsigned w = edge[k];
    if (atomicCAS(&level[w], 0xffffffff, depth) == 0xffffffff) next[atomicAdd(next_size, 1)] = w;
  }
}
