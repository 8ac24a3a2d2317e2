/* weir-fmu-worker REGION PARENT: a process of its own for one instance of an FMU.
 *
 * Started by an instance (process.c), never by hand. REGION is the number of the open file that is
 * the region of wire.h; PARENT the number of the process that started it, with which it ends. It
 * links libc and the loader alone, and the mathematics library, which not every FMU names though
 * it uses it. Before it looks at a request it limits itself: its memory, its stack; no core file;
 * no network. What it prints goes to the instance's log.
 *
 * Signals and exits are left to themselves: the instance sees how the process ends. The handler
 * here only notes what the signal alone does not say.
 */
#include "base/core.h"
#include "fmi/library.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

#define STACK_BYTES (64u << 20) /* at most; it could eat all memory otherwise */
#define GUARD_BYTES (1u << 20)  /* how far beyond the stack's end a frame may reach */

static WeirFmuRegion *region;
static char *stack_top;

/* --- Last words ------------------------------------------------------------------------------ */

static uint64_t
count_pages (void)
{
  char text[64];
  int fd = open ("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  ssize_t n = fd >= 0 ? read (fd, text, sizeof text - 1) : 0;
  uint64_t pages = 0;

  if (fd >= 0)
    close (fd);
  for (ssize_t i = 0; i < n && text[i] >= '0' && text[i] <= '9'; i++)
    pages = 10 * pages + (uint64_t) (text[i] - '0');
  return pages;
}

/* Then the signal comes again and has its way. */
static void
note_fault (int signal_number, siginfo_t *info, void *context)
{
  char *address = info->si_addr;
  struct rlimit stack;
  uint32_t fault = (uint32_t) signal_number;

  (void) context;
  if (signal_number == SIGSEGV && getrlimit (RLIMIT_STACK, &stack) == 0 && address < stack_top
      && address > stack_top - stack.rlim_cur - GUARD_BYTES)
    fault |= WEIR_FMU_STACK_RAN_OUT;
  atomic_store (&region->pages, count_pages ());
  atomic_store (&region->fault, fault);
  if (signal_number == SIGABRT)
    return; /* abort() goes on by itself */
  signal (signal_number, SIG_DFL);
}

static void
note_faults (void)
{
  static char alternate[64 << 10];
  const int signals[] = { SIGSEGV, SIGBUS, SIGABRT };
  stack_t stack = { .ss_sp = alternate, .ss_size = sizeof alternate };
  struct sigaction action = { .sa_sigaction = note_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK };

  sigaltstack (&stack, NULL);
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    sigaction (signals[i], &action, NULL);
}

/* --- Limits ---------------------------------------------------------------------------------- */

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define MACHINE AUDIT_ARCH_RISCV64
#endif

/* Sockets of one machine stay (a pair of them is a pipe); the network, and the ways round this
 * filter, are refused. */
static bool
close_network (void)
{
#ifdef MACHINE
  struct sock_filter lines[] = {
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, arch)),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 5, 0),
#ifdef __x86_64__
    BPF_JUMP (BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 4, 0), /* x32: other numbers */
#else
    BPF_JUMP (BPF_JMP | BPF_JA, 0, 0, 0),
#endif
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 2),
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, args[0])),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 0, 1),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
  };
  struct sock_fprog program = { sizeof lines / sizeof *lines, lines };

  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
      && prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0)
    return true;
#endif
  return unshare (CLONE_NEWNET) == 0;
}

static void
limit_oneself (void)
{
  struct rlimit none = { 0, 0 }, memory, stack;

  setrlimit (RLIMIT_CORE, &none);
  prctl (PR_SET_DUMPABLE, 0); /* a program that collects cores asks this */
  if (getrlimit (RLIMIT_STACK, &stack) == 0 && stack.rlim_cur > STACK_BYTES)
    {
      stack.rlim_cur = STACK_BYTES;
      setrlimit (RLIMIT_STACK, &stack);
    }
  if (region->memory_limit > 0)
    {
      memory.rlim_cur = memory.rlim_max = region->memory_limit + region->size;
      setrlimit (RLIMIT_AS, &memory);
    }
  if (close_network ())
    atomic_fetch_or (&region->closed, WEIR_FMU_CLOSED_NETWORK);
}

/* --- The worker ------------------------------------------------------------------------------ */

/* One write, so that lines of several threads stay whole. */
static void
print_line (void *data, const char *line)
{
  char text[1400];
  int n = snprintf (text, sizeof text, "%s\n", line);

  (void) data;
  if (n > 0 && write (STDERR_FILENO, text, (size_t) n < sizeof text ? (size_t) n : sizeof text) < 0)
    return; /* nobody listens */
}

int
main (int argc, char **argv)
{
  static WeirFmuLibrary library;
  WeirFmuSpin spin = { 0 };
  uint32_t served = 0;
  struct stat file;
  cpu_set_t cores;
  int fd;

  stack_top = (char *) &file;
  if (argc != 3 || (fd = atoi (argv[1])) <= STDERR_FILENO || fstat (fd, &file) != 0
      || (size_t) file.st_size < sizeof *region)
    {
      fputs ("weir-fmu-worker: started by weir for each FMU, not by hand.\n", stderr);
      return 2;
    }
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (getppid () != atoi (argv[2]))
    return 0; /* it has ended already */
  region = mmap (NULL, (size_t) file.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close (fd);
  if (region == MAP_FAILED || region->size != (uint64_t) file.st_size)
    return 2;
  setvbuf (stdout, NULL, _IOLBF, 0);
  limit_oneself ();
  note_faults ();
  if (sched_getaffinity (0, sizeof cores, &cores) == 0 && CPU_COUNT (&cores) > 1)
    spin.limit = WEIR_FMU_SPINS;
  library.log = print_line;
  for (;;)
    {
      uint32_t asked;

      while ((asked = atomic_load (&region->asked)) == served)
        if (weir_fmu_await (&region->asked, served, &region->worker_sleeps, &spin, NULL))
          weir_core_leave (atomic_load_explicit (&region->host_core, memory_order_relaxed));
      served = asked;
      weir_fmu_perform (&library, (char *) region, region->size, &region->used, region->calls,
                        region->n_calls, &region->at);
      weir_fmu_tell (&region->answered, served, &region->host_sleeps);
    }
}
