/* Compressed rows: who reads whom, which entries of a sparse matrix are not zero, what is of which
 * colour.
 *
 * Row r is items[first[r]] .. items[first[r + 1] - 1], in the order in which they were put. Made in
 * two passes over the same items, without lists that grow: count each, make room, put each. Thread:
 * *any*, once made.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  guint32 n;      /* rows */
  guint32 *first; /* n + 2: the last two are the number of items */
  guint32 *items;
} WeirRows;

/* All rows empty, to be counted. */
void weir_rows_init (WeirRows *self, guint32 n);
void weir_rows_clear (WeirRows *self);
/* Of one that was allocated. (transfer full) (nullable) */
void weir_rows_free (WeirRows *self);

/* While items are put, first[r + 1] is where the next one of row r goes; behind the last one the
 * next row begins. */
static inline void
weir_rows_count (WeirRows *self, guint32 row)
{
  self->first[row + 2]++;
}

/* Between the passes. With weir_rows_add_up() alone, items are kept in an array of the caller's
 * own, where weir_rows_take() says. */
void weir_rows_add_up (WeirRows *self);
void weir_rows_make_room (WeirRows *self);

/* Where the next item of @row goes. */
static inline guint32
weir_rows_take (WeirRows *self, guint32 row)
{
  return self->first[row + 1]++;
}

static inline void
weir_rows_put (WeirRows *self, guint32 row, guint32 item)
{
  self->items[weir_rows_take (self, row)] = item;
}

static inline guint32
weir_rows_get_n_items (const WeirRows *self)
{
  return self->first[self->n + 1];
}

static inline guint32
weir_rows_get_length (const WeirRows *self, guint32 row)
{
  return self->first[row + 1] - self->first[row];
}

/* The numbers 0 .. @n_items - 1 in @n rows: i in row row_of[i]. Rows ascend. */
void weir_rows_group (WeirRows *self, guint32 n, const guint32 *row_of, guint32 n_items);

/* The @n_columns columns of compressed rows @first and @items, as rows: item j of row i becomes
 * item i of row j. Rows ascend. */
void weir_rows_transpose (WeirRows *self, guint32 n_columns, guint32 n, const guint32 *first,
                          const guint32 *items);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WeirRows, weir_rows_clear)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirRows, weir_rows_free)

/* Colours the columns of a sparse square pattern so that no two of one colour share a row (Curtis,
 * Powell & Reid, J. Inst. Maths Applics 13, 1974): their differences can be taken together. Greedy,
 * in the order of columns: a band needs as many colours as it is wide. @pattern: a
 * compressed row for each column, ascending. @colours: n values. Returns how many there are. */
guint weir_colour_columns (const WeirRows *pattern, guint32 *colours);

G_END_DECLS
