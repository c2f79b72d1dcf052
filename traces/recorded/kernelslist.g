kernel-1.traceg.zst
FlushCaches
kernel-2.traceg.zst
