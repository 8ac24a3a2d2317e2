/* Lines while some of them go. See line-work.h. */
#include "model/tree/line-work.h"

struct _WeirLineWork {
  const WeirDiagram *diagram; /* borrowed; NULL: one that is yet to be */
  GHashTable *lines;          /* id -> WeirWire, as they will be */
};

typedef WeirWireEnd (*GetEnd) (const WeirWire *wire);

static const GetEnd get_end[2] = { weir_wire_get_from, weir_wire_get_to };

static gboolean
take_line (WeirWire *wire, gpointer data)
{
  if (weir_wire_is_line (wire))
    g_hash_table_insert (data, GUINT_TO_POINTER (weir_wire_get_id (wire)), weir_wire_ref (wire));
  return TRUE;
}

WeirLineWork *
weir_line_work_new (const WeirDiagram *diagram)
{
  WeirLineWork *self = g_new (WeirLineWork, 1);

  *self = (WeirLineWork) { diagram, g_hash_table_new_full (NULL, NULL, NULL,
                                                           (GDestroyNotify) weir_wire_unref) };
  if (diagram != NULL)
    weir_diagram_foreach_wire (diagram, take_line, self->lines);
  return self;
}

void
weir_line_work_free (WeirLineWork *self)
{
  g_hash_table_unref (self->lines);
  g_free (self);
}

static WeirWire *
find (WeirLineWork *self, guint32 id)
{
  return g_hash_table_lookup (self->lines, GUINT_TO_POINTER (id));
}

static int
compare_wires (gconstpointer a, gconstpointer b)
{
  guint32 x = weir_wire_get_id (*(WeirWire *const *) a);
  guint32 y = weir_wire_get_id (*(WeirWire *const *) b);

  return x < y ? -1 : x > y;
}

/* Those for which @test holds, in order of id. (transfer full) */
static GPtrArray *
list_lines (WeirLineWork *self, gboolean (*test) (const WeirWireEnd *end, gconstpointer data),
            gconstpointer data)
{
  GPtrArray *found = g_ptr_array_new_with_free_func ((GDestroyNotify) weir_wire_unref);
  GHashTableIter iter;
  gpointer line;

  g_hash_table_iter_init (&iter, self->lines);
  while (g_hash_table_iter_next (&iter, NULL, &line))
    {
      WeirWireEnd from = weir_wire_get_from (line), to = weir_wire_get_to (line);

      if (test (&from, data) || test (&to, data))
        g_ptr_array_add (found, weir_wire_ref (line));
    }
  g_ptr_array_sort (found, compare_wires);
  return found;
}

static gboolean
is_any (const WeirWireEnd *end, gconstpointer data)
{
  return TRUE;
}

static gboolean
is_on_line (const WeirWireEnd *end, gconstpointer id)
{
  return end->line != 0 && end->line == *(const guint32 *) id;
}

static gboolean
is_at_pin (const WeirWireEnd *end, gconstpointer data)
{
  const WeirWireEnd *pin = data;

  return end->block == pin->block && g_strcmp0 (end->port, pin->port) == 0;
}

static gboolean
is_at_block (const WeirWireEnd *end, gconstpointer block)
{
  return end->block == *(const guint32 *) block;
}

static gboolean
is_same_end (WeirWireEnd a, WeirWireEnd b)
{
  return a.block == b.block && a.line == b.line && g_strcmp0 (a.port, b.port) == 0
         && (a.block != 0 || a.line != 0 || (a.point.x == b.point.x && a.point.y == b.point.y));
}

/* Whether line @id ends, through others, on line @other. A file may have circles of lines, and
 * lines with both ends on one: each is looked at once. */
static gboolean
depends_on (WeirLineWork *self, guint32 id, guint32 other)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) pending = g_array_new (FALSE, FALSE, sizeof (guint32));

  g_array_append_val (pending, id);
  while (pending->len > 0)
    {
      guint32 next = g_array_index (pending, guint32, pending->len - 1);
      WeirWire *line = find (self, next);

      g_array_set_size (pending, pending->len - 1);
      if (next == other)
        return TRUE;
      if (line == NULL || !g_hash_table_add (seen, GUINT_TO_POINTER (next)))
        continue;
      for (guint i = 0; i < 2; i++)
        {
          guint32 on = get_end[i](line).line;

          if (on != 0)
            g_array_append_val (pending, on);
        }
    }
  return FALSE;
}

