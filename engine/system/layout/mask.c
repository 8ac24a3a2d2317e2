/* Masks of change events. See mask.h.
 *
 * The spans: `first` word, number of words, and either their own words or, for stretches of at
 * least four full words, no words at all. A gap of two or more empty words ends a span. This costs
 * 12 bytes a span and 8 a partial word: a series chain's masks are two spans each, whatever its
 * length.
 */
#include "system/layout/mask.h"

#include <string.h>

#include "base/bits.h"
#include "base/sync.h"

#define ALL_ONES G_MAXUINT32
#define FULL G_MAXUINT64
#define MIN_FULL_WORDS 4
#define MAX_GAP 1

typedef struct {
  guint32 first, n_words;
  guint32 words; /* place in the mask's words, or ALL_ONES */
} Span;

typedef struct {
  guint32 n_spans, n_words;
  guint hash;
  gsize size;   /* bytes in all */
  Span spans[]; /* then the words, 8-byte aligned */
} Mask;

static const Mask unkept; /* the mark of a source that is swept each time */

struct _WeirMasks {
  guint32 n_sources, n_entries, n_words;
  const guint32 *row_first, *rows;
  gsize max_bytes, bytes;
  GMutex mutex;           /* making masks */
  GHashTable *distinct;   /* Mask, owned */
  const Mask **of_source; /* NULL = not made yet; read and published atomically */
};

static inline const guint64 *
mask_words (const Mask *mask)
{
  return (const guint64 *) (const void *) ((const char *) mask
                                           + ((sizeof (Mask) + mask->n_spans * sizeof (Span) + 7)
                                              & ~(gsize) 7));
}

static guint
mask_hash (gconstpointer data)
{
  return ((const Mask *) data)->hash;
}

static gboolean
mask_equal (gconstpointer a, gconstpointer b)
{
  const Mask *m = a, *n = b;

  return m->hash == n->hash && m->size == n->size && memcmp (m, n, m->size) == 0;
}

WeirMasks *
weir_masks_new (guint32 n_sources, guint32 n_entries, const guint32 *row_first, const guint32 *rows,
                gsize max_bytes)
{
  WeirMasks *self = g_new0 (WeirMasks, 1);

  self->n_sources = n_sources;
  self->n_entries = n_entries;
  self->n_words = (n_entries + 63) / 64;
  self->row_first = row_first;
  self->rows = rows;
  self->max_bytes = max_bytes;
  g_mutex_init (&self->mutex);
  self->distinct = g_hash_table_new_full (mask_hash, mask_equal, g_free, NULL);
  self->of_source = g_new0 (const Mask *, n_sources);
  return self;
}

