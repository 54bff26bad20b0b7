/* gs_cuda_calls.h -- the one list of what Geode calls of CUDA: GS_DRIVER(name, types) of the driver, GS_NVRTC(name, types) of
 * the compiler. All return an int, 0 for success. Included several times; no SDK is needed.
 * Source of names and types: NVIDIA's documentation of the driver API and of NVRTC. */
#ifdef GS_DRIVER
GS_DRIVER(cuInit, (unsigned))
GS_DRIVER(cuDeviceGetCount, (int *))
GS_DRIVER(cuDeviceGet, (int *, int))
GS_DRIVER(cuDeviceGetName, (char *, int, int))
GS_DRIVER(cuDeviceGetAttribute, (int *, int, int))
GS_DRIVER(cuDevicePrimaryCtxRetain, (void **, int))
GS_DRIVER(cuDevicePrimaryCtxRelease_v2, (int))
GS_DRIVER(cuCtxSetCurrent, (void *))
GS_DRIVER(cuCtxSynchronize, (void))
GS_DRIVER(cuModuleLoadData, (void **, const void *))
GS_DRIVER(cuModuleUnload, (void *))
GS_DRIVER(cuModuleGetFunction, (void **, void *, const char *))
GS_DRIVER(cuMemGetInfo_v2, (size_t *, size_t *))
GS_DRIVER(cuMemAlloc_v2, (gs_cuda_pointer *, size_t))
GS_DRIVER(cuMemFree_v2, (gs_cuda_pointer))
GS_DRIVER(cuMemcpyHtoD_v2, (gs_cuda_pointer, const void *, size_t))
GS_DRIVER(cuMemcpyDtoH_v2, (void *, gs_cuda_pointer, size_t))
GS_DRIVER(cuLaunchKernel, (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **))
GS_DRIVER(cuGetErrorString, (int, const char **))
#endif
#ifdef GS_NVRTC
GS_NVRTC(nvrtcCreateProgram, (void **, const char *, const char *, int, const char *const *, const char *const *))
GS_NVRTC(nvrtcCompileProgram, (void *, int, const char *const *))
GS_NVRTC(nvrtcGetProgramLogSize, (void *, size_t *))
GS_NVRTC(nvrtcGetProgramLog, (void *, char *))
GS_NVRTC(nvrtcGetCUBINSize, (void *, size_t *))
GS_NVRTC(nvrtcGetCUBIN, (void *, char *))
GS_NVRTC(nvrtcDestroyProgram, (void **))
#endif
