/* What is noted within requests: which entries were computed, why, and which bytes of them differ
 * from those before. See observation-private.h.
 */
#include "system/observation/observation-private.h"

#include <string.h>

void
weir_log_ring_note_inner (WeirContext *context, WeirLogKind kind, guint32 subject, guint32 detail)
{
  weir_log_ring_append (context, (WeirLogRecord) { .kind = (guint8) kind,
                                                   .number = *context->n_events,
                                                   .subject = subject,
                                                   .detail = detail });
}

void
weir_log_ring_take_copy (WeirContext *context, guint32 e)
{
  WeirLogRing *self = context->log_ring;
  const double *value = context->arena + context->layout->value_offset[e];

  weir_bit_set (self->known, e);
  if (weir_layout_decl (context->layout, e)->type == NULL)
    {
      memcpy (self->copies + self->copy_first[e], value,
              (self->copy_first[e + 1] - self->copy_first[e]) * sizeof *value);
      return;
    }
  {
    guint64 place = *(const guint64 *) (const void *) value;
    GVariant *old = self->abstract[place], *new = context->abstract[place];

    self->abstract[place] = new == NULL ? NULL : g_variant_ref (new);
    g_clear_pointer (&old, g_variant_unref);
  }
}

void
weir_log_ring_note_nested (WeirContext *context, guint32 entry)
{
  const WeirLogRing *self = context->log_ring;
  const WeirLogRecord *last = &self->records[(self->n - 1) & self->mask];
  guint32 reader = WEIR_NO_INDEX;

  if (self->n > 0 && last->kind == WEIR_LOG_DEMAND && last->subject == entry)
    reader = last->detail;
  else if (context->n_calling > 0)
    reader = g_array_index (context->calling, guint32, context->n_calling - 1);
  weir_log_ring_note_inner (context, reader == WEIR_NO_INDEX ? WEIR_LOG_REQUEST : WEIR_LOG_NESTED,
                            entry, reader == WEIR_NO_INDEX ? 0 : reader);
}

static guint8
get_reason (const WeirContext *context, guint32 e)
{
  return weir_context_is (context, WEIR_MODE_UNCACHED) || weir_bit (context->disabled, e)
             ? WEIR_LOG_DISABLED
         : weir_bit (context->log_ring->known, e) ? WEIR_LOG_OUT_OF_DATE
                                                  : WEIR_LOG_FIRST;
}

/* Does the value differ from that of the evaluation before? Afterwards the copy is the value. */
static gboolean
has_changed (WeirContext *context, guint32 e)
{
  WeirLogRing *self = context->log_ring;
  const double *value = context->arena + context->layout->value_offset[e];
  gboolean was_known = weir_bit (self->known, e), differs;

  if (weir_layout_decl (context->layout, e)->type == NULL)
    differs = memcmp (value, self->copies + self->copy_first[e],
                      (self->copy_first[e + 1] - self->copy_first[e]) * sizeof *value)
              != 0;
  else
    {
      guint64 place = *(const guint64 *) (const void *) value;
      GVariant *old = self->abstract[place], *new = context->abstract[place];

      differs = old == NULL || new == NULL ? old != new : !g_variant_equal (old, new);
    }
  if (differs || !was_known)
    weir_log_ring_take_copy (context, e);
  return differs || !was_known;
}

void
weir_log_ring_note_calc (WeirContext *context, guint32 entry, WeirStatus status, guint64 ns)
{
  WeirLogRing *self = context->log_ring;
  guint8 reason;

  if (status != WEIR_OK)
    weir_log_ring_note_inner (context, WEIR_LOG_FAILED, entry, 0);
  if (!weir_is_logging_all (context))
    return;
  reason = get_reason (context, entry);
  weir_log_ring_append (context, (WeirLogRecord) {
                                     .kind = WEIR_LOG_EVALUATED,
                                     .number = has_changed (context, entry) ? 1 : 0,
                                     .subject = entry,
                                     .detail = 1,
                                     .ns = (guint32) MIN (ns, G_MAXUINT32),
                                     .reason = reason,
                                     .flags = status != WEIR_OK ? WEIR_LOG_FLAG_FAILED : 0,
                                 });
  weir_bit_set (self->known, entry);
}

