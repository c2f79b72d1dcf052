kernel-1.traceg
MemcpyHtoD,0x00007fb0fc400000,1024
MemcpyHtoD,0x00007fb0fc401000,1024
kernel-2.traceg
kernel-3.traceg
