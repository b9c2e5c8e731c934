/* Stores the errors of API calls and kernels as CUDA does.
 *
 * There are three kinds of stored errors. Each host thread has a last error, which cudaGetLastError
 * returns and clears. The pending error is the error of a kernel that no call has returned so far.
 * When a call has waited for the kernel, the pending error becomes the sticky error, which every
 * later call that needs the context returns. If the program never checks an error, the error is
 * reported when the program ends. */
#include "runtime.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* The lock is recursive, because registration.c calls exit() while it holds the lock, and
 * destructors that exit() runs may call the runtime. */
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static cudaError_t pending, sticky;
static _Thread_local cudaError_t last_error;

static cudaError_t unseen;
static const char *unseen_call;
static CallSite unseen_site;
static bool any_failure;
/* True after main has returned and the objects that were created after the first runtime call have
 * been destroyed. */
static bool unloading;

/* ---- names and texts ------------------------------------------------------------------------- */
static const struct ErrorText {
  cudaError_t error;
  const char *name, *text;
} texts[] = {
#define CUDA_ERROR(name, value, description) {name, #name, description},
#include "../include/cuda_errors.def"
};

static const struct ErrorText *find_text(int error) {
  static const struct ErrorText unknown = {cudaErrorUnknown, "unrecognized error code",
                                           "unrecognized error code"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if ((int)texts[i].error == error)
      return &texts[i];
  return &unknown;
}
const char *runtime_error_name(int error) { return find_text(error)->name; }
const char *runtime_error_text(int error) { return find_text(error)->text; }

/* ---- a call begins and ends ------------------------------------------------------------------ */
void runtime_enter(void) {
  pthread_mutex_lock(&lock);
  static bool started;
  runtime_report_touched();
  if (started)
    return;
  started = true;
  runtime_watch_faults();
  runtime_watch_exit();
}

static void unload(void) { unloading = true; }
void runtime_used(void) {
  static bool used;
  if (!used)
    atexit(unload);
  used = true;
}

/* After the end of main, NVIDIA's runtime refuses all calls. Destructors of global objects may
 * still call cudaFree and ignore the error. The emulator executes such calls, so that no leak is
 * reported, but returns the same error. */
cudaError_t runtime_leave(const char *call, cudaError_t error) {
  if (unloading && !error) {
    pthread_mutex_unlock(&lock);
    return cudaErrorCudartUnloading;
  }
  if (error != cudaSuccess && error != cudaErrorNotReady) {
    last_error = error;
    any_failure = true;
    if (!unseen_call) {
      unseen_call = call;
      unseen = error;
      call_site(&unseen_site);
    }
  }
  pthread_mutex_unlock(&lock);
  return error;
}

void runtime_set_pending(cudaError_t error) {
  if (!pending)
    pending = error;
}

cudaError_t runtime_pending(void) { return pending; }

void runtime_settle(void) {
  if (!sticky)
    sticky = pending;
  pending = cudaSuccess;
  if (sticky)
    /* After a failure, no device work is running. */
    runtime_shared_memory_settle();
}

cudaError_t runtime_sticky(void) { return sticky; }

void runtime_clear_errors(void) {
  bool lost = sticky || pending;
  sticky = lost ? cudaErrorDevicesUnavailable : cudaSuccess;
  pending = last_error = cudaSuccess;
}

const char *runtime_unseen_call(cudaError_t *error, CallSite *site) {
  *error = unseen;
  *site = unseen_site;
  return unseen_call;
}

bool runtime_any_failure(void) { return any_failure; }

/* Called if the program checks for errors. All failures before this call count as checked. */
static void notice(void) { unseen_call = NULL; }

cudaError_t cudaGetLastError(void) {
  runtime_enter();
  notice();
  cudaError_t error = last_error;
  last_error = cudaSuccess;
  pthread_mutex_unlock(&lock);
  return error;
}

cudaError_t cudaPeekAtLastError(void) {
  runtime_enter();
  notice();
  cudaError_t error = last_error;
  pthread_mutex_unlock(&lock);
  return error;
}

static const struct ErrorText *asked_for(cudaError_t error) {
  if (error != cudaSuccess)
    notice();
  return find_text((int)error);
}

const char *cudaGetErrorName(cudaError_t error) { return asked_for(error)->name; }
const char *cudaGetErrorString(cudaError_t error) { return asked_for(error)->text; }