/* Bits [first, first + n) of a set, n at most 64, as the low ones of a word. */
static guint64
get_bits (const guint64 *set, guint32 first, guint32 n)
{
  guint32 shift = first % 64;
  guint64 bits = set[first / 64] >> shift;

  if (shift + n > 64)
    bits |= set[first / 64 + 1] << (64 - shift);
  return n == 64 ? bits : bits & ((G_GUINT64_CONSTANT (1) << n) - 1);
}

static guint64
low_bits (guint32 n)
{
  return n == 64 ? G_MAXUINT64 : (G_GUINT64_CONSTANT (1) << n) - 1;
}

/* Which of @n values, @step apart, differ from their copies; these are made equal. */
static inline __attribute__ ((always_inline)) guint64
compare_row (const guint64 *values, gssize step, guint64 *copies, guint32 n)
{
  guint64 changed = 0;
  guint32 i = 0;

  for (; i + 8 <= n; i += 8)
    {
      guint64 eight = 0;

      for (guint32 k = 0; k < 8; k++)
        {
          guint64 value = values[(gssize) (i + k) * step];

          eight |= (guint64) (value != copies[i + k]) << k;
          copies[i + k] = value;
        }
      changed |= eight << i;
    }
  for (; i < n; i++)
    {
      guint64 value = values[(gssize) i * step];

      changed |= (guint64) (value != copies[i]) << i;
      copies[i] = value;
    }
  return changed;
}

/* Can the values of entries [first, first + n) be compared as a row? */
static gboolean
is_row (const WeirLogRing *self, guint32 first, guint32 n)
{
  return n > 1 && get_bits (self->known, first, n) == low_bits (n)
         && get_bits (self->single, first, n) == low_bits (n)
         && (n == 2 || get_bits (self->even, first + 2, n - 2) == low_bits (n - 2));
}

/* @n entries from @first, at most 64, all computed for one reason. */
static void
note_chunk (WeirContext *context, guint32 first, guint32 n, guint8 reason, guint64 ns)
{
  WeirLogRing *self = context->log_ring;
  guint64 changed = 0;

  if (is_row (self, first, n))
    {
      const guint32 *place = context->layout->value_offset + first;
      const guint64 *values = (const guint64 *) (const void *) (context->arena + place[0]);
      guint64 *copies = (guint64 *) (void *) (self->copies + self->copy_first[first]);
      gssize step = (gssize) place[1] - (gssize) place[0];

      changed = step == 1   ? compare_row (values, 1, copies, n)
                : step == 2 ? compare_row (values, 2, copies, n)
                            : compare_row (values, step, copies, n);
    }
  else
    for (guint32 i = 0; i < n; i++)
      {
        changed |= (guint64) has_changed (context, first + i) << i;
        weir_bit_set (self->known, first + i);
      }
  weir_log_ring_append (context, (WeirLogRecord) { .kind = WEIR_LOG_EVALUATED,
                                                   .number = changed,
                                                   .subject = first,
                                                   .detail = n,
                                                   .ns = (guint32) MIN (ns, G_MAXUINT32),
                                                   .reason = reason });
}

void
weir_log_ring_note_range (WeirContext *context, const guint64 *set, guint32 first, guint32 end,
                          guint64 ns)
{
  const WeirLogRing *self = context->log_ring;
  gboolean is_cached = !weir_context_is (context, WEIR_MODE_UNCACHED);

  while (first < end)
    {
      guint32 n = MIN (end - first, 64);
      guint64 in = set == NULL ? low_bits (n)
                               : get_bits (set, first, n) & get_bits (context->stale, first, n);
      guint64 alike;
      guint8 reason;

      if ((in & 1) == 0)
        {
          first += in == 0 ? n : (guint32) __builtin_ctzll (in);
          continue;
        }
      if (in != low_bits (n))
        n = (guint32) __builtin_ctzll (~in);
      reason = get_reason (context, first);
      alike = !is_cached ? G_MAXUINT64 : get_bits (self->known, first, n);
      if (reason == WEIR_LOG_FIRST)
        alike = ~alike;
      if (is_cached && weir_context_is (context, WEIR_MODE_DISABLED))
        alike = reason == WEIR_LOG_DISABLED ? get_bits (context->disabled, first, n)
                                            : alike & ~get_bits (context->disabled, first, n);
      alike &= low_bits (n);
      if (alike != low_bits (n))
        n = (guint32) __builtin_ctzll (~alike);
      note_chunk (context, first, n, reason, ns);
      ns = 0; /* sampled once for all of the range */
      first += n;
    }
}
