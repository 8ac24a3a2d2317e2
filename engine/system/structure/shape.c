/* Shapes: the declarations of a system, its composite tickets and its fingerprint.
 *
 * The composite tickets are those of Drake, with z in configuration.
 */
#include "base/sha256.h"
#include "base/sync.h"
#include "system/structure/shape-private.h"

#include <string.h>

#define END WEIR_TICKET_END

WEIR_COVERS_COMMON (WEIR_TICKET_ACCURACY);
static const struct {
  const char *name;
  guint16 subscribes[7];
} built_in[WEIR_N_BUILT_IN_TICKETS] = {
  [WEIR_TICKET_NOTHING] = { "nothing", { END } },
  [WEIR_TICKET_TIME] = { "t", { END } },
  [WEIR_TICKET_ACCURACY] = { "accuracy", { END } },
  [WEIR_TICKET_Q] = { "q", { END } },
  [WEIR_TICKET_V] = { "v", { END } },
  [WEIR_TICKET_Z] = { "z", { END } },
  [WEIR_TICKET_XC] = { "xc", { WEIR_TICKET_Q, WEIR_TICKET_V, WEIR_TICKET_Z, END } },
  [WEIR_TICKET_XD] = { "xd", { END } }, /* every discrete group */
  [WEIR_TICKET_XA] = { "xa", { END } },
  [WEIR_TICKET_ALL_STATE] = { "x", { WEIR_TICKET_XC, WEIR_TICKET_XD, WEIR_TICKET_XA, END } },
  [WEIR_TICKET_PN] = { "pn", { END } }, /* every numeric parameter */
  [WEIR_TICKET_PA] = { "pa", { END } },
  [WEIR_TICKET_ALL_PARAMETERS] = { "p", { WEIR_TICKET_PN, WEIR_TICKET_PA, END } },
  [WEIR_TICKET_ALL_SOURCES_EXCEPT_INPUTS] = { "all sources except input ports",
                                              { WEIR_TICKET_TIME, WEIR_TICKET_ACCURACY,
                                                WEIR_TICKET_ALL_STATE, WEIR_TICKET_ALL_PARAMETERS,
                                                END } },
  [WEIR_TICKET_ALL_INPUTS] = { "u", { END } }, /* every input port */
  [WEIR_TICKET_ALL_SOURCES] = { "all sources",
                                { WEIR_TICKET_ALL_SOURCES_EXCEPT_INPUTS, WEIR_TICKET_ALL_INPUTS,
                                  END } },
  [WEIR_TICKET_CONFIGURATION] = { "configuration",
                                  { WEIR_TICKET_ACCURACY, WEIR_TICKET_Q, WEIR_TICKET_Z,
                                    WEIR_TICKET_XD, WEIR_TICKET_XA, WEIR_TICKET_ALL_PARAMETERS,
                                    END } },
  [WEIR_TICKET_KINEMATICS] = { "kinematics", { WEIR_TICKET_CONFIGURATION, WEIR_TICKET_V, END } },
  [WEIR_TICKET_XCDOT] = { "xcdot", { END } }, /* entries, not composites, from here on */
  [WEIR_TICKET_PE] = { "PE", { END } },
  [WEIR_TICKET_KE] = { "KE", { END } },
  [WEIR_TICKET_PC] = { "pc", { END } },
  [WEIR_TICKET_PNC] = { "pnc", { END } },
  [WEIR_TICKET_XD_UPDATE] = { "xd_unique_periodic_update", { END } },
};

const guint16 *
weir_composite_prerequisites (guint16 ticket)
{
  g_assert (ticket < WEIR_N_BUILT_IN_TICKETS);

  return built_in[ticket].subscribes;
}

const char *
weir_built_in_ticket_name (guint16 ticket)
{
  return built_in[ticket].name;
}

