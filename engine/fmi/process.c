/* Starting, asking and ending a worker process. See process.h. */
#include "fmi/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/wait.h>

#include "base/error.h"
#include "base/phrase.h"
#include "base/program.h"
#include "base/sync.h"
#include "base/text.h"

#define REGION_FD 3    /* in the worker */
#define LAST_READS 64  /* of what an ended process has printed, at most */
#define KILL_SECONDS 5 /* for a killed process to be gone; longer: a broken driver or disk */

struct _WeirFmuProcess {
  WeirFmuRegion *region;
  int region_fd; /* until the process has it */
  GThread *watcher;
  GMutex mutex; /* of what follows */
  GCond changed;
  gboolean is_settled; /* started or not */
  int start_error;
  siginfo_t end;

  pid_t pid;
  int process_fd, output;
  char *program;
  WeirFmuLog *log; /* borrowed */
  guint64 memory_limit;
  GMutex reading;
  gint has_ended;      /* atomic */
  const gint *watched; /* NULL: nobody stops the run */

  guint32 serial;
  WeirFmuSpin spin;
};

/* --- The region ------------------------------------------------------------------------------ */

WeirFmuRegion *
weir_fmu_region_new (int *fd, GError **error)
{
  WeirFmuRegion *region = MAP_FAILED;
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, file = -1;
  gboolean is_made = TRUE;

  if (fd != NULL)
    {
      /* Sealed: a file that becomes shorter would end this program too. */
      flags = MAP_SHARED;
      file = memfd_create ("weir-fmu", MFD_CLOEXEC | MFD_ALLOW_SEALING);
      is_made = file >= 0 && ftruncate (file, (off_t) WEIR_FMU_REGION_BYTES) == 0
                && fcntl (file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0;
    }
  if (is_made)
    region = mmap (NULL, WEIR_FMU_REGION_BYTES, PROT_READ | PROT_WRITE, flags, file, 0);
  if (region == MAP_FAILED)
    {
      weir_error_set (error, WEIR_ERROR_FAILED,
                      "There is no memory to exchange values with an FMU: %s.", g_strerror (errno));
      if (file >= 0)
        close (file);
      return NULL;
    }
  region->size = WEIR_FMU_REGION_BYTES;
  if (fd != NULL)
    *fd = file;
  return region;
}

void
weir_fmu_region_free (WeirFmuRegion *region)
{
  if (region != NULL)
    munmap (region, WEIR_FMU_REGION_BYTES);
}

/* --- The thread that watches ----------------------------------------------------------------- */

/* Its standard output and error are one pipe, it has no input, and no other open file of ours. */
static int
spawn (WeirFmuProcess *self, int output)
{
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  char number[16], parent[16];
  char *arguments[] = { self->program, number, parent, NULL };
  sigset_t none, all;
  int result;

  g_snprintf (number, sizeof number, "%d", REGION_FD);
  g_snprintf (parent, sizeof parent, "%ld", (long) getpid ());
  sigemptyset (&none);
  sigfillset (&all);
  posix_spawn_file_actions_init (&actions);
  posix_spawn_file_actions_addopen (&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2 (&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2 (&actions, output, STDERR_FILENO);
  posix_spawn_file_actions_adddup2 (&actions, self->region_fd, REGION_FD);
  posix_spawn_file_actions_addclosefrom_np (&actions, REGION_FD + 1);
  posix_spawnattr_init (&attributes);
  posix_spawnattr_setsigmask (&attributes, &none);
  posix_spawnattr_setsigdefault (&attributes, &all);
  posix_spawnattr_setpgroup (&attributes, 0);
  posix_spawnattr_setflags (&attributes,
                            POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  result = posix_spawn (&self->pid, self->program, &actions, &attributes, arguments, environ);
  posix_spawnattr_destroy (&attributes);
  posix_spawn_file_actions_destroy (&actions);
  return result;
}

static int
start (WeirFmuProcess *self)
{
  int ends[2], result;

  if (pipe2 (ends, O_CLOEXEC) != 0)
    return errno;
  fcntl (ends[0], F_SETFL, O_NONBLOCK);
  result = spawn (self, ends[1]);
  close (ends[1]);
  if (result != 0)
    {
      close (ends[0]);
      return result;
    }
  self->output = ends[0];
  self->process_fd = pidfd_open (self->pid, 0);
  if (self->process_fd < 0)
    {
      result = errno;
      kill (self->pid, SIGKILL);
      waitid (P_PID, (id_t) self->pid, &(siginfo_t) { 0 }, WEXITED);
      close (self->output);
      self->output = -1;
    }
  return result;
}

/* What there is to read, once. FALSE: nothing (more). */
static gboolean
read_output (WeirFmuProcess *self)
{
  char text[16384];
  ssize_t n;

  weir_sync_lock (&self->reading);
  n = read (self->output, text, sizeof text);
  if (n > 0)
    weir_fmu_log_append (self->log, text, (gsize) n);
  weir_sync_unlock (&self->reading);
  return n > 0;
}

static gpointer
watch (gpointer data)
{
  WeirFmuProcess *self = data;
  struct pollfd files[2];
  siginfo_t end = { 0 };
  int result = start (self);

  weir_sync_lock (&self->mutex);
  self->start_error = result;
  self->is_settled = TRUE;
  g_cond_signal (&self->changed);
  weir_sync_unlock (&self->mutex);
  if (result != 0)
    return NULL;

  files[0] = (struct pollfd) { .fd = self->process_fd, .events = POLLIN };
  files[1] = (struct pollfd) { .fd = self->output, .events = POLLIN };
  while (files[0].revents == 0)
    {
      if (poll (files, 2, -1) < 0)
        files[0].revents = files[1].revents = 0; /* a signal */
      else if (files[1].revents != 0 && !read_output (self) && (files[1].revents & POLLHUP))
        files[1].fd = -1; /* it has closed its output */
    }
  /* As long as it is not waited for, its number and that of its group are nobody else's. */
  waitid (P_PID, (id_t) self->pid, &end, WEXITED | WNOWAIT);
  kill (-self->pid, SIGKILL);
  for (guint i = 0; i < LAST_READS && read_output (self); i++)
    continue;
  waitid (P_PID, (id_t) self->pid, &(siginfo_t) { 0 }, WEXITED);

  weir_sync_lock (&self->mutex);
  self->end = end;
  g_atomic_int_set (&self->has_ended, TRUE);
  g_cond_signal (&self->changed);
  weir_sync_unlock (&self->mutex);
  atomic_fetch_or (&self->region->answered, WEIR_FMU_STOPPED);
  weir_fmu_wake (&self->region->answered);
  return NULL;
}

/* --- Its life -------------------------------------------------------------------------------- */

static guint
choose_spins (void)
{
  cpu_set_t cores;

  return sched_getaffinity (0, sizeof cores, &cores) == 0 && CPU_COUNT (&cores) > 1 ? WEIR_FMU_SPINS
                                                                                    : 0;
}

/* FALSE: it does not go. */
static gboolean
end (WeirFmuProcess *self)
{
  gint64 last = g_get_monotonic_time () + KILL_SECONDS * G_USEC_PER_SEC;

  if (!g_atomic_int_get (&self->has_ended))
    pidfd_send_signal (self->process_fd, SIGKILL, NULL, 0);
  weir_sync_lock (&self->mutex);
  while (!g_atomic_int_get (&self->has_ended)
         && weir_sync_wait_until (&self->changed, &self->mutex, last))
    continue;
  weir_sync_unlock (&self->mutex);
  return g_atomic_int_get (&self->has_ended);
}

WeirFmuProcess *
weir_fmu_process_start (guint64 memory_limit, WeirFmuLog *log, GError **error)
{
  WeirFmuProcess *self = g_new0 (WeirFmuProcess, 1);

  g_mutex_init (&self->mutex);
  g_mutex_init (&self->reading);
  g_cond_init (&self->changed);
  self->region_fd = self->process_fd = self->output = -1;
  self->program = weir_program_find ("weir-fmu-worker");
  self->log = log;
  self->spin.limit = choose_spins ();
  self->region = weir_fmu_region_new (&self->region_fd, error);
  if (self->region == NULL)
    {
      weir_fmu_process_stop (self);
      return NULL;
    }
  self->region->memory_limit = self->memory_limit = memory_limit;
  self->watcher = g_thread_try_new ("fmu-worker", watch, self, error);
  if (self->watcher == NULL)
    {
      weir_fmu_process_stop (self);
      return NULL;
    }
  weir_sync_lock (&self->mutex);
  while (!self->is_settled)
    weir_sync_wait (&self->changed, &self->mutex);
  weir_sync_unlock (&self->mutex);
  close (self->region_fd);
  self->region_fd = -1;
  if (self->start_error != 0)
    {
      weir_error_set (error, WEIR_ERROR_FAILED,
                      "The program that runs FMUs, \"%s\", cannot be started: %s.", self->program,
                      g_strerror (self->start_error));
      weir_fmu_process_stop (self);
      return NULL;
    }
  return self;
}

gboolean
weir_fmu_process_stop (WeirFmuProcess *self)
{
  if (self == NULL)
    return TRUE;
  if (self->watcher != NULL)
    {
      if (self->start_error == 0 && !end (self))
        return FALSE;
      g_thread_join (self->watcher);
    }
  if (self->region_fd >= 0)
    close (self->region_fd);
  if (self->process_fd >= 0)
    close (self->process_fd);
  if (self->output >= 0)
    close (self->output);
  weir_fmu_region_free (self->region);
  g_mutex_clear (&self->mutex);
  g_mutex_clear (&self->reading);
  g_cond_clear (&self->changed);
  g_free (self->program);
  g_free (self);
  return TRUE;
}

WeirFmuRegion *
weir_fmu_process_get_region (WeirFmuProcess *self)
{
  return self->region;
}

pid_t
weir_fmu_process_get_id (const WeirFmuProcess *self)
{
  return self->pid;
}

/* --- Asking ---------------------------------------------------------------------------------- */

#define LOOK (20 * G_TIME_SPAN_MILLISECOND) /* whether the run has been stopped */
#define PATIENCE                                                                                   \
  (60 * G_TIME_SPAN_MILLISECOND) /* with a call then, which is to leave a whole FMU */

/* How long to sleep at most; 0: the limit has passed. FALSE: there is none. @limit: monotonic time
 * in us, or 0. */
static gboolean
find_rest (const WeirFmuProcess *self, gint64 limit, struct timespec *rest)
{
  gint64 us = limit != 0 ? MAX (limit - g_get_monotonic_time (), 0) : G_MAXINT64;

  if (self->watched != NULL)
    us = MIN (us, LOOK);
  rest->tv_sec = us / G_USEC_PER_SEC;
  rest->tv_nsec = us % G_USEC_PER_SEC * 1000;
  return us < G_MAXINT64;
}

/* @stopped: (inout) when the run was first seen to be stopped; 0: it is not. */
static gboolean
is_out_of_patience (const WeirFmuProcess *self, gint64 *stopped)
{
  if (self->watched == NULL || g_atomic_int_get (self->watched) == 0)
    return FALSE;
  if (*stopped == 0)
    *stopped = g_get_monotonic_time ();
  return g_get_monotonic_time () - *stopped >= PATIENCE;
}

WeirFmuAnswer
weir_fmu_process_ask (WeirFmuProcess *self, double limit)
{
  WeirFmuRegion *region = self->region;
  gint64 last = limit > 0 ? g_get_monotonic_time () + (gint64) (limit * 1e6) : 0;
  gint64 stopped = 0;
  guint32 found;

  if (g_atomic_int_get (&self->has_ended))
    {
      end (self);
      return WEIR_FMU_ENDED;
    }
  self->serial = (self->serial + 1) & ~WEIR_FMU_STOPPED;
  atomic_store_explicit (&region->host_core, sched_getcpu (), memory_order_relaxed);
  weir_fmu_tell (&region->asked, self->serial, &region->worker_sleeps);
  while ((found = atomic_load_explicit (&region->answered, memory_order_acquire)) != self->serial)
    {
      struct timespec rest;
      WeirFmuAnswer answer = WEIR_FMU_ANSWERED;
      gboolean is_limited = find_rest (self, last, &rest);

      if (is_out_of_patience (self, &stopped))
        answer = WEIR_FMU_CANCELLED;
      else if (g_atomic_int_get (&self->has_ended))
        answer = WEIR_FMU_ENDED;
      else if (is_limited && rest.tv_sec == 0 && rest.tv_nsec == 0)
        answer = WEIR_FMU_TOO_LONG;
      if (answer != WEIR_FMU_ANSWERED)
        {
          end (self);
          return answer;
        }
      weir_fmu_await (&region->answered, found, &region->host_sleeps, &self->spin,
                      is_limited ? &rest : NULL);
    }
  return WEIR_FMU_ANSWERED;
}

void
weir_fmu_process_watch (WeirFmuProcess *self, const gint *cancel)
{
  self->watched = cancel;
}

/* --- What is said of it ---------------------------------------------------------------------- */

void
weir_fmu_process_read_log (WeirFmuProcess *self)
{
  for (guint i = 0; i < LAST_READS && read_output (self); i++)
    continue;
}

static const char *
find_signal (int number)
{
  switch (number)
    {
    case SIGSEGV:
      return N_ ("a segmentation fault");
    case SIGBUS:
      return N_ ("a bus error");
    case SIGABRT:
      return N_ ("abort ()");
    case SIGFPE:
      return N_ ("an arithmetic exception");
    case SIGILL:
      return N_ ("an illegal instruction");
    case SIGKILL:
      return N_ ("SIGKILL from outside");
    case SIGSYS:
      return N_ ("a system call that is not permitted");
    default:
      return NULL;
    }
}

WeirMessage *
weir_fmu_process_explain_end (WeirFmuProcess *self)
{
  guint32 fault = atomic_load (&self->region->fault);
  guint64 used = atomic_load (&self->region->pages) * (guint64) sysconf (_SC_PAGESIZE);
  WeirMessage *end;
  siginfo_t how;
  const char *name;

  weir_sync_lock (&self->mutex);
  how = self->end;
  weir_sync_unlock (&self->mutex);
  name = find_signal (how.si_status);
  if (!g_atomic_int_get (&self->has_ended))
    return weir_message_new (N_ ("left a process that cannot be ended"));
  if (how.si_code == CLD_EXITED)
    end = weir_message_new (N_ ("ended its process by exit (%d)"), how.si_status);
  else if (fault & WEIR_FMU_STACK_RAN_OUT)
    end = weir_message_new (N_ ("ended its process: its stack ran out"));
  else if (name != NULL)
    end = weir_message_new (N_ ("ended its process by %s"), weir_phrase (name));
  else
    end = weir_message_new (N_ ("ended its process by signal %d"), how.si_status);
  /* A failed allocation is seldom told as one. */
  if (fault != 0 && self->memory_limit > 0 && used > self->memory_limit / 10 * 9)
    end = weir_message_join (
        end, " ",
        weir_message_new (N_ ("(it had taken nearly all of the %.3g GB that it may have)"),
                          (double) self->memory_limit / 1e9));
  return end;
}
