/* The persistent map: an AVL tree whose nodes are reference-counted and never change once shared.
 *
 * Every function that changes a tree takes over a reference to a node and gives one back. It first
 * makes the node its own: a node with one reference is reachable from this handle only, because its
 * parents were made own before it, and may be changed; any other is copied, which takes references
 * to its children and thereby protects them in turn.
 */
#include "base/pmap.h"

#include <stddef.h>

#define SLAB 127 /* nodes that share their memory at most */

struct _WeirPMapNode {
  gint ref_count;
  gint16 height; /* of a single node: 1 */
  gint16 place;  /* in its slab, from 1 on; 0: it has memory of its own */
  guint64 key;
  gpointer value;
  WeirPMapNode *left, *right;
};

/* Nodes that were made together: an allocation of each costs more than all else in building a large
 * map and letting it go. The memory lives as long as the last of them. */
typedef struct {
  gint n_left; /* atomic: nodes that are in use */
  WeirPMapNode nodes[];
} Slab;

static inline gint
height_of (const WeirPMapNode *node)
{
  return node != NULL ? node->height : 0;
}

static inline WeirPMapNode *
node_ref (WeirPMapNode *node)
{
  if (node != NULL)
    g_atomic_int_inc (&node->ref_count);
  return node;
}

static inline void
node_free (WeirPMapNode *node)
{
  Slab *slab;

  if (node->place == 0)
    {
      g_free (node);
      return;
    }
  slab = (Slab *) (gpointer) ((char *) (node - (node->place - 1)) - offsetof (Slab, nodes));
  if (g_atomic_int_dec_and_test (&slab->n_left))
    g_free (slab);
}

static void
node_unref (const WeirPMapValues *values, WeirPMapNode *node)
{
  while (node != NULL && g_atomic_int_dec_and_test (&node->ref_count))
    {
      WeirPMapNode *right = node->right;

      node_unref (values, node->left);
      if (values->unref != NULL && node->value != NULL)
        values->unref (node->value);
      node_free (node);
      node = right;
    }
}

static inline gpointer
value_ref (const WeirPMapValues *values, gpointer value)
{
  return values->ref != NULL && value != NULL ? values->ref (value) : value;
}

/* @node: memory for it, all but its place. */
static inline void
node_init (WeirPMapNode *node, const WeirPMapValues *values, guint64 key, gpointer value)
{
  node->ref_count = 1;
  node->height = 1;
  node->key = key;
  node->value = value_ref (values, value);
  node->left = NULL;
  node->right = NULL;
}

static WeirPMapNode *
node_new (const WeirPMapValues *values, guint64 key, gpointer value)
{
  WeirPMapNode *node = g_new (WeirPMapNode, 1);

  node_init (node, values, key, value);
  node->place = 0;
  return node;
}

/* Takes over @node, gives back one that may be changed. */
static WeirPMapNode *
node_own (const WeirPMapValues *values, WeirPMapNode *node)
{
  WeirPMapNode *copy;

  if (g_atomic_int_get (&node->ref_count) == 1)
    return node;
  copy = node_new (values, node->key, node->value);
  copy->height = node->height;
  copy->left = node_ref (node->left);
  copy->right = node_ref (node->right);
  node_unref (values, node);
  return copy;
}

static inline void
update_height (WeirPMapNode *node)
{
  node->height = (gint16) (1 + MAX (height_of (node->left), height_of (node->right)));
}

static WeirPMapNode *
rotate_right (const WeirPMapValues *values, WeirPMapNode *node)
{
  WeirPMapNode *left = node_own (values, node->left);

  node->left = left->right;
  left->right = node;
  update_height (node);
  update_height (left);
  return left;
}

static WeirPMapNode *
rotate_left (const WeirPMapValues *values, WeirPMapNode *node)
{
  WeirPMapNode *right = node_own (values, node->right);

  node->right = right->left;
  right->left = node;
  update_height (node);
  update_height (right);
  return right;
}