/* --- What is joined -------------------------------------------------------------------------- */

static guint
hash_pin (gconstpointer pin)
{
  return ((const WeirWireEnd *) pin)->block ^ g_str_hash (((const WeirWireEnd *) pin)->port);
}

static gboolean
equal_pins (gconstpointer a, gconstpointer b)
{
  return is_at_pin (a, b);
}

static guint32
find_set (GHashTable *sets, guint32 line)
{
  guint32 parent = GPOINTER_TO_UINT (g_hash_table_lookup (sets, GUINT_TO_POINTER (line)));

  while (parent != line)
    {
      line = parent;
      parent = GPOINTER_TO_UINT (g_hash_table_lookup (sets, GUINT_TO_POINTER (line)));
    }
  return line;
}

static void
join_sets (GHashTable *sets, guint32 a, guint32 b)
{
  guint32 x = find_set (sets, a), y = find_set (sets, b);

  g_hash_table_insert (sets, GUINT_TO_POINTER (MAX (x, y)), GUINT_TO_POINTER (MIN (x, y)));
}

static void
join_at (GHashTable *sets, guint32 line, guint32 other)
{
  if (!g_hash_table_contains (sets, GUINT_TO_POINTER (other)))
    g_hash_table_insert (sets, GUINT_TO_POINTER (other), GUINT_TO_POINTER (other));
  join_sets (sets, line, other);
}

/* The id of each line to that of another of its set, by find_set(): those that are one node. Lines
 * on one that there is not are joined too. @border: a pin, or a line, that joins nothing. (transfer
 * full) */
static GHashTable *
find_sets (WeirLineWork *self, const WeirWireEnd *border)
{
  GHashTable *sets = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) at = g_hash_table_new_full (hash_pin, equal_pins, g_free, NULL);
  GHashTableIter iter;
  gpointer id, line;

  g_hash_table_iter_init (&iter, self->lines);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    g_hash_table_insert (sets, id, id);
  g_hash_table_iter_init (&iter, self->lines);
  while (g_hash_table_iter_next (&iter, &id, &line))
    for (guint i = 0; i < 2; i++)
      {
        WeirWireEnd end = get_end[i](line);
        gpointer other = end.block != 0 ? g_hash_table_lookup (at, &end) : NULL;

        if (end.block != 0 ? is_at_pin (&end, border) : end.line == 0 || end.line == border->line)
          continue; /* at the border, or loose */
        if (end.block == 0)
          join_at (sets, GPOINTER_TO_UINT (id), end.line);
        else if (other != NULL)
          join_sets (sets, GPOINTER_TO_UINT (id), GPOINTER_TO_UINT (other));
        else
          g_hash_table_insert (at, g_memdup2 (&end, sizeof end), id);
      }
  return sets;
}

/* The set of the lines at @end is met. */
static void
meet (WeirLineWork *self, GHashTable *sets, GHashTable *met, const WeirWireEnd *end)
{
  g_autoptr (GPtrArray) there = end->block != 0 ? list_lines (self, is_at_pin, end) : NULL;
  guint32 line = there != NULL && there->len > 0 ? weir_wire_get_id (there->pdata[0]) : end->line;

  if (line != 0 && g_hash_table_contains (sets, GUINT_TO_POINTER (line)))
    g_hash_table_add (met, GUINT_TO_POINTER (find_set (sets, line)));
}

/* --- Lines that go --------------------------------------------------------------------------- */

/* Every end of @line for which @test holds becomes @end, unless that would close a circle of lines:
 * a file may have some. */
