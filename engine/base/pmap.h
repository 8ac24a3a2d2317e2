/* A persistent ordered map from 64-bit keys to pointers.
 *
 * A WeirPMap is a small handle by value. Copying a handle takes O(1); setting or removing a key
 * changes the one handle and leaves every copy as it was: of n entries, only the O(log n) nodes on
 * the path to the key are made anew (40 bytes each), the rest is shared. Nodes that no copy shares
 * are changed in place, so that a series of edits between two copies pays for each node once.
 *
 * Thread: a handle belongs to one thread (*owner*) while it changes; handles that do not change may
 * be read, copied and cleared by *any*.
 */
#pragma once

#include "base/sort.h"

G_BEGIN_DECLS

/* How a map holds its values; both NULL for values that are no references. */
typedef struct {
  gpointer (*ref) (gpointer value);
  void (*unref) (gpointer value);
} WeirPMapValues;

typedef struct _WeirPMapNode WeirPMapNode;

typedef struct {
  const WeirPMapValues *values;
  WeirPMapNode *root; /* NULL when empty */
  guint n_entries;
} WeirPMap;

/* An empty map. @values: how values are kept and let go; borrowed for ever. */
void weir_pmap_init (WeirPMap *map, const WeirPMapValues *values);
/* @map must be neither initialised nor in use. */
void weir_pmap_init_copy (WeirPMap *map, const WeirPMap *other);
/* From @n entries whose keys ascend strictly, in O(n). */
void weir_pmap_init_sorted (WeirPMap *map, const WeirPMapValues *values, const WeirSortItem *items,
                            guint n);
void weir_pmap_clear (WeirPMap *map);

/* The greatest key; 0 of an empty map. */
guint64 weir_pmap_get_last_key (const WeirPMap *map);
/* (transfer none) NULL if there is none. */
gpointer weir_pmap_lookup (const WeirPMap *map, guint64 key);
gboolean weir_pmap_contains (const WeirPMap *map, guint64 key);
/* @value: may be NULL in a map that is only a set of keys. (transfer none) */
void weir_pmap_set (WeirPMap *map, guint64 key, gpointer value);
/* FALSE if there was no such key. */
gboolean weir_pmap_remove (WeirPMap *map, guint64 key);

/* In ascending order of keys; the map must not change meanwhile. */
#define WEIR_PMAP_MAX_HEIGHT 48 /* an AVL tree of 2^32 nodes is at most 46 high */
typedef struct {
  const WeirPMapNode *stack[WEIR_PMAP_MAX_HEIGHT];
  guint depth;
} WeirPMapIter;

/* Starts at the first key. */
void weir_pmap_iter_init (WeirPMapIter *iter, const WeirPMap *map);
/* Starts at the first key >= @first. */
void weir_pmap_iter_init_from (WeirPMapIter *iter, const WeirPMap *map, guint64 first);
/* FALSE at the end. @key, @value: (out), the value borrowed. */
gboolean weir_pmap_iter_next (WeirPMapIter *iter, guint64 *key, gpointer *value);

/* Calls @func in order for every key whose value is not the same pointer in both maps, until it
 * returns FALSE. Shared parts are skipped whole. @in_a, @in_b: whether the map has the key. */
typedef gboolean (*WeirPMapDiffFunc) (guint64 key, gboolean in_a, gpointer value_a, gboolean in_b,
                                      gpointer value_b, gpointer data);
void weir_pmap_diff (const WeirPMap *a, const WeirPMap *b, WeirPMapDiffFunc func, gpointer data);

/* How many nodes of @map are not shared with @other, and the size of one; for measuring. */
guint weir_pmap_count_unshared (const WeirPMap *map, const WeirPMap *other);
gsize weir_pmap_get_node_size (void);
/* Keys ascend, heights are right and balanced, the number of entries agrees; for testing. */
gboolean weir_pmap_is_consistent (const WeirPMap *map);

G_END_DECLS