/* Restores |height left - height right| <= 1 at an own node whose children are balanced and differ
 * by at most 2. */
static WeirPMapNode *
balance (const WeirPMapValues *values, WeirPMapNode *node)
{
  gint slope = height_of (node->left) - height_of (node->right);

  if (slope > 1)
    {
      if (height_of (node->left->left) < height_of (node->left->right))
        node->left = rotate_left (values, node_own (values, node->left));
      return rotate_right (values, node);
    }
  if (slope < -1)
    {
      if (height_of (node->right->right) < height_of (node->right->left))
        node->right = rotate_right (values, node_own (values, node->right));
      return rotate_left (values, node);
    }
  update_height (node);
  return node;
}

static WeirPMapNode *
insert (const WeirPMapValues *values, WeirPMapNode *node, guint64 key, gpointer value)
{
  if (node == NULL)
    return node_new (values, key, value);
  node = node_own (values, node);
  if (key == node->key)
    {
      gpointer old = node->value;

      node->value = value_ref (values, value);
      if (values->unref != NULL && old != NULL)
        values->unref (old);
      return node;
    }
  if (key < node->key)
    node->left = insert (values, node->left, key, value);
  else
    node->right = insert (values, node->right, key, value);
  return balance (values, node);
}

/* Takes the node with the least key out of @node's tree, into @least (own, without children). */
static WeirPMapNode *
take_least (const WeirPMapValues *values, WeirPMapNode *node, WeirPMapNode **least)
{
  node = node_own (values, node);
  if (node->left == NULL)
    {
      WeirPMapNode *right = g_steal_pointer (&node->right);

      *least = node;
      return right;
    }
  node->left = take_least (values, node->left, least);
  return balance (values, node);
}

/* @key is in the tree. */
static WeirPMapNode *
take_out (const WeirPMapValues *values, WeirPMapNode *node, guint64 key)
{
  WeirPMapNode *rest;

  node = node_own (values, node);
  if (key < node->key)
    {
      node->left = take_out (values, node->left, key);
      return balance (values, node);
    }
  if (key > node->key)
    {
      node->right = take_out (values, node->right, key);
      return balance (values, node);
    }
  if (node->left == NULL || node->right == NULL)
    {
      rest = node->left != NULL ? g_steal_pointer (&node->left) : g_steal_pointer (&node->right);
      node_unref (values, node);
      return rest;
    }
  else
    {
      WeirPMapNode *right = take_least (values, g_steal_pointer (&node->right), &rest);

      rest->left = g_steal_pointer (&node->left);
      rest->right = right;
      node_unref (values, node);
      return balance (values, rest);
    }
}

/* What builds a map takes its nodes from. */
typedef struct {
  Slab *slab;
  gint16 n_taken; /* of the slab */
  guint n_left;   /* to be made, over all slabs */
} Supply;

static WeirPMapNode *
take_node (Supply *supply)
{
  WeirPMapNode *node;

  if (supply->slab == NULL || supply->n_taken == supply->slab->n_left)
    {
      gint n = (gint) MIN (supply->n_left, SLAB);

      supply->slab = g_malloc (offsetof (Slab, nodes) + (gsize) n * sizeof (WeirPMapNode));
      supply->slab->n_left = n;
      supply->n_taken = 0;
    }
  node = &supply->slab->nodes[supply->n_taken++];
  node->place = supply->n_taken;
  supply->n_left--;
  return node;
}

static WeirPMapNode *
build (const WeirPMapValues *values, const WeirSortItem *items, guint n, Supply *supply)
{
  guint middle = n / 2;
  WeirPMapNode *node;

  if (n == 0)
    return NULL;
  node = take_node (supply);
  node_init (node, values, items[middle].key, items[middle].value);
  node->left = build (values, items, middle, supply);
  node->right = build (values, items + middle + 1, n - middle - 1, supply);
  update_height (node);
  return node;
}

void
weir_pmap_init (WeirPMap *map, const WeirPMapValues *values)
{
  map->values = values;
  map->root = NULL;
  map->n_entries = 0;
}

