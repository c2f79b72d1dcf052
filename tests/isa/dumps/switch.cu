// A switch that goes through a table: NN.switch.sass is what plain nvdisasm prints of nvcc 13.0's code for sm_NN.

__global__ void chosen(const int* which, const int* from, int* to, int k) {
  const int i = threadIdx.x;
  switch (which[i]) {
    case 0: to[i] = from[i + 1] * 3; break;
    case 1: to[i] = from[i] / 7; break;
    case 2: to[i] = from[i + 2] ^ 9; break;
    case 3: to[i] = from[i + 3] + from[i + 4]; break;
    case 4: to[i] = 77 * from[i + 5]; break;
    case 5: to[i] = from[i + 6] + from[i + 7] * from[i + 8]; break;
    case 6: to[i] = __popc(from[i + 8]); break;
    default: to[i] = k;
  }
}
