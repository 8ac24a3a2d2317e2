/* An FMU that does harm when its derivative is asked for, or when it steps: which, its parameter
 * says, and from which time on. x' = u.
 * Variables: 0 time, 1 x, 2 der (x), 3 u, 4 deed (integer), 5 from (time), 6 found (integer).
 * With WEIR_HOSTILE_START the deed is done while it is loaded. */
#include "frame.h"
#include "hostile.h"

#include <fenv.h>
#include <locale.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#define TOKEN "{weir-test-hostile}"
#define N_STATES 1
#define N_INDICATORS 0

struct Model {
  Frame frame;
  double x[1], xdot[1], u, from;
  int32_t deed, found;
};

static void
set_start (Model *m)
{
}

static Place
find (Model *m, uint32_t ref)
{
  double *places[] = { &m->frame.time, &m->x[0], &m->xdot[0], &m->u };

  switch (ref)
    {
    case 4:
      return (Place) { I32, &m->deed, 1 };
    case 5:
      return (Place) { F64, &m->from, 1 };
    case 6:
      return (Place) { I32, &m->found, 1 };
    default:
      return (Place) { F64, ref < 4 ? places[ref] : NULL, 1 };
    }
}

/* --- Deeds ----------------------------------------------------------------------------------- */

static volatile int sink;
static int *volatile nowhere;

__attribute__ ((noinline)) static int
overflow_stack (int depth)
{
  volatile char frame[4096];

  frame[0] = (char) depth;
  return overflow_stack (depth + 1) + frame[0];
}

static void
eat_memory (void)
{
  for (;;)
    {
      char *memory = malloc (16 << 20);

      memset (memory, 1, 16 << 20); /* as most programs: nobody looks */
      sink += memory[0];
    }
}

/* All that this process shares with another is overwritten. */
static void
scribble (void)
{
  FILE *maps = fopen ("/proc/self/maps", "r");
  char line[400];

  while (maps != NULL && fgets (line, sizeof line, maps) != NULL)
    {
      unsigned long from, to;

      if (strstr (line, "memfd:weir-fmu") == NULL || sscanf (line, "%lx-%lx", &from, &to) != 2)
        continue;
      for (unsigned long i = from + 16; i + 8 <= to && i < from + (1 << 16); i += 8)
        *(uint64_t *) i = 0xa5a5a5a5a5a5a5a5u;
    }
  if (maps != NULL)
    fclose (maps);
}

static WeirFmiStatus
do_it (Model *m)
{
  switch (m->deed)
    {
    case CRASH:
      *nowhere = 1;
      break;
    case ABORT:
      abort ();
    case EXIT:
      exit (7);
    case LOOP:
      for (;;)
        sink++;
    case OVERFLOW_STACK:
      sink = overflow_stack (0);
      break;
    case EAT_MEMORY:
      eat_memory ();
      break;
    case PRINT:
      for (;;)
        printf ("All work and no play makes Jack a dull boy.\n");
    case FORK:
      if (fork () == 0)
        for (;;)
          pause ();
      break;
    case ROUND:
      fesetround (FE_DOWNWARD);
      setlocale (LC_ALL, "C.UTF-8");
      break;
    case CONNECT:
      m->found = socket (AF_INET, SOCK_STREAM, 0) >= 0;
      break;
    case FAIL_WITH_WORDS:
      say ("logStatusError", "the %s is %d metres too short", "beam", 3);
      return WEIR_FMI_ERROR;
    case FAIL_FOR_GOOD:
      return WEIR_FMI_FATAL;
    case DISCARD:
      return WEIR_FMI_DISCARD;
    case SCRIBBLE:
      scribble ();
      break;
    case CLOSE_FILES:
      for (int i = 0; i < 64; i++)
        close (i);
      break;
    case KILL_ITSELF:
      raise (SIGKILL);
      break;
    case SLEEP:
      usleep (20000);
      break;
    case TRAP:
      feenableexcept (FE_DIVBYZERO);
      break;
    case RAISE_STOP:
      raise (SIGSTOP);
      break;
    default:
      break;
    }
  return WEIR_FMI_OK;
}

#ifdef WEIR_HOSTILE_START
__attribute__ ((constructor)) static void
start_badly (void)
{
  abort ();
}
#endif

static WeirFmiStatus
calculate (Model *m)
{
  bool is_time = m->frame.mode == CONTINUOUS || m->frame.mode == STEPPING;

  m->xdot[0] = m->u;
  return m->deed != NOTHING && is_time && m->frame.time >= m->from ? do_it (m) : WEIR_FMI_OK;
}

static WeirFmiStatus
update (Model *m, WeirFmi2EventInfo *info)
{
  return WEIR_FMI_OK;
}

static bool
differentiate (Model *m, uint32_t unknown, uint32_t known, double *factor)
{
  return false;
}

#include "frame-functions.h"