void
weir_pmap_init_copy (WeirPMap *map, const WeirPMap *other)
{
  map->values = other->values;
  map->root = node_ref (other->root);
  map->n_entries = other->n_entries;
}

void
weir_pmap_init_sorted (WeirPMap *map, const WeirPMapValues *values, const WeirSortItem *items,
                       guint n)
{
  for (guint i = 1; i < n; i++)
    g_assert (items[i - 1].key < items[i].key);

  map->values = values;
  map->root = build (values, items, n, &(Supply) { .n_left = n });
  map->n_entries = n;
}

void
weir_pmap_clear (WeirPMap *map)
{
  node_unref (map->values, g_steal_pointer (&map->root));
  map->n_entries = 0;
}

static const WeirPMapNode *
find (const WeirPMap *map, guint64 key)
{
  const WeirPMapNode *node = map->root;

  while (node != NULL && node->key != key)
    node = key < node->key ? node->left : node->right;
  return node;
}

gpointer
weir_pmap_lookup (const WeirPMap *map, guint64 key)
{
  const WeirPMapNode *node = find (map, key);

  return node != NULL ? node->value : NULL;
}

gboolean
weir_pmap_contains (const WeirPMap *map, guint64 key)
{
  return find (map, key) != NULL;
}

void
weir_pmap_set (WeirPMap *map, guint64 key, gpointer value)
{
  const WeirPMapNode *node = find (map, key);

  if (node != NULL && node->value == value)
    return;
  if (node == NULL)
    map->n_entries++;
  map->root = insert (map->values, map->root, key, value);
}

gboolean
weir_pmap_remove (WeirPMap *map, guint64 key)
{
  if (find (map, key) == NULL)
    return FALSE;
  map->root = take_out (map->values, map->root, key);
  map->n_entries--;
  return TRUE;
}

static void
push_left_spine (WeirPMapIter *iter, const WeirPMapNode *node)
{
  for (; node != NULL; node = node->left)
    iter->stack[iter->depth++] = node;
}

void
weir_pmap_iter_init (WeirPMapIter *iter, const WeirPMap *map)
{
  iter->depth = 0;
  push_left_spine (iter, map->root);
}

guint64
weir_pmap_get_last_key (const WeirPMap *map)
{
  const WeirPMapNode *node = map->root;

  while (node != NULL && node->right != NULL)
    node = node->right;
  return node != NULL ? node->key : 0;
}

void
weir_pmap_iter_init_from (WeirPMapIter *iter, const WeirPMap *map, guint64 first)
{
  const WeirPMapNode *node = map->root;

  iter->depth = 0;
  while (node != NULL)
    if (node->key < first)
      node = node->right;
    else
      {
        iter->stack[iter->depth++] = node;
        node = node->left;
      }
}

gboolean
weir_pmap_iter_next (WeirPMapIter *iter, guint64 *key, gpointer *value)
{
  const WeirPMapNode *node;

  if (iter->depth == 0)
    return FALSE;
  node = iter->stack[--iter->depth];
  if (key != NULL)
    *key = node->key;
  if (value != NULL)
    *value = node->value;
  push_left_spine (iter, node->right);
  return TRUE;
}

/* What remains of one side of a comparison, next on top: whole subtrees and single nodes. */
typedef struct {
  struct {
    const WeirPMapNode *node;
    gboolean whole; /* with its children */
  } stack[2 * WEIR_PMAP_MAX_HEIGHT];
  guint depth;
} Remainder;

static void
remainder_push (Remainder *remainder, const WeirPMapNode *node, gboolean whole)
{
  if (node == NULL)
    return;
  remainder->stack[remainder->depth].node = node;
  remainder->stack[remainder->depth].whole = whole;
  remainder->depth++;
}

static const WeirPMapNode *
remainder_top (const Remainder *remainder, gboolean *whole)
{
  *whole = FALSE;
  if (remainder->depth == 0)
    return NULL;
  *whole = remainder->stack[remainder->depth - 1].whole;
  return remainder->stack[remainder->depth - 1].node;
}