static void
change_ends (WeirLineWork *self, WeirWire *line,
             gboolean (*test) (const WeirWireEnd *, gconstpointer), gconstpointer data,
             WeirWireEnd end)
{
  WeirWireEnd ends[2] = { weir_wire_get_from (line), weir_wire_get_to (line) };
  guint32 id = weir_wire_get_id (line);

  for (guint i = 0; i < 2; i++)
    if (test (&ends[i], data))
      {
        WeirPoint at = ends[i].point;

        ends[i] = end;
        if (end.line != 0)
          ends[i].point = at;
        if (end.line != 0 && depends_on (self, end.line, id))
          ends[i] = (WeirWireEnd) { .point = at };
      }
  g_hash_table_replace (self->lines, GUINT_TO_POINTER (id),
                        weir_wire_with_ends (line, ends[0], ends[1]));
}

/* The end of @line that is not on line @id. */
static WeirWireEnd
get_far_end (WeirWire *line, guint32 id)
{
  WeirWireEnd from = weir_wire_get_from (line);

  return from.line == id ? weir_wire_get_to (line) : from;
}

static void remove_line (WeirLineWork *self, guint32 id, const WeirWireEnd *stays);

/* Without its end for which @test holds; what ends on it stays with the rest of it. */
static void
remove_from (WeirLineWork *self, WeirWire *line,
             gboolean (*test) (const WeirWireEnd *, gconstpointer), gconstpointer data)
{
  g_autoptr (WeirWire) gone = weir_wire_ref (line); /* its ends are borrowed */
  WeirWireEnd from = weir_wire_get_from (gone);
  WeirWireEnd far = test (&from, data) ? weir_wire_get_to (gone) : from;
  gboolean stays = !test (&far, data) && (far.block != 0 || far.line != 0);

  remove_line (self, weir_wire_get_id (gone), stays ? &far : NULL);
}

/* One of the lines at a border, for which @test holds, that is joined with another of them, or with
 * @stays, which may be NULL, without it; NULL: none is. */
static WeirWire *
find_superfluous (WeirLineWork *self, const WeirWireEnd *border,
                  gboolean (*test) (const WeirWireEnd *, gconstpointer), gconstpointer data,
                  const WeirWireEnd *stays)
{
  g_autoptr (GPtrArray) there = list_lines (self, test, data);
  g_autoptr (GHashTable) sets = find_sets (self, border);
  g_autoptr (GHashTable) met = g_hash_table_new (NULL, NULL);

  if (stays != NULL)
    meet (self, sets, met, stays);
  for (guint i = 0; i < there->len; i++)
    if (!g_hash_table_add (met,
                           GUINT_TO_POINTER (find_set (sets, weir_wire_get_id (there->pdata[i])))))
      return find (self, weir_wire_get_id (there->pdata[i]));
  return NULL;
}

/* What is joined with others that end on line @id, or with what stays, without it, ends there no
 * more; one at a time, as what goes with it may be what joined others. */
static void
part_joiners (WeirLineWork *self, guint32 id, const WeirWireEnd *stays)
{
  WeirWire *line;

  while ((line = find_superfluous (self, &(WeirWireEnd) { .line = id }, is_on_line, &id, stays))
         != NULL)
    remove_from (self, line, is_on_line, &id);
}

/* The lines of @joiners, which ended on line @id, stay one node: the first goes on to what is left
 * of it, or else takes the second in; the others end on the first. */
static void
keep_together (WeirLineWork *self, guint32 id, const GPtrArray *joiners, const WeirWireEnd *stays)
{
  WeirWire *first = joiners->pdata[0];
  guint32 first_id = weir_wire_get_id (first);
  WeirWireEnd end = { 0 };

  if (stays != NULL)
    end = *stays;
  else if (joiners->len > 1)
    end = get_far_end (joiners->pdata[1], id);
  if (stays == NULL && joiners->len > 1)
    {
      guint32 second = weir_wire_get_id (joiners->pdata[1]);
      g_autoptr (GPtrArray) others = list_lines (self, is_on_line, &second);

      g_hash_table_remove (self->lines, GUINT_TO_POINTER (second));
      for (guint i = 0; i < others->len; i++)
        change_ends (self, others->pdata[i], is_on_line, &second,
                     (WeirWireEnd) { .line = first_id });
    }
  else if (stays == NULL)
    end.point = (weir_wire_get_from (first).line == id ? weir_wire_get_from (first)
                                                       : weir_wire_get_to (first))
                    .point;
  for (guint i = 1; i < joiners->len; i++)
    {
      WeirWire *joiner = find (self, weir_wire_get_id (joiners->pdata[i]));

      if (joiner != NULL)
        change_ends (self, joiner, is_on_line, &id, (WeirWireEnd) { .line = first_id });
    }
  first = find (self, first_id);
  if (is_same_end (get_far_end (first, id), end))
    remove_line (self, first_id, end.block != 0 || end.line != 0 ? &end : NULL);
  else
    change_ends (self, first, is_on_line, &id, end);
}

