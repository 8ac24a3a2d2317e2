/* A worker process, seen from the program that started it. See wire.h for what they share.
 *
 * A thread of its own starts the process, waits for its end and reads what it prints: the kernel
 * ends the process with the thread that started it, so that it is there no longer than the program
 * is. Whoever waits for an answer is woken by an end. Nothing of the process outlives
 * weir_fmu_process_stop(): it is killed with what it has started (unless that has left its group),
 * and waited for.
 *
 * Thread: one at a time.
 */
#pragma once

#include <gio/gio.h>
#include <sys/types.h>

#include "base/message.h"
#include "fmi/log.h"
#include "fmi/wire.h"

G_BEGIN_DECLS

/* Virtual: memory is used as it is written to. */
#define WEIR_FMU_REGION_BYTES ((guint64) 256 << 20)

typedef struct _WeirFmuProcess WeirFmuProcess;

typedef enum {
  WEIR_FMU_ANSWERED,
  WEIR_FMU_ENDED,
  WEIR_FMU_TOO_LONG,
  WEIR_FMU_CANCELLED,
} WeirFmuAnswer;

/* A region that is not shared, of the same make, and what ends either. @fd: a region that is
 * shared, with its open file. NULL and @error. */
WeirFmuRegion *weir_fmu_region_new (int *fd, GError **error);
void weir_fmu_region_free (WeirFmuRegion *region);

/* @memory_limit: bytes, 0: none. @log: borrowed. NULL and @error. */
WeirFmuProcess *weir_fmu_process_start (guint64 memory_limit, WeirFmuLog *log, GError **error);
/* FALSE: the system cannot end it; its thread, which stays, uses the log still. */
gboolean weir_fmu_process_stop (WeirFmuProcess *self);

WeirFmuRegion *weir_fmu_process_get_region (WeirFmuProcess *self);
pid_t weir_fmu_process_get_id (const WeirFmuProcess *self);

/* Performs what stands in the region. @limit: seconds, 0: none. But for an answer, the process has
 * ended when this returns. */
WeirFmuAnswer weir_fmu_process_ask (WeirFmuProcess *self, double limit);
/* @cancel: (nullable) while it is non-zero (atomically) a request that does not end soon is ended.
 */
void weir_fmu_process_watch (WeirFmuProcess *self, const gint *cancel);

/* What has been printed up to here is in the log. */
void weir_fmu_process_read_log (WeirFmuProcess *self);
/* How an ended process ended: "ended its process by a segmentation fault". (transfer full) */
WeirMessage *weir_fmu_process_explain_end (WeirFmuProcess *self);

G_END_DECLS