static void
remainder_open (Remainder *remainder)
{
  const WeirPMapNode *node = remainder->stack[--remainder->depth].node;

  remainder_push (remainder, node->right, TRUE);
  remainder_push (remainder, node, FALSE);
  remainder_push (remainder, node->left, TRUE);
}

void
weir_pmap_diff (const WeirPMap *map_a, const WeirPMap *map_b, WeirPMapDiffFunc func, gpointer data)
{
  Remainder a, b;

  a.depth = b.depth = 0;
  remainder_push (&a, map_a->root, TRUE);
  remainder_push (&b, map_b->root, TRUE);
  while (a.depth > 0 || b.depth > 0)
    {
      gboolean whole_a, whole_b;
      const WeirPMapNode *top_a = remainder_top (&a, &whole_a);
      const WeirPMapNode *top_b = remainder_top (&b, &whole_b);
      gboolean go_on = TRUE;

      /* A subtree that stands next on both sides is the same on both: the taller one is opened
       * first, so that a shared subtree is met as a whole. */
      if (whole_a && whole_b && top_a == top_b)
        {
          a.depth--;
          b.depth--;
        }
      else if (whole_a && (!whole_b || top_a->height >= top_b->height))
        {
          if (whole_b && top_a->height == top_b->height)
            remainder_open (&b);
          remainder_open (&a);
        }
      else if (whole_b)
        remainder_open (&b);
      else if (top_b == NULL || (top_a != NULL && top_a->key < top_b->key))
        {
          a.depth--;
          go_on = func (top_a->key, TRUE, top_a->value, FALSE, NULL, data);
        }
      else if (top_a == NULL || top_b->key < top_a->key)
        {
          b.depth--;
          go_on = func (top_b->key, FALSE, NULL, TRUE, top_b->value, data);
        }
      else
        {
          a.depth--;
          b.depth--;
          if (top_a->value != top_b->value)
            go_on = func (top_a->key, TRUE, top_a->value, TRUE, top_b->value, data);
        }
      if (!go_on)
        return;
    }
}

static void
collect_nodes (GHashTable *nodes, const WeirPMapNode *node)
{
  for (; node != NULL; node = node->right)
    {
      g_hash_table_add (nodes, (gpointer) node);
      collect_nodes (nodes, node->left);
    }
}

static guint
count_missing (GHashTable *nodes, const WeirPMapNode *node)
{
  if (node == NULL || g_hash_table_contains (nodes, node))
    return 0;
  return 1 + count_missing (nodes, node->left) + count_missing (nodes, node->right);
}

guint
weir_pmap_count_unshared (const WeirPMap *map, const WeirPMap *other)
{
  g_autoptr (GHashTable) nodes = g_hash_table_new (NULL, NULL);

  collect_nodes (nodes, other->root);
  return count_missing (nodes, map->root);
}

gsize
weir_pmap_get_node_size (void)
{
  return sizeof (WeirPMapNode);
}

/* @least, @greatest: bounds of the keys, inclusive. */
static gboolean
check_node (const WeirPMapNode *node, guint64 least, guint64 greatest, guint *n)
{
  if (node == NULL)
    return TRUE;
  (*n)++;
  if (node->key < least || node->key > greatest
      || ABS (height_of (node->left) - height_of (node->right)) > 1
      || node->height != 1 + MAX (height_of (node->left), height_of (node->right)))
    return FALSE;
  if ((node->left != NULL && node->key == 0) || (node->right != NULL && node->key == G_MAXUINT64))
    return FALSE;
  return (node->left == NULL || check_node (node->left, least, node->key - 1, n))
         && (node->right == NULL || check_node (node->right, node->key + 1, greatest, n));
}

gboolean
weir_pmap_is_consistent (const WeirPMap *map)
{
  guint n = 0;

  return check_node (map->root, 0, G_MAXUINT64, &n) && n == map->n_entries;
}