/* @stays: the end of it that stays what it was, or NULL. */
static void
remove_line (WeirLineWork *self, guint32 id, const WeirWireEnd *stays)
{
  g_autoptr (GPtrArray) joiners = list_lines (self, is_on_line, &id);

  g_hash_table_remove (self->lines, GUINT_TO_POINTER (id));
  if (joiners->len + (stays != NULL) > 1)
    {
      g_autoptr (GPtrArray) parted = NULL;

      part_joiners (self, id, stays);
      parted = list_lines (self, is_on_line, &id);
      if (parted->len == 1 && stays == NULL)
        remove_from (self, parted->pdata[0], is_on_line, &id);
      else if (parted->len > 0)
        keep_together (self, id, parted, stays);
    }
  else if (joiners->len > 0)
    keep_together (self, id, joiners, stays);
}

void
weir_line_work_remove (WeirLineWork *self, guint32 line)
{
  if (find (self, line) != NULL)
    remove_line (self, line, NULL);
}

GPtrArray *
weir_line_work_list (WeirLineWork *self)
{
  return list_lines (self, is_any, NULL);
}

void
weir_line_work_take (WeirLineWork *self, guint32 line)
{
  g_hash_table_remove (self->lines, GUINT_TO_POINTER (line));
}

void
weir_line_work_set (WeirLineWork *self, WeirWire *line)
{
  g_hash_table_replace (self->lines, GUINT_TO_POINTER (weir_wire_get_id (line)),
                        weir_wire_ref (line));
}

/* --- Nodes ----------------------------------------------------------------------------------- */

/* The pins of the node of line @id, as ends; lines that were seen are added to @seen. */
static void
collect_pins (WeirLineWork *self, guint32 id, GHashTable *seen, GArray *pins)
{
  WeirWire *line = find (self, id);
  g_autoptr (GPtrArray) joiners = NULL;

  if (line == NULL || !g_hash_table_add (seen, GUINT_TO_POINTER (id)))
    return;
  for (guint i = 0; i < 2; i++)
    {
      WeirWireEnd end = get_end[i](line);
      g_autoptr (GPtrArray) there = NULL;
      gboolean known = FALSE;

      if (end.line != 0)
        collect_pins (self, end.line, seen, pins);
      if (end.block == 0)
        continue;
      for (guint k = 0; k < pins->len; k++)
        known |= is_same_end (g_array_index (pins, WeirWireEnd, k), end);
      if (!known)
        g_array_append_val (pins, end);
      there = list_lines (self, is_at_pin, &end);
      for (guint k = 0; k < there->len; k++)
        collect_pins (self, weir_wire_get_id (there->pdata[k]), seen, pins);
    }
  joiners = list_lines (self, is_on_line, &id);
  for (guint k = 0; k < joiners->len; k++)
    collect_pins (self, weir_wire_get_id (joiners->pdata[k]), seen, pins);
}

void
weir_line_work_merge (WeirLineWork *self, guint32 id)
{
  g_autoptr (GPtrArray) joiners = list_lines (self, is_on_line, &id);

  if (joiners->len == 1)
    remove_from (self, joiners->pdata[0], is_on_line, &id);
  else if (joiners->len > 1)
    remove_line (self, id, NULL);
}