void
weir_masks_free (WeirMasks *self)
{
  g_hash_table_unref (self->distinct);
  g_free (self->of_source);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

/* Sets in @set everything downstream of @source; returns the range of words touched. */
static void
collect (const WeirMasks *self, guint32 source, guint64 *set, guint32 *first_word,
         guint32 *end_word)
{
  guint32 low = G_MAXUINT32, high = 0;

  for (guint32 k = self->row_first[source]; k < self->row_first[source + 1]; k++)
    {
      guint32 e = self->rows[k];

      weir_bit_set (set, e);
      low = MIN (low, e / 64);
      high = MAX (high, e / 64 + 1);
    }
  for (guint32 w = low; w < high; w++)
    {
      guint64 done = 0, left;

      /* A row may add bits to this very word, all above the one in hand. */
      while ((left = set[w] & ~done) != 0)
        {
          guint bit = (guint) __builtin_ctzll (left);
          guint32 row = self->n_sources + w * 64 + bit;

          done |= G_GUINT64_CONSTANT (1) << bit;
          for (guint32 k = self->row_first[row]; k < self->row_first[row + 1]; k++)
            {
              guint32 e = self->rows[k];

              weir_bit_set (set, e);
              high = MAX (high, e / 64 + 1);
            }
        }
    }
  *first_word = MIN (low, high);
  *end_word = high;
}

/* The next span at or after word @w; FALSE if there is none. */
static gboolean
next_span (const guint64 *set, guint32 w, guint32 end, Span *span)
{
  guint32 full = 0, gap = 0, last;

  while (w < end && set[w] == 0)
    w++;
  if (w == end)
    return FALSE;
  span->first = w;
  while (w + full < end && set[w + full] == FULL)
    full++;
  if (full >= MIN_FULL_WORDS)
    {
      span->n_words = full;
      span->words = ALL_ONES;
      return TRUE;
    }
  for (last = w, full = 0; w < end && gap <= MAX_GAP && full < MIN_FULL_WORDS; w++)
    {
      gap = set[w] == 0 ? gap + 1 : 0;
      full = set[w] == FULL ? full + 1 : 0;
      if (set[w] != 0)
        last = w;
    }
  if (full == MIN_FULL_WORDS)
    last -= MIN_FULL_WORDS;
  span->n_words = last - span->first + 1;
  span->words = 0;
  return TRUE;
}

static Mask *
mask_new (const guint64 *set, guint32 first, guint32 end)
{
  guint32 n_spans = 0, n_words = 0, i = 0, filled = 0;
  guint hash = 5381;
  gsize head;
  Mask *mask;
  Span span;

  for (guint32 w = first; next_span (set, w, end, &span); w = span.first + span.n_words)
    {
      n_spans++;
      n_words += span.words == ALL_ONES ? 0 : span.n_words;
    }
  head = (sizeof (Mask) + n_spans * sizeof (Span) + 7) & ~(gsize) 7;
  mask = g_malloc0 (head + n_words * sizeof (guint64));
  mask->n_spans = n_spans;
  mask->n_words = n_words;
  mask->size = head + n_words * sizeof (guint64);
  for (guint32 w = first; next_span (set, w, end, &span); w = span.first + span.n_words)
    {
      if (span.words != ALL_ONES)
        {
          memcpy ((char *) mask + head + filled * sizeof (guint64), set + span.first,
                  span.n_words * sizeof (guint64));
          span.words = filled;
          filled += span.n_words;
        }
      mask->spans[i++] = span;
    }
  for (gsize k = offsetof (Mask, spans); k < mask->size; k++)
    hash = hash * 33 + ((const guint8 *) mask)[k];
  mask->hash = hash;
  return mask;
}

static const Mask *
make (WeirMasks *self, guint32 source)
{
  const Mask *found;

  g_mutex_lock (&self->mutex);
  weir_sync_acquire (&self->mutex);
  found = self->of_source[source];
  if (found == NULL && self->bytes >= self->max_bytes)
    found = &unkept;
  if (found == NULL)
    {
      guint64 *set = g_new0 (guint64, MAX (self->n_words, 1));
      guint32 first, end;
      Mask *mask;

      collect (self, source, set, &first, &end);
      mask = mask_new (set, first, end);
      g_free (set);
      found = g_hash_table_lookup (self->distinct, mask);
      if (found != NULL)
        g_free (mask);
      else if (self->bytes + mask->size > self->max_bytes)
        {
          g_free (mask);
          found = &unkept;
        }
      else
        {
          self->bytes += mask->size;
          g_hash_table_add (self->distinct, mask);
          found = mask;
        }
    }
  __atomic_store_n (&self->of_source[source], found, __ATOMIC_RELEASE);
  weir_sync_release (&self->mutex);
  g_mutex_unlock (&self->mutex);
  return found;
}

static inline const Mask *
get (WeirMasks *self, guint32 source)
{
  const Mask *mask = __atomic_load_n (&self->of_source[source], __ATOMIC_ACQUIRE);

  return G_LIKELY (mask != NULL) ? mask : make (self, source);
}

void
weir_masks_sweep (WeirMasks *self, guint32 source, guint64 *bits, guint64 *scratch)
{
  guint32 first, end;

  collect (self, source, scratch, &first, &end);
  for (guint32 w = first; w < end; w++)
    {
      bits[w] |= scratch[w];
      scratch[w] = 0;
    }
}

static G_GNUC_NO_INLINE void
mark_runs (WeirMasks *self, guint32 source, guint64 *bits, guint64 *scratch)
{
  const Mask *mask = get (self, source);
  const guint64 *words = mask_words (mask);

  if (G_UNLIKELY (mask == &unkept))
    {
      weir_masks_sweep (self, source, bits, scratch);
      return;
    }
  for (guint32 r = 0; r < mask->n_spans; r++)
    {
      Span span = mask->spans[r];
      guint64 *to = bits + span.first;

      if (span.words == ALL_ONES)
        memset (to, 0xff, span.n_words * sizeof *to);
      else if (span.n_words == 1)
        to[0] |= words[span.words];
      else
        {
          const guint64 *from = words + span.words;

          for (guint32 w = 0; w < span.n_words; w++)
            to[w] |= from[w];
        }
    }
}

/* Kept small, since most changes mark a few words: whatever takes long is a call at the end. */
void
weir_masks_mark (WeirMasks *self, guint32 source, guint64 *bits, guint64 *scratch)
{
  const Mask *mask = __atomic_load_n (&self->of_source[source], __ATOMIC_ACQUIRE);

  if (G_LIKELY (mask != NULL && mask->n_spans == 1 && mask->spans[0].words != ALL_ONES))
    {
      const guint64 *restrict from = mask_words (mask);
      guint64 *restrict to = bits + mask->spans[0].first;

      to[0] |= from[0];
      for (guint32 w = 1; w < mask->spans[0].n_words; w++)
        to[w] |= from[w];
      return;
    }
  mark_runs (self, source, bits, scratch);
}

WeirMaskSpan
weir_masks_get_span (WeirMasks *self, guint32 source)
{
  const Mask *mask = __atomic_load_n (&self->of_source[source], __ATOMIC_ACQUIRE);

  if (mask == NULL || mask->n_spans != 1 || mask->spans[0].words == ALL_ONES)
    return (WeirMaskSpan) { NULL };
  return (WeirMaskSpan) { mask_words (mask), mask->spans[0].first, mask->spans[0].n_words };
}

void
weir_masks_keep (WeirMasks *self, guint32 source)
{
  get (self, source);
}

void
weir_masks_count (WeirMasks *self, guint32 source, guint64 times, guint64 *counts, guint64 *scratch)
{
  guint32 first, end;

  /* Counting is off the hot path: the sweep serves every source, kept or not. */
  collect (self, source, scratch, &first, &end);
  for (guint32 w = first; w < end; w++)
    {
      for (guint64 left = scratch[w]; left != 0; left &= left - 1)
        counts[w * 64 + (guint) __builtin_ctzll (left)] += times;
      scratch[w] = 0;
    }
}

void
weir_masks_spread_largest (const WeirMasks *self, const guint64 *of_source, guint64 *of_entry)
{
  memset (of_entry, 0, self->n_entries * sizeof *of_entry);
  for (guint32 i = 0; i < self->n_sources + self->n_entries; i++)
    {
      guint64 value = i < self->n_sources ? of_source[i] : of_entry[i - self->n_sources];

      for (guint32 k = self->row_first[i]; value > 0 && k < self->row_first[i + 1]; k++)
        of_entry[self->rows[k]] = MAX (of_entry[self->rows[k]], value);
    }
}
