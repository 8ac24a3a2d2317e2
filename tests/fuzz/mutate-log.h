/* Mutations of a change log that keep it one: its records and keyframes are exchanged, doubled,
 * taken out and given other numbers of those that exist. Bytes changed at random are mostly refused
 * by the reader; these are for what comes after it.
 */
#pragma once

#include <string.h>

#include "analysis/trace-private.h"

static inline guint32
random_below (GRand *rand, guint64 n)
{
  return n > 1 ? (guint32) g_rand_int_range (rand, 0, (gint32) MIN (n, G_MAXINT32)) : 0;
}

/* A subject and a detail that a record of this kind may have. FALSE: there is none. */
static gboolean
number_record (GRand *rand, const WeirTrace *trace, WeirLogRecord *record)
{
  guint n_entries = weir_trace_get_n_entries (trace), n_sources = weir_trace_get_n_sources (trace);

  record->subject = record->detail = 0;
  switch ((WeirLogKind) record->kind)
    {
    case WEIR_LOG_EVENT:
    case WEIR_LOG_PART:
      record->subject = random_below (rand, n_sources);
      return n_sources > 0;
    case WEIR_LOG_REQUEST:
    case WEIR_LOG_CALCULATION:
    case WEIR_LOG_WRITE:
      record->subject = random_below (rand, n_entries);
      return n_entries > 0;
    case WEIR_LOG_MARK:
    case WEIR_LOG_ENTRY_CACHING:
    case WEIR_LOG_FAILED:
      record->subject = random_below (rand, n_entries);
      record->detail = random_below (rand, 2);
      return n_entries > 0;
    case WEIR_LOG_CACHING:
      record->detail = random_below (rand, 2);
      return TRUE;
    case WEIR_LOG_NESTED:
    case WEIR_LOG_DEMAND:
    case WEIR_LOG_READ:
    case WEIR_LOG_MEMBER:
    case WEIR_LOG_TRY:
      record->subject = random_below (rand, n_entries);
      record->detail = random_below (rand, n_entries);
      return n_entries > 0;
    case WEIR_LOG_EVALUATED:
      record->subject = random_below (rand, n_entries);
      record->detail = 1 + random_below (rand, MIN (n_entries - record->subject, 64));
      return n_entries > 0;
    case WEIR_LOG_JOINT:
    case WEIR_LOG_ALL_OUT_OF_DATE:
    case WEIR_LOG_RESTORED:
      return TRUE;
    case WEIR_LOG_N_KINDS:
    default:
      return FALSE;
    }
}

/* Puts @record in at @at. */
static void
insert_record (WeirTrace *trace, gsize at, WeirLogRecord record)
{
  trace->records = g_renew (WeirLogRecord, trace->records, trace->n_records + 1);
  memmove (&trace->records[at + 1], &trace->records[at],
           (trace->n_records - at) * sizeof *trace->records);
  trace->records[at] = record;
  trace->n_records++;
}

static void
remove_record (WeirTrace *trace, gsize at)
{
  trace->n_records--;
  memmove (&trace->records[at], &trace->records[at + 1],
           (trace->n_records - at) * sizeof *trace->records);
  for (gsize k = 0; k < trace->n_keyframes; k++)
    {
      guint64 *index = &trace->keyframes[k * WEIR_LOG_KEYFRAME_SIZE (trace->n_words)];

      *index = MIN (*index, trace->n_records);
    }
}

/* Turns a flag of an entry, in one of a keyframe's three sets. */
static void
turn_flag (GRand *rand, WeirTrace *trace)
{
  guint n_entries = weir_trace_get_n_entries (trace), entry = random_below (rand, n_entries);
  gsize frame = random_below (rand, trace->n_keyframes);
  guint64 *sets = trace->keyframes + frame * WEIR_LOG_KEYFRAME_SIZE (trace->n_words) + 2;

  if (trace->n_keyframes > 0 && n_entries > 0)
    sets[random_below (rand, 3) * trace->n_words + entry / 64] ^= G_GUINT64_CONSTANT (1)
                                                                  << entry % 64;
}

static void
mutate_record (GRand *rand, WeirTrace *trace)
{
  gsize n = trace->n_records, at = random_below (rand, n), other = random_below (rand, n);
  WeirLogRecord record = trace->records[at];

  switch (random_below (rand, 8))
    {
    case 0:
      trace->records[at] = trace->records[other];
      trace->records[other] = record;
      break;
    case 1:
      insert_record (trace, other, record);
      break;
    case 2:
      remove_record (trace, at);
      break;
    case 3:
      record.kind = (guint8) random_below (rand, WEIR_LOG_N_KINDS);
      if (number_record (rand, trace, &record))
        insert_record (trace, other, record);
      break;
    case 4:
      record.phase = (guint8) random_below (rand, WEIR_LOG_N_PHASES);
      record.reason = (guint8) random_below (rand, WEIR_LOG_N_REASONS);
      record.flags = (guint8) random_below (rand, WEIR_LOG_ALL_FLAGS + 1);
      trace->records[at] = record;
      break;
    case 5:
      record.number = random_below (rand, 4) == 0 ? G_MAXUINT64 : random_below (rand, 1000);
      record.time = g_rand_double (rand);
      trace->records[at] = record;
      break;
    case 6:
      turn_flag (rand, trace);
      break;
    default:
      if (number_record (rand, trace, &record))
        trace->records[at] = record;
      break;
    }
}

/* NULL where the bytes are no change log with records. (transfer full) */
static G_GNUC_UNUSED GBytes *
mutate_log (GRand *rand, gconstpointer data, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, size);
  g_autoptr (WeirTrace) trace = weir_trace_read (bytes, NULL);

  if (trace == NULL)
    return NULL;
  if (random_below (rand, 8) == 0)
    trace->stores_evaluations = !trace->stores_evaluations;
  for (guint i = 1 + random_below (rand, 6); i > 0 && trace->n_records > 0; i--)
    mutate_record (rand, trace);
  return weir_trace_write (trace);
}