void
weir_line_work_prune (WeirLineWork *self, WeirWireEnd pin)
{
  g_autoptr (GPtrArray) there = list_lines (self, is_at_pin, &pin);
  WeirWire *line;

  for (guint i = 0; i < there->len; i++)
    {
      WeirWire *same = find (self, weir_wire_get_id (there->pdata[i]));
      WeirWireEnd from = same != NULL ? weir_wire_get_from (same) : (WeirWireEnd) { 0 };
      WeirWireEnd to = same != NULL ? weir_wire_get_to (same) : (WeirWireEnd) { 0 };

      if (is_at_pin (&from, &pin) && is_at_pin (&to, &pin))
        remove_line (self, weir_wire_get_id (same), &pin);
    }
  while ((line = find_superfluous (self, &pin, is_at_pin, &pin, NULL)) != NULL)
    remove_from (self, line, is_at_pin, &pin);
}

#define NO_LINE G_MAXUINT32 /* greater than any id */

/* Lines that met at a pin that goes meet as one node. */
static void
leave_pin (WeirLineWork *self, WeirWireEnd pin)
{
  const WeirBlock *block = self->diagram != NULL
                               ? weir_diagram_find_block (self->diagram, pin.block)
                               : NULL;
  WeirPoint at = block != NULL ? weir_block_get_position (block) : (WeirPoint) { 0, 0 };
  g_autoptr (GPtrArray) there = NULL;

  weir_line_work_prune (self, pin);
  there = list_lines (self, is_at_pin, &pin);
  if (there->len == 1)
    {
      remove_from (self, there->pdata[0], is_at_pin, &pin);
      return;
    }
  for (guint i = 0; i < there->len; i++)
    {
      WeirWireEnd ends[2] = { weir_wire_get_from (there->pdata[i]),
                              weir_wire_get_to (there->pdata[i]) };
      guint end = is_at_pin (&ends[0], &pin) ? 0 : 1;
      g_autoptr (WeirWire) ended = NULL;

      ends[end] = (WeirWireEnd) { .line = NO_LINE, .point = at };
      ended = weir_wire_with_ends (there->pdata[i], ends[0], ends[1]);
      weir_line_work_set (self, ended);
    }
  remove_line (self, NO_LINE, NULL);
}

/* Lines of nodes that have no pin go. */
static void
drop_without_pin (WeirLineWork *self)
{
  g_autoptr (GPtrArray) all = list_lines (self, is_any, NULL);
  g_autoptr (GHashTable) sets = find_sets (self, &(WeirWireEnd) { 0 });
  g_autoptr (GHashTable) met = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < all->len; i++)
    if (weir_wire_get_from (all->pdata[i]).block != 0
        || weir_wire_get_to (all->pdata[i]).block != 0)
      g_hash_table_add (met, GUINT_TO_POINTER (find_set (sets, weir_wire_get_id (all->pdata[i]))));
  for (guint i = 0; i < all->len; i++)
    if (!g_hash_table_contains (
            met, GUINT_TO_POINTER (find_set (sets, weir_wire_get_id (all->pdata[i])))))
      weir_line_work_take (self, weir_wire_get_id (all->pdata[i]));
}

void
weir_line_work_keep_blocks (WeirLineWork *self, GHashTable *blocks)
{
  g_autoptr (GPtrArray) all = list_lines (self, is_any, NULL);

  for (guint i = 0; i < all->len; i++)
    for (guint k = 0; k < 2; k++)
      {
        WeirWireEnd end = get_end[k](all->pdata[i]);

        if (end.block != 0 && !g_hash_table_contains (blocks, GUINT_TO_POINTER (end.block)))
          leave_pin (self, end);
      }
  drop_without_pin (self);
}

/* --- Two-poles that go ----------------------------------------------------------------------- */

/* Whether what is on both sides of a two-pole may become one node: it was in series there, and no
 * other block is shorted by that. */
static gboolean
is_in_series (const GArray *a, const GArray *b, guint32 block)
{
  if (a->len < 2 || b->len < 2 || (a->len > 2 && b->len > 2))
    return FALSE;
  for (guint i = 0; i < a->len; i++)
    for (guint k = 0; k < b->len; k++)
      {
        guint32 x = g_array_index (a, WeirWireEnd, i).block;

        if (x != block && x == g_array_index (b, WeirWireEnd, k).block)
          return FALSE;
      }
  return TRUE;
}

