/* Writes a change log as another engine would: plain C, nothing of Weir. data/change-log.md
 * describes the file. Usage: write-change-log FILE
 *
 * The engine imitated has one system, "tank", with the cached values level (reads the state) and
 * flow (reads level and the parameter), and evaluates from the top down. The run: everything is
 * computed; the valve is opened, and flow is asked for twice; then time passes, and flow is asked
 * for again.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { EVENT = 0, REQUEST = 3, EVALUATED = 14 };
enum { SOURCE_STATE, SOURCE_VALVE };
enum { ENTRY_FLOW, ENTRY_LEVEL };

static void
write_number (FILE *file, uint64_t number, int n_bytes)
{
  for (int i = 0; i < n_bytes; i++)
    fputc ((int) (number >> (8 * i) & 0xff), file);
}

static void
write_record (FILE *file, double time, uint64_t number, uint32_t subject, uint32_t detail, int kind,
              int phase, int reason)
{
  uint64_t bits;

  memcpy (&bits, &time, sizeof bits);
  write_number (file, bits, 8);
  write_number (file, number, 8);
  write_number (file, subject, 4);
  write_number (file, detail, 4);
  write_number (file, 0, 4); /* not timed */
  write_number (file, (uint64_t) kind, 1);
  write_number (file, (uint64_t) phase, 1);
  write_number (file, (uint64_t) reason, 1);
  write_number (file, 0, 1);
}

int
main (int argc, char **argv)
{
  FILE *file = argc == 2 ? fopen (argv[1], "wb") : NULL;

  if (file == NULL)
    {
      fprintf (stderr, "usage: write-change-log FILE\n");
      return 2;
    }
  fputs ("weir-change-log\t1\n"
         "byte-order\tlittle\n"
         "engine\tan example\n"
         "model\ttank\n"
         "evaluations\tstored\n"
         "systems\t2\n"
         "-\t\n"
         "0\ttank\n"
         "entries\t2\n"
         "1\teager\t1\tflow\n"
         "1\teager\t-\tlevel\n"
         "trackers\t4\n"
         "1\t-\t2\tstate\n"
         "1\t-\t3\tvalve\n"
         "1\t1\t3\tlevel\n"
         "1\t0\t-\tflow\n"
         "sources\t2\n"
         "0\ttank:state\n"
         "1\ttank:valve\n"
         "keyframes\t1\n"
         "lost\t0\n"
         "records\t11\n"
         "end\n",
         file);
  write_number (file, 0, 8); /* before the first record */
  write_number (file, 1, 8); /* caching is on */
  write_number (file, 3, 8); /* both are out of date */
  write_number (file, 0, 8); /* neither is disabled */
  write_number (file, 0, 8); /* neither was ever computed */

  write_record (file, 0, 0, ENTRY_FLOW, 0, REQUEST, 1, 0);
  write_record (file, 0, 1, ENTRY_LEVEL, 1, EVALUATED, 1, 0);
  write_record (file, 0, 1, ENTRY_FLOW, 1, EVALUATED, 1, 0);
  write_record (file, 0, 1, SOURCE_VALVE, 0, EVENT, 9, 0);
  write_record (file, 0, 1, ENTRY_FLOW, 0, REQUEST, 2, 0);
  write_record (file, 0, 1, ENTRY_FLOW, 1, EVALUATED, 2, 1);
  write_record (file, 0, 1, ENTRY_FLOW, 0, REQUEST, 2, 0);
  write_record (file, 0.5, 2, SOURCE_STATE, 0, EVENT, 5, 0);
  write_record (file, 0.5, 2, ENTRY_FLOW, 0, REQUEST, 2, 0);
  write_record (file, 0.5, 0, ENTRY_LEVEL, 1, EVALUATED, 2, 1); /* the same bytes as before */
  write_record (file, 0.5, 1, ENTRY_FLOW, 1, EVALUATED, 2, 1);
  return fclose (file) == 0 ? 0 : 1;
}