static void
vector_decl_clear (gpointer data)
{
  WeirVectorDecl *decl = data;

  g_free (decl->name);
  g_free (decl->value);
  g_clear_pointer (&decl->type, g_variant_type_free);
  g_clear_pointer (&decl->abstract, g_variant_unref);
}

static void
output_decl_clear (gpointer data)
{
  WeirOutputDecl *decl = data;

  g_free (decl->name);
  g_free (decl->guess);
  g_clear_pointer (&decl->type, g_variant_type_free);
}

static void
entry_decl_clear (gpointer data)
{
  WeirEntryDecl *decl = data;

  g_free (decl->name);
  g_clear_pointer (&decl->type, g_variant_type_free);
  g_free (decl->depends);
  g_free (decl->primary);
  g_free (decl->broadcast);
  g_clear_pointer (&decl->pattern, weir_pattern_unref);
  g_strfreev (decl->element_names);
  g_strfreev (decl->element_places);
}

static GArray *
new_array (gsize element_size, GDestroyNotify clear)
{
  GArray *array = g_array_new (FALSE, TRUE, element_size);

  if (clear != NULL)
    g_array_set_clear_func (array, clear);
  return array;
}

WeirShape *
weir_shape_new (const char *kind, gboolean is_diagram)
{
  WeirShape *self = g_new0 (WeirShape, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->kind = g_strdup (kind);
  self->is_diagram = is_diagram;
  self->slopes = G_MAXUINT32;
  self->nominals_group = G_MAXUINT32;
  self->items = new_array (sizeof (WeirItem), NULL);
  self->inputs = new_array (sizeof (WeirVectorDecl), vector_decl_clear);
  self->outputs = new_array (sizeof (WeirOutputDecl), output_decl_clear);
  self->parameters = new_array (sizeof (WeirVectorDecl), vector_decl_clear);
  self->groups = new_array (sizeof (WeirVectorDecl), vector_decl_clear);
  self->entries = new_array (sizeof (WeirEntryDecl), entry_decl_clear);
  self->events = new_array (sizeof (WeirEventDecl), NULL);
  self->starts = new_array (sizeof (WeirStartDecl), NULL);
  for (guint i = 0; i < WEIR_N_BUILT_IN_TICKETS; i++)
    weir_shape_add_item (self, WEIR_ITEM_BUILT_IN, G_MAXUINT16);
  return self;
}

WeirShape *
weir_shape_ref (WeirShape *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
weir_shape_unref (WeirShape *self)
{
  if (!weir_sync_drop (self, &self->ref_count))
    return;
  for (guint i = 0; i < self->n_children; i++)
    {
      weir_shape_unref (self->children[i]);
      g_free (self->child_names[i]);
    }
  g_free (self->children);
  g_free (self->child_names);
  g_free (self->first_wiring);
  g_free (self->wiring);
  g_array_unref (self->items);
  g_array_unref (self->inputs);
  g_array_unref (self->outputs);
  g_array_unref (self->parameters);
  g_array_unref (self->groups);
  g_array_unref (self->entries);
  g_array_unref (self->events);
  g_array_unref (self->starts);
  g_free (self->initial_state);
  g_strfreev (self->state_names);
  g_free (self->state_nominals);
  g_clear_pointer (&self->aliases, g_hash_table_unref);
  g_free (self->data);
  g_free (self->feedthrough);
  g_free (self->kind);
  g_free (self);
}

guint16
weir_shape_add_item (WeirShape *self, WeirItemKind kind, guint index)
{
  WeirItem item = { .kind = kind, .index = (guint16) index };

  g_assert (self->items->len < WEIR_TICKET_END);
  g_array_append_val (self->items, item);
  return (guint16) (self->items->len - 1);
}

int
weir_shape_find_entry (const WeirShape *self, guint16 ticket)
{
  WeirItem item;

  if (ticket >= self->items->len)
    return -1;
  item = weir_shape_item (self, ticket);
  switch (item.kind)
    {
    case WEIR_ITEM_ENTRY:
      return item.index;
    case WEIR_ITEM_BUILT_IN:
      return item.index == G_MAXUINT16 ? -1 : item.index;
    case WEIR_ITEM_OUTPUT:
      return self->is_diagram
                 ? -1
                 : weir_shape_find_entry (self, weir_shape_output (self, item.index)->shown);
    case WEIR_ITEM_INPUT:
    case WEIR_ITEM_PARAMETER:
    case WEIR_ITEM_GROUP:
    default:
      return -1;
    }
}

char *
weir_shape_dup_ticket_name (const WeirShape *self, guint16 ticket)
{
  WeirItem item = weir_shape_item (self, ticket);

  switch (item.kind)
    {
    case WEIR_ITEM_INPUT:
      return g_strdup_printf ("u_%u (%s)", item.index, weir_shape_input (self, item.index)->name);
    case WEIR_ITEM_OUTPUT:
      return g_strdup_printf ("y_%u (%s)", item.index, weir_shape_output (self, item.index)->name);
    case WEIR_ITEM_PARAMETER:
      return g_strdup_printf ("%sparameter %s",
                              weir_shape_parameter (self, item.index)->type != NULL ? "abstract "
                                                                                    : "",
                              weir_shape_parameter (self, item.index)->name);
    case WEIR_ITEM_GROUP:
      return g_strdup_printf ("%s state %s",
                              weir_shape_group (self, item.index)->type != NULL ? "abstract"
                                                                                : "discrete",
                              weir_shape_group (self, item.index)->name);
    case WEIR_ITEM_ENTRY:
      return g_strdup_printf ("cache %s", weir_shape_entry (self, item.index)->name);
    case WEIR_ITEM_BUILT_IN:
    default:
      return g_strdup (weir_built_in_ticket_name (ticket));
    }
}

/* --- Patterns -------------------------------------------------------------------------------- */

/* @by: guint16, primary tickets, of @sizes elements. */
WeirPattern *
weir_pattern_new (GArray *by, const guint32 *sizes, guint32 n_rows, const guint32 *first,
                  const guint32 *columns)
{
  WeirPattern *self = g_new0 (WeirPattern, 1);
  guint32 n_items = first[n_rows];

  g_atomic_ref_count_init (&self->ref_count);
  self->n_by = by->len;
  self->by = g_memdup2 (by->data, by->len * sizeof (guint16));
  self->by_first = g_new0 (guint32, by->len + 1);
  for (guint k = 0; k < by->len; k++)
    self->by_first[k + 1] = self->by_first[k] + sizes[k];
  self->rows.n = n_rows;
  self->rows.first = g_new (guint32, (gsize) n_rows + 2);
  memcpy (self->rows.first, first, ((gsize) n_rows + 1) * sizeof *first);
  self->rows.first[n_rows + 1] = n_items;
  self->rows.items = g_new (guint32, MAX (n_items, 1));
  for (guint32 k = 0; k < n_items; k++)
    {
      g_assert (columns[k] < self->by_first[by->len]);
      self->rows.items[k] = columns[k];
    }
  for (guint32 i = 0; i < n_rows; i++)
    for (guint32 k = first[i] + 1; k < first[i + 1]; k++)
      g_assert (columns[k - 1] < columns[k]);
  return self;
}

WeirPattern *
weir_pattern_ref (WeirPattern *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
weir_pattern_unref (WeirPattern *self)
{
  if (!weir_sync_drop (self, &self->ref_count))
    return;
  g_free (self->by);
  g_free (self->by_first);
  weir_rows_clear (&self->rows);
  g_free (self);
}

/* --- Fingerprint: everything that decides the numbering, and nothing else -------------------- */

/* Seven bits a byte, the last one without its eighth: so no two sequences of numbers are alike. */
static void
digest_number (WeirSha256 *self, guint64 number)
{
  guint8 bytes[10];
  guint n = 0;

  for (; number > 0x7f; number >>= 7)
    bytes[n++] = (guint8) (number | 0x80);
  bytes[n++] = (guint8) number;
  weir_sha256_add (self, bytes, n);
}

static void
digest_text (WeirSha256 *self, const char *text)
{
  gsize length = strlen (text);

  digest_number (self, length);
  weir_sha256_add (self, text, length);
}

static void
digest_type (WeirSha256 *self, const GVariantType *type)
{
  gsize length = type != NULL ? g_variant_type_get_string_length (type) : 0;

  digest_number (self, length);
  if (length > 0)
    weir_sha256_add (self, g_variant_type_peek_string (type), length);
}

static void
digest_vectors (WeirSha256 *self, const GArray *vectors)
{
  digest_number (self, vectors->len);
  for (guint i = 0; i < vectors->len; i++)
    {
      const WeirVectorDecl *decl = &g_array_index (vectors, WeirVectorDecl, i);

      digest_text (self, decl->name);
      digest_number (self, decl->size);
      digest_type (self, decl->type);
      digest_number (self, decl->ticket);
    }
}

static void
digest_double (WeirSha256 *self, double value)
{
  guint64 bits;

  memcpy (&bits, &value, sizeof bits);
  bits = GUINT64_TO_LE (bits);
  weir_sha256_add (self, &bits, sizeof bits);
}

static void
digest_outputs (WeirSha256 *digest, const WeirShape *self)
{
  digest_number (digest, self->outputs->len);
  for (guint i = 0; i < self->outputs->len; i++)
    {
      const WeirOutputDecl *decl = weir_shape_output (self, i);

      digest_text (digest, decl->name);
      digest_number (digest, decl->size);
      digest_type (digest, decl->type);
      digest_number (digest, decl->shown);
      digest_number (digest, decl->child);
      digest_number (digest, decl->child_output);
    }
}

static void
digest_pattern (WeirSha256 *self, const WeirEntryDecl *decl)
{
  const WeirPattern *pattern = decl->pattern;

  if (pattern == NULL)
    return;
  digest_number (self, pattern->n_by);
  for (guint k = 0; k < pattern->n_by; k++)
    digest_number (self, pattern->by[k]);
  for (guint32 i = 0; i < pattern->rows.n; i++)
    digest_number (self, weir_rows_get_length (&pattern->rows, i));
  for (guint32 k = 0; k < weir_rows_get_n_items (&pattern->rows); k++)
    digest_number (self, pattern->rows.items[k]);
  digest_number (self, decl->has_slopes ? (guint64) decl->first_slope + 1 : 0);
}

static void
digest_entries (WeirSha256 *digest, const WeirShape *self)
{
  digest_number (digest, self->entries->len);
  for (guint i = 0; i < self->entries->len; i++)
    {
      const WeirEntryDecl *decl = weir_shape_entry (self, i);

      digest_text (digest, decl->name);
      digest_number (digest, decl->kind);
      digest_number (digest, decl->ticket);
      digest_number (digest, decl->size);
      digest_type (digest, decl->type);
      digest_number (digest, decl->variant);
      digest_number (digest, decl->is_kernel);
      digest_number (digest, decl->is_lazy);
      digest_number (digest, decl->n_depends);
      for (guint k = 0; k < decl->n_depends; k++)
        digest_number (digest, decl->depends[k]);
      digest_pattern (digest, decl);
    }
}

static void
digest_events (WeirSha256 *digest, const WeirShape *self)
{
  digest_number (digest, self->events->len);
  for (guint i = 0; i < self->events->len; i++)
    {
      const WeirEventDecl *decl = &g_array_index (self->events, WeirEventDecl, i);

      digest_number (digest, decl->trigger);
      digest_number (digest, decl->action);
      digest_number (digest, decl->group.i);
      digest_number (digest, decl->witness.i);
      digest_number (digest, (guint64) decl->direction);
      digest_number (digest, decl->leaves_zero);
      digest_number (digest, decl->rank);
      digest_number (digest, decl->n_limits);
      digest_double (digest, decl->period);
      digest_double (digest, decl->offset);
    }
}

static void
digest_starts (WeirSha256 *digest, const WeirShape *self)
{
  digest_number (digest, self->starts->len);
  for (guint i = 0; i < self->starts->len; i++)
    {
      const WeirStartDecl *decl = &g_array_index (self->starts, WeirStartDecl, i);

      digest_number (digest, decl->entry);
      digest_number (digest, decl->group);
    }
}

static void
digest_children (WeirSha256 *digest, const WeirShape *self)
{
  digest_number (digest, self->n_children);
  for (guint c = 0; c < self->n_children; c++)
    {
      const WeirShape *child = self->children[c];

      digest_text (digest, self->child_names[c]);
      digest_number (digest, child->fingerprint.low);
      digest_number (digest, child->fingerprint.high);
      for (guint i = 0; i < child->inputs->len; i++)
        {
          WeirWiring wiring = self->wiring[self->first_wiring[c] + i];

          digest_number (digest, wiring.child);
          digest_number (digest, wiring.port);
        }
    }
}

static void
calc_fingerprint (WeirShape *self)
{
  WeirSha256 digest;
  guint8 bytes[WEIR_SHA256_SIZE];

  weir_sha256_init (&digest);
  digest_text (&digest, self->kind);
  digest_number (&digest, self->is_diagram);
  digest_vectors (&digest, self->inputs);
  digest_vectors (&digest, self->parameters);
  digest_vectors (&digest, self->groups);
  digest_outputs (&digest, self);
  digest_entries (&digest, self);
  digest_events (&digest, self);
  digest_starts (&digest, self);
  digest_number (&digest, self->nq);
  digest_number (&digest, self->nv);
  digest_number (&digest, self->nz);
  digest_number (&digest, self->data_size);
  weir_sha256_add (&digest, self->data, self->data_size);
  digest_children (&digest, self);
  if (self->is_unit)
    {
      digest_number (&digest, self->unit_n_steps);
      digest_number (&digest, (guint64) (gint64) self->unit_place);
    }

  weir_sha256_end (&digest, bytes);
  memcpy (&self->fingerprint.low, bytes, 8);
  memcpy (&self->fingerprint.high, bytes + 8, 8);
}

/* --- Direct feedthrough of a leaf: by declared prerequisites, through its own entries -------- */

static void
calc_leaf_feedthrough (WeirShape *self)
{
  guint n_inputs = self->inputs->len;
  guint8 *by_entry = g_new0 (guint8, (gsize) MAX (self->entries->len, 1) * MAX (n_inputs, 1));

  /* Entries follow their prerequisites, so one pass suffices. */
  for (guint e = 0; e < self->entries->len; e++)
    {
      const WeirEntryDecl *decl = weir_shape_entry (self, e);

      for (guint k = 0; k < decl->n_primary; k++)
        {
          WeirItem item = weir_shape_item (self, decl->primary[k]);
          int other = weir_shape_find_entry (self, decl->primary[k]);

          if (item.kind == WEIR_ITEM_INPUT)
            by_entry[e * n_inputs + item.index] = TRUE;
          else if (other >= 0)
            for (guint i = 0; i < n_inputs; i++)
              by_entry[e * n_inputs + i] |= by_entry[(guint) other * n_inputs + i];
        }
    }
  for (guint o = 0; o < self->outputs->len; o++)
    {
      guint16 shown = weir_shape_output (self, o)->shown;
      int entry = weir_shape_find_entry (self, shown);
      WeirItem item = weir_shape_item (self, shown);

      if (item.kind == WEIR_ITEM_INPUT)
        self->feedthrough[o * n_inputs + item.index] = TRUE;
      else if (entry >= 0 && n_inputs > 0)
        memcpy (&self->feedthrough[o * n_inputs], &by_entry[(guint) entry * n_inputs], n_inputs);
    }
  g_free (by_entry);
}

void
weir_shape_seal (WeirShape *self)
{
  if (self->feedthrough == NULL)
    {
      self->feedthrough = g_new0 (guint8,
                                  (gsize) MAX (self->inputs->len, 1) * MAX (self->outputs->len, 1));
      if (!self->is_diagram)
        calc_leaf_feedthrough (self);
    }
  for (guint e = 0; e < self->entries->len; e++)
    {
      WeirEntryDecl *decl = &g_array_index (self->entries, WeirEntryDecl, e);

      decl->kind_hash = g_str_hash (self->kind);
      decl->name_hash = g_str_hash (decl->name);
      decl->has_parameters = FALSE;
      for (guint k = 0; k < decl->n_primary; k++)
        decl->has_parameters |= weir_shape_item (self, decl->primary[k]).kind
                                == WEIR_ITEM_PARAMETER;
    }
  calc_fingerprint (self);
}

/* --- What prerequisites stand for ------------------------------------------------------------- */

static void
add_primary (GArray *primary, guint16 ticket)
{
  for (guint i = 0; i < primary->len; i++)
    if (g_array_index (primary, guint16, i) == ticket)
      return;
  g_array_append_val (primary, ticket);
}

/* The vectors of doubles, or the abstract ones. */
static void
add_primaries (const GArray *vectors, gboolean are_abstract, GArray *primary)
{
  for (guint i = 0; i < vectors->len; i++)
    if ((g_array_index (vectors, WeirVectorDecl, i).type != NULL) == are_abstract)
      add_primary (primary, g_array_index (vectors, WeirVectorDecl, i).ticket);
}

/* Replaces composites by what they stand for; state kinds that the leaf has none of drop out. */
static void
expand (const WeirShape *shape, guint16 ticket, GArray *primary)
{
  WeirItem item = weir_shape_item (shape, ticket);

  if (item.kind == WEIR_ITEM_OUTPUT)
    {
      expand (shape, weir_shape_output (shape, item.index)->shown, primary);
      return;
    }
  if (item.kind != WEIR_ITEM_BUILT_IN || weir_shape_find_entry (shape, ticket) >= 0
      || weir_ticket_is_common ((WeirTicket) { ticket }))
    {
      add_primary (primary, ticket);
      return;
    }
  switch (ticket)
    {
    case WEIR_TICKET_Q:
      if (shape->nq > 0)
        add_primary (primary, ticket);
      return;
    case WEIR_TICKET_V:
      if (shape->nv > 0)
        add_primary (primary, ticket);
      return;
    case WEIR_TICKET_Z:
      if (shape->nz > 0)
        add_primary (primary, ticket);
      return;
    case WEIR_TICKET_XD:
    case WEIR_TICKET_XA:
      add_primaries (shape->groups, ticket == WEIR_TICKET_XA, primary);
      return;
    case WEIR_TICKET_PN:
    case WEIR_TICKET_PA:
      add_primaries (shape->parameters, ticket == WEIR_TICKET_PA, primary);
      return;
    case WEIR_TICKET_ALL_INPUTS:
      add_primaries (shape->inputs, FALSE, primary);
      add_primaries (shape->inputs, TRUE, primary);
      return;
    default:
      for (const guint16 *p = weir_composite_prerequisites (ticket); *p != WEIR_TICKET_END; p++)
        expand (shape, *p, primary);
    }
}

GArray *
weir_shape_list_primary (const WeirShape *self, const guint16 *tickets, guint n)
{
  GArray *primary = g_array_new (FALSE, FALSE, sizeof (guint16));

  for (guint i = 0; i < n; i++)
    expand (self, tickets[i], primary);
  return primary;
}