/* @pins: of a block; what ends at the first of them stays the line that it is, of the two. */
static void
heal_over (WeirLineWork *self, guint32 block, const WeirWireEnd pins[2])
{
  g_autoptr (GPtrArray) here = list_lines (self, is_at_pin, &pins[0]);
  g_autoptr (GPtrArray) there = list_lines (self, is_at_pin, &pins[1]);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) a = g_array_new (FALSE, FALSE, sizeof (WeirWireEnd));
  g_autoptr (GArray) b = g_array_new (FALSE, FALSE, sizeof (WeirWireEnd));
  g_autoptr (GPtrArray) joiners = NULL;
  WeirWireEnd far;
  guint32 first, second;

  if (here->len != 1 || there->len != 1 || here->pdata[0] == there->pdata[0])
    return;
  first = weir_wire_get_id (here->pdata[0]);
  second = weir_wire_get_id (there->pdata[0]);
  if (first > second)
    {
      heal_over (self, block, (WeirWireEnd[]) { pins[1], pins[0] });
      return;
    }
  collect_pins (self, first, seen, a);
  if (g_hash_table_contains (seen, GUINT_TO_POINTER (second)))
    return;
  collect_pins (self, second, seen, b);
  if (!is_in_series (a, b, block))
    return;
  far = weir_wire_get_from (there->pdata[0]);
  if (is_at_pin (&far, &pins[1]))
    far = weir_wire_get_to (there->pdata[0]);
  joiners = list_lines (self, is_on_line, &second);
  g_hash_table_remove (self->lines, GUINT_TO_POINTER (second));
  change_ends (self, here->pdata[0], is_at_pin, &pins[0], far);
  for (guint i = 0; i < joiners->len; i++)
    change_ends (self, joiners->pdata[i], is_on_line, &second, (WeirWireEnd) { .line = first });
}

void
weir_line_work_remove_block (WeirLineWork *self, WeirBlock *block)
{
  guint32 id = weir_block_get_id (block);
  g_autoptr (GArray) specs = weir_block_list_pins (block);
  g_autoptr (GPtrArray) lines = NULL;

  if (specs->len == 2)
    heal_over (
        self, id,
        (WeirWireEnd[]) { { .block = id, .port = g_array_index (specs, WeirPinSpec, 0).name },
                          { .block = id, .port = g_array_index (specs, WeirPinSpec, 1).name } });
  lines = list_lines (self, is_at_block, &id);
  for (guint i = 0; i < lines->len; i++)
    {
      WeirWire *line = find (self, weir_wire_get_id (lines->pdata[i]));
      WeirWireEnd ends[2];

      if (line == NULL)
        continue;
      ends[0] = weir_wire_get_from (line);
      ends[1] = weir_wire_get_to (line);
      if (ends[0].block != id && ends[1].block != id)
        continue; /* it has become another while the ones before it went */
      {
        WeirWireEnd stays = ends[0].block == id ? ends[1] : ends[0];

        remove_line (self, weir_wire_get_id (line),
                     stays.block != id && (stays.block != 0 || stays.line != 0) ? &stays : NULL);
      }
    }
}

typedef struct {
  WeirLineWork *work;
  WeirPatch *patch;
  WeirPlace place;
} Putting;

static gboolean
put_removal (WeirWire *wire, gpointer data)
{
  Putting *putting = data;

  if (weir_wire_is_line (wire) && find (putting->work, weir_wire_get_id (wire)) == NULL)
    weir_patch_remove_wire (putting->patch, putting->place, weir_wire_get_id (wire));
  return TRUE;
}

void
weir_line_work_put (WeirLineWork *self, WeirPatch *patch, WeirPlace place)
{
  Putting putting = { self, patch, place };
  g_autoptr (GPtrArray) lines = list_lines (self, is_any, NULL);

  if (self->diagram != NULL)
    weir_diagram_foreach_wire (self->diagram, put_removal, &putting);
  for (guint i = 0; i < lines->len; i++)
    if (self->diagram == NULL
        || weir_diagram_find_wire (self->diagram, weir_wire_get_id (lines->pdata[i]))
               != lines->pdata[i])
      weir_patch_set_wire (patch, place, lines->pdata[i]);
}
