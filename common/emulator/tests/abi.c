/* Prints sizes, offsets and values of the runtime API. Programs that were compiled by nvcc pass
 * structures of the toolkit to our functions, so our headers must agree with those of the toolkit.
 * abi_test.c compiles this file with both sets of headers and compares the outputs. */
#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdio.h>

#define SIZE(type) printf(#type " %zu, aligned to %zu\n", sizeof(type), _Alignof(type));
#define FIELD(type, field)                                                                         \
  printf(#type "." #field " at %zu, %zu bytes\n", offsetof(type, field), sizeof((type *)0)->field);
#define VALUE(name) printf(#name " %d\n", (int)name);

/* The lists below are not formatted, because clang-format would put each entry on its own line. */
/* clang-format off */
typedef struct cudaDeviceProp DeviceProp;
typedef struct cudaFuncAttributes FuncAttributes;
typedef struct cudaPointerAttributes PointerAttributes;
typedef struct cudaMemcpy3DParms Memcpy3DParms;
typedef struct cudaChannelFormatDesc ChannelFormatDesc;
typedef struct cudaResourceDesc ResourceDesc;
typedef struct cudaTextureDesc TextureDesc;
typedef struct cudaKernelNodeParams KernelNodeParams;
typedef struct cudaMemsetParams MemsetParams;
typedef struct cudaHostNodeParams HostNodeParams;
typedef struct cudaMemAllocNodeParams MemAllocNodeParams;

static void vectors(void) {
#define VECTORS(name) SIZE(name##1) SIZE(name##2) SIZE(name##3)
  VECTORS(char) VECTORS(uchar) VECTORS(short) VECTORS(ushort) VECTORS(int) VECTORS(uint)
  VECTORS(long) VECTORS(ulong) VECTORS(longlong) VECTORS(ulonglong) VECTORS(float) VECTORS(double)
  SIZE(char4) SIZE(uchar4) SIZE(short4) SIZE(ushort4) SIZE(int4) SIZE(uint4) SIZE(float4)
  SIZE(long4_16a) SIZE(ulong4_32a) SIZE(longlong4_16a) SIZE(ulonglong4_32a) SIZE(double4_16a)
  SIZE(double4_32a)
  SIZE(dim3)
}

static void properties(void) {
  SIZE(DeviceProp)
#define P(field) FIELD(DeviceProp, field)
  P(name) P(uuid) P(luid) P(luidDeviceNodeMask) P(totalGlobalMem) P(sharedMemPerBlock)
  P(regsPerBlock) P(warpSize) P(memPitch) P(maxThreadsPerBlock) P(maxThreadsDim) P(maxGridSize)
  P(totalConstMem) P(major) P(minor) P(textureAlignment) P(texturePitchAlignment)
  P(multiProcessorCount) P(integrated) P(canMapHostMemory) P(maxTexture1D) P(maxTexture2D)
  P(maxTexture3D) P(maxTextureCubemap) P(maxSurface1D) P(maxSurfaceCubemapLayered)
  P(surfaceAlignment) P(concurrentKernels) P(ECCEnabled) P(pciBusID) P(pciDeviceID) P(pciDomainID)
  P(tccDriver) P(asyncEngineCount) P(unifiedAddressing) P(memoryBusWidth) P(l2CacheSize)
  P(persistingL2CacheMaxSize) P(maxThreadsPerMultiProcessor) P(streamPrioritiesSupported)
  P(globalL1CacheSupported) P(localL1CacheSupported) P(sharedMemPerMultiprocessor)
  P(regsPerMultiprocessor) P(managedMemory) P(isMultiGpuBoard) P(multiGpuBoardGroupID)
  P(hostNativeAtomicSupported) P(pageableMemoryAccess) P(concurrentManagedAccess)
  P(computePreemptionSupported) P(canUseHostPointerForRegisteredMem) P(cooperativeLaunch)
  P(sharedMemPerBlockOptin) P(pageableMemoryAccessUsesHostPageTables)
  P(directManagedMemAccessFromHost) P(maxBlocksPerMultiProcessor) P(accessPolicyMaxWindowSize)
  P(reservedSharedMemPerBlock) P(hostRegisterSupported) P(sparseCudaArraySupported)
  P(hostRegisterReadOnlySupported) P(memoryPoolsSupported) P(gpuDirectRDMASupported)
  P(ipcEventSupported) P(clusterLaunch) P(unifiedFunctionPointers) P(deviceNumaConfig)
  P(deviceNumaId) P(mpsEnabled) P(hostNumaId) P(gpuPciDeviceID) P(gpuPciSubsystemID)
  P(hostNumaMultinodeIpcSupported)
}

static void structures(void) {
  SIZE(FuncAttributes)
#define F(field) FIELD(FuncAttributes, field)
  F(sharedSizeBytes) F(constSizeBytes) F(localSizeBytes) F(maxThreadsPerBlock) F(numRegs)
  F(ptxVersion) F(binaryVersion) F(cacheModeCA) F(maxDynamicSharedSizeBytes)
  F(preferredShmemCarveout) F(nonPortableClusterSizeAllowed) SIZE(PointerAttributes)
  FIELD(PointerAttributes, type) FIELD(PointerAttributes, device)
  FIELD(PointerAttributes, devicePointer) FIELD(PointerAttributes, hostPointer)
  SIZE(Memcpy3DParms) FIELD(Memcpy3DParms, srcArray) FIELD(Memcpy3DParms, srcPos)
  FIELD(Memcpy3DParms, srcPtr) FIELD(Memcpy3DParms, dstArray) FIELD(Memcpy3DParms, dstPos)
  FIELD(Memcpy3DParms, dstPtr) FIELD(Memcpy3DParms, extent) FIELD(Memcpy3DParms, kind)
  SIZE(cudaLaunchAttribute) SIZE(cudaLaunchConfig_t) FIELD(cudaLaunchAttribute, val)
  FIELD(cudaLaunchConfig_t, dynamicSmemBytes) FIELD(cudaLaunchConfig_t, stream)
  FIELD(cudaLaunchConfig_t, attrs) FIELD(cudaLaunchConfig_t, numAttrs)
  SIZE(ChannelFormatDesc) FIELD(ChannelFormatDesc, w) FIELD(ChannelFormatDesc, f)
  SIZE(ResourceDesc) FIELD(ResourceDesc, resType) FIELD(ResourceDesc, res)
  FIELD(ResourceDesc, res.linear.desc) FIELD(ResourceDesc, res.linear.sizeInBytes)
  FIELD(ResourceDesc, res.pitch2D.width) FIELD(ResourceDesc, res.pitch2D.pitchInBytes)
  FIELD(ResourceDesc, flags) SIZE(TextureDesc) FIELD(TextureDesc, addressMode)
  FIELD(TextureDesc, filterMode) FIELD(TextureDesc, readMode) FIELD(TextureDesc, sRGB)
  FIELD(TextureDesc, borderColor) FIELD(TextureDesc, normalizedCoords)
  FIELD(TextureDesc, seamlessCubemap) SIZE(cudaTextureObject_t)
  SIZE(KernelNodeParams) FIELD(KernelNodeParams, kernelParams) FIELD(KernelNodeParams, extra)
  SIZE(MemsetParams) FIELD(MemsetParams, value) FIELD(MemsetParams, width) SIZE(HostNodeParams)
  SIZE(MemAllocNodeParams) FIELD(MemAllocNodeParams, bytesize) FIELD(MemAllocNodeParams, dptr)
  SIZE(cudaGraphEdgeData) SIZE(cudaGraphExecUpdateResultInfo)
  FIELD(cudaGraphExecUpdateResultInfo, errorNode)
}

static void values(void) {
#define CUDA_ERROR(name, value, description) VALUE(name)
#include "../include/cuda_errors.def"
#define CUDA_ATTRIBUTE(name, driver, value, field) VALUE(cudaDevAttr##name)
#include "../include/cuda_attributes.def"
  VALUE(cudaMemcpyHostToHost) VALUE(cudaMemcpyDefault) VALUE(cudaMemoryTypeManaged)
  VALUE(cudaFuncAttributeMaxDynamicSharedMemorySize)
  VALUE(cudaFuncAttributePreferredSharedMemoryCarveout) VALUE(cudaFuncCachePreferEqual)
  VALUE(cudaSharedMemBankSizeEightByte) VALUE(cudaLimitStackSize) VALUE(cudaLimitPrintfFifoSize)
  VALUE(cudaLimitMallocHeapSize) VALUE(cudaLimitDevRuntimePendingLaunchCount)
  VALUE(cudaLimitPersistingL2CacheSize) VALUE(cudaComputeModeExclusiveProcess)
  VALUE(cudaMemAdviseSetReadMostly) VALUE(cudaMemAdviseUnsetAccessedBy)
  VALUE(cudaMemLocationTypeDevice) VALUE(cudaMemLocationTypeHost)
  VALUE(cudaMemLocationTypeHostNumaCurrent) VALUE(cudaLaunchAttributeCooperative)
  VALUE(cudaLaunchAttributeClusterDimension) VALUE(cudaLaunchAttributePriority)
  VALUE(cudaHostAllocMapped) VALUE(cudaHostAllocWriteCombined) VALUE(cudaEventDisableTiming)
  VALUE(cudaChannelFormatKindSigned) VALUE(cudaChannelFormatKindFloat) VALUE(cudaAddressModeWrap)
  VALUE(cudaAddressModeBorder) VALUE(cudaFilterModeLinear) VALUE(cudaReadModeNormalizedFloat)
  VALUE(cudaResourceTypeArray) VALUE(cudaResourceTypePitch2D) VALUE(cudaArraySurfaceLoadStore)
  VALUE(cudaArrayTextureGather) VALUE(cudaStreamNonBlocking) VALUE(cudaMemAttachGlobal) VALUE(cudaMemAttachSingle)
  VALUE(cudaStreamCaptureModeRelaxed) VALUE(cudaStreamCaptureStatusInvalidated)
  VALUE(cudaStreamSetCaptureDependencies) VALUE(cudaGraphNodeTypeMemFree)
  VALUE(cudaGraphNodeTypeConditional) VALUE(cudaGraphExecUpdateErrorAttributesChanged)
  VALUE(cudaGraphInstantiateFlagUseNodePriority) VALUE(cudaGraphDebugDotFlagsHostNodeParams)
  VALUE(cudaMemAllocationTypeManaged) VALUE(cudaMemAccessFlagsProtReadWrite)
}

/* clang-format on */
int main(void) {
  vectors();
  properties();
  structures();
  values();
  return 0;
}
