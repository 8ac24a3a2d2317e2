/* Questions about a layout: names, paths, ports, entries, slices, sources. */
#include "system/layout/layout-private.h"
#include "base/text.h"
#include "system/layout/units.h"

#include <string.h>

guint32
weir_layout_child (const WeirLayout *self, guint32 node, guint32 child)
{
  return self->child_nodes[self->nodes[node].first_child + child];
}

guint32
weir_layout_subtree_end (const WeirLayout *self, guint32 node)
{
  while (self->nodes[node].shape->n_children > 0)
    node = weir_layout_child (self, node, self->nodes[node].shape->n_children - 1);
  return node + 1;
}

WeirFingerprint
weir_layout_get_fingerprint (const WeirLayout *self)
{
  return self->shape->fingerprint;
}

guint
weir_layout_get_n_nodes (const WeirLayout *self)
{
  return self->n_nodes;
}

WeirNode
weir_layout_get_parent (const WeirLayout *self, WeirNode node)
{
  return (WeirNode) { self->nodes[node.i].parent };
}

const char *
weir_layout_get_node_name (const WeirLayout *self, WeirNode node)
{
  const WeirNodeInfo *info = &self->nodes[node.i];

  return info->parent == WEIR_NO_INDEX ? ""
                                       : self->nodes[info->parent].shape->child_names[info->child];
}

char *
weir_layout_dup_path (const WeirLayout *self, WeirNode node)
{
  GString *path = g_string_new (NULL);

  for (; node.i != 0; node = weir_layout_get_parent (self, node))
    {
      if (path->len > 0)
        g_string_prepend_c (path, '.');
      g_string_prepend (path, weir_layout_get_node_name (self, node));
    }
  return g_string_free (path, FALSE);
}

gboolean
weir_layout_find_outer_node (const WeirLayout *self, const char *path, WeirNode *node,
                             const char **within)
{
  guint32 n = 0;

  while (*path != '\0' && !self->nodes[n].shape->is_unit)
    {
      const WeirShape *shape = self->nodes[n].shape;
      gsize length = strcspn (path, ".");
      guint32 c = 0;

      while (c < shape->n_children
             && (strncmp (shape->child_names[c], path, length) != 0
                 || shape->child_names[c][length] != '\0'))
        c++;
      if (c == shape->n_children)
        return FALSE;
      n = weir_layout_child (self, n, c);
      path += length;
      if (*path == '.' && *++path == '\0')
        return FALSE;
    }
  node->i = n;
  *within = path;
  return TRUE;
}

gboolean
weir_layout_find_node (const WeirLayout *self, const char *path, WeirNode *node)
{
  const char *within;

  return weir_layout_find_outer_node (self, path, node, &within) && *within == '\0';
}

static int
find_vector (const GArray *vectors, const char *name)
{
  for (guint i = 0; i < vectors->len; i++)
    if (g_str_equal (g_array_index (vectors, WeirVectorDecl, i).name, name))
      return (int) i;
  return -1;
}

static gboolean
has_name (const WeirLayout *self, WeirNode node, const char *name)
{
  WeirInput in;
  WeirOutput out;
  WeirParameter parameter;

  return weir_layout_find_output (self, node, name, &out)
         || weir_layout_find_input (self, node, name, &in)
         || weir_layout_find_parameter (self, node, name, &parameter, NULL);
}

/* The leaf in @diagram that has the name, which has dots; or @diagram itself, if it is a leaf:
 * names of what others have made have dots too. */
static gboolean
find_leaf_with (const WeirLayout *self, WeirNode diagram, const char *name, WeirNode *leaf)
{
  const WeirShape *shape = self->nodes[diagram.i].shape;

  *leaf = diagram;
  if (shape->n_children == 0)
    return has_name (self, diagram, name);
  for (guint32 c = 0; c < shape->n_children; c++)
    {
      leaf->i = weir_layout_child (self, diagram.i, c);
      if (self->nodes[leaf->i].shape->n_children == 0 && !self->nodes[leaf->i].shape->has_own_names
          && has_name (self, *leaf, name))
        return TRUE;
    }
  return FALSE;
}

gboolean
weir_layout_find_owner (const WeirLayout *self, const char *path, WeirNode *node, const char **name)
{
  const char *dot = strrchr (path, '.');
  g_autofree char *block = g_strndup (path, dot != NULL ? (gsize) (dot - path) : 0);
  const char *within;
  WeirNode holder;

  *name = dot != NULL ? dot + 1 : path;
  if (weir_layout_find_outer_node (self, block, node, &within))
    {
      if (*within != '\0')
        *name = path + (within - block);
      return TRUE;
    }
  /* Inside out: the leaf stands in the innermost diagram that holds all its parts. */
  for (;;)
    {
      char *last = strrchr (block, '.');

      if (last != NULL)
        *last = '\0';
      else
        *block = '\0';
      *name = path + strlen (block) + (*block != '\0');
      if (weir_layout_find_node (self, block, &holder)
          && find_leaf_with (self, holder, *name, node))
        return TRUE;
      if (*block == '\0')
        return FALSE;
    }
}

char *
weir_layout_dup_name_path (const WeirLayout *self, WeirNode node, const char *name)
{
  g_autofree char *path = NULL;

  if (strchr (name, '.') != NULL && node.i != 0 && !self->nodes[node.i].shape->has_own_names)
    node = weir_layout_get_parent (self, node);
  path = weir_layout_dup_path (self, node);
  return g_strconcat (path, *path != '\0' ? "." : "", name, NULL);
}

gboolean
weir_layout_find_input (const WeirLayout *self, WeirNode node, const char *name, WeirInput *in)
{
  int found = find_vector (self->nodes[node.i].shape->inputs, name);

  in->i = (guint16) found;
  return found >= 0;
}

gboolean
weir_layout_find_output (const WeirLayout *self, WeirNode node, const char *name, WeirOutput *out)
{
  const WeirShape *shape = self->nodes[node.i].shape;
  const char *meant = shape->aliases != NULL ? g_hash_table_lookup (shape->aliases, name) : NULL;

  name = meant != NULL ? meant : name;
  for (guint i = 0; i < shape->outputs->len; i++)
    if (g_str_equal (weir_shape_output (shape, i)->name, name))
      {
        out->i = (guint16) i;
        return TRUE;
      }
  return FALSE;
}

gboolean
weir_layout_find_parameter (const WeirLayout *self, WeirNode node, const char *name,
                            WeirParameter *parameter, guint *size)
{
  int found = find_vector (self->nodes[node.i].shape->parameters, name);

  parameter->i = (guint16) found;
  if (found >= 0 && size != NULL)
    *size = weir_shape_parameter (self->nodes[node.i].shape, (guint) found)->size;
  return found >= 0;
}

gboolean
weir_layout_find_group (const WeirLayout *self, WeirNode node, const char *name, WeirGroup *group,
                        guint *size)
{
  int found = find_vector (self->nodes[node.i].shape->groups, name);

  group->i = (guint16) found;
  if (found >= 0 && size != NULL)
    *size = weir_shape_group (self->nodes[node.i].shape, (guint) found)->size;
  return found >= 0;
}

guint
weir_layout_get_n_parameters (const WeirLayout *self, WeirNode node)
{
  return self->nodes[node.i].shape->parameters->len;
}

guint
weir_layout_get_n_inputs (const WeirLayout *self, WeirNode node)
{
  return self->nodes[node.i].shape->inputs->len;
}

guint
weir_layout_get_n_outputs (const WeirLayout *self, WeirNode node)
{
  return self->nodes[node.i].shape->outputs->len;
}

const char *
weir_layout_get_input_name (const WeirLayout *self, WeirNode node, WeirInput in)
{
  return weir_shape_input (self->nodes[node.i].shape, in.i)->name;
}

const char *
weir_layout_get_output_name (const WeirLayout *self, WeirNode node, WeirOutput out)
{
  return weir_shape_output (self->nodes[node.i].shape, out.i)->name;
}

guint
weir_layout_get_input_size (const WeirLayout *self, WeirNode node, WeirInput in)
{
  return weir_shape_input (self->nodes[node.i].shape, in.i)->size;
}

guint
weir_layout_get_output_size (const WeirLayout *self, WeirNode node, WeirOutput out)
{
  return weir_shape_output (self->nodes[node.i].shape, out.i)->size;
}

const GVariantType *
weir_layout_get_input_type (const WeirLayout *self, WeirNode node, WeirInput in)
{
  return weir_shape_input (self->nodes[node.i].shape, in.i)->type;
}

const GVariantType *
weir_layout_get_output_type (const WeirLayout *self, WeirNode node, WeirOutput out)
{
  return weir_shape_output (self->nodes[node.i].shape, out.i)->type;
}

const GVariantType *
weir_layout_get_parameter_type (const WeirLayout *self, WeirNode node, WeirParameter parameter)
{
  return weir_shape_parameter (self->nodes[node.i].shape, parameter.i)->type;
}

const char *
weir_layout_get_parameter_name (const WeirLayout *self, WeirNode node, WeirParameter parameter)
{
  return weir_shape_parameter (self->nodes[node.i].shape, parameter.i)->name;
}

guint
weir_layout_get_parameter_size (const WeirLayout *self, WeirNode node, WeirParameter parameter)
{
  return weir_shape_parameter (self->nodes[node.i].shape, parameter.i)->size;
}

const GVariantType *
weir_layout_get_group_type (const WeirLayout *self, WeirNode node, WeirGroup group)
{
  return weir_shape_group (self->nodes[node.i].shape, group.i)->type;
}

gboolean
weir_layout_is_input_unconnected (const WeirLayout *self, WeirNode node, WeirInput in)
{
  WeirOrigin origin = self->inputs[self->nodes[node.i].first_input + in.i];

  return origin.kind == WEIR_ORIGIN_FIXED
         && !weir_vector_has_value (
             weir_shape_input (self->nodes[origin.node].shape, origin.index));
}

guint
weir_layout_get_n_entries (const WeirLayout *self)
{
  return self->n_entries;
}

WeirEntryInfo
weir_layout_get_entry (const WeirLayout *self, WeirEntry entry)
{
  const WeirEntryDecl *decl = weir_layout_decl (self, entry.i);

  return (WeirEntryInfo) {
    .node = { self->node_of[entry.i] },
    .kind = decl->kind,
    .name = decl->name,
    .size = decl->size,
    .type = decl->type,
  };
}

char *
weir_layout_dup_entry_path (const WeirLayout *self, WeirEntry entry)
{
  WeirEntryInfo info = weir_layout_get_entry (self, entry);
  g_autofree char *path = weir_layout_dup_path (self, info.node);

  return g_strconcat (path, ":", info.name, NULL);
}

gboolean
weir_layout_find_entry (const WeirLayout *self, WeirNode node, WeirTicket ticket, WeirEntry *entry)
{
  const WeirNodeInfo *info = &self->nodes[node.i];
  int local = weir_shape_find_entry (info->shape, ticket.i);

  if (local < 0)
    return FALSE;
  entry->i = self->entry_of_local[info->first_entry + (guint32) local];
  return TRUE;
}

gboolean
weir_layout_find_input_entry (const WeirLayout *self, WeirNode node, WeirInput in, WeirEntry *entry)
{
  WeirOrigin origin = self->inputs[self->nodes[node.i].first_input + in.i];

  entry->i = origin.index;
  return origin.kind == WEIR_ORIGIN_ENTRY;
}

gboolean
weir_layout_find_output_entry (const WeirLayout *self, WeirNode node, WeirOutput out,
                               WeirEntry *entry)
{
  WeirOrigin origin = self->outputs[self->nodes[node.i].first_output + out.i];

  entry->i = origin.index;
  return origin.kind == WEIR_ORIGIN_ENTRY;
}

const guint32 *
weir_layout_get_reads (const WeirLayout *self, WeirEntry entry, guint *n)
{
  *n = self->up_first[entry.i + 1] - self->up_first[entry.i];
  return self->ups + self->up_first[entry.i];
}

gboolean
weir_layout_is_lazy (const WeirLayout *self, WeirEntry entry)
{
  return weir_bit (self->lazy, entry.i);
}

gboolean
weir_layout_depends_on_time (const WeirLayout *self)
{
  if (self->row_first[WEIR_SOURCE_TIME + 1] > self->row_first[WEIR_SOURCE_TIME])
    return TRUE;
  for (guint32 o = 0; o < self->n_outputs; o++)
    if (self->outputs[o].kind == WEIR_ORIGIN_TIME)
      return TRUE;
  return FALSE;
}

guint
weir_layout_get_n_states (const WeirLayout *self)
{
  return self->n_states;
}

guint
weir_layout_get_n_slices (const WeirLayout *self)
{
  return self->slices->len;
}

WeirStateSlice
weir_layout_get_slice (const WeirLayout *self, guint i)
{
  return g_array_index (self->slices, WeirStateSlice, i);
}

/* @is_numbered: as z[0], whether it has a name or not. Else the only state of a leaf is called as
 * its leaf is: who drew the diagram knows no z[0]. */
static char *
dup_state_name (const WeirLayout *self, guint i, gboolean is_numbered)
{
  guint low = 0, high = self->slices->len;
  g_autofree char *path = NULL;
  WeirStateSlice slice;
  char *const *names;
  const char *part;
  guint k;

  /* The last slice that begins at or before i. */
  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (weir_layout_get_slice (self, middle).offset <= i)
        low = middle;
      else
        high = middle;
    }
  slice = weir_layout_get_slice (self, low);
  path = weir_layout_dup_path (self, slice.node);
  k = i - slice.offset;
  names = self->nodes[slice.node.i].shape->state_names;
  if (names != NULL && !is_numbered)
    return weir_layout_dup_name_path (self, slice.node, names[k]);
  if (slice.nq + slice.nv + slice.nz == 1 && *path != '\0' && !is_numbered)
    return g_steal_pointer (&path);
  part = k < slice.nq ? "q" : k < slice.nq + slice.nv ? "v" : "z";
  k -= k < slice.nq ? 0 : k < slice.nq + slice.nv ? slice.nq : slice.nq + slice.nv;
  return g_strdup_printf ("%s%s%s[%u]", path, *path != '\0' ? "." : "", part, k);
}

const double *
weir_layout_get_state_nominals (const WeirLayout *self)
{
  return self->nominals;
}

gboolean
weir_layout_get_nominals_group (const WeirLayout *self, guint i, WeirNode *node, WeirGroup *group,
                                guint *first, guint *n)
{
  const WeirNodeInfo *info;

  if (i >= self->nominals_of->len)
    return FALSE;
  *node = (WeirNode) { g_array_index (self->nominals_of, guint32, i) };
  info = &self->nodes[node->i];
  *group = (WeirGroup) { (guint16) info->shape->nominals_group };
  *first = info->state_offset;
  *n = info->n_states;
  return TRUE;
}

char *
weir_layout_dup_state_name (const WeirLayout *self, guint i)
{
  return dup_state_name (self, i, FALSE);
}

gboolean
weir_layout_find_state (const WeirLayout *self, const char *name, guint *i)
{
  for (*i = 0; *i < self->n_states; ++*i)
    {
      g_autofree char *own = dup_state_name (self, *i, FALSE);
      g_autofree char *numbered = dup_state_name (self, *i, TRUE);

      if (g_str_equal (own, name) || g_str_equal (numbered, name))
        return TRUE;
    }
  return FALSE;
}

void
weir_layout_list_readers (const WeirLayout *self, WeirNode node, WeirOutput out, GArray *places)
{
  WeirOrigin origin = self->outputs[self->nodes[node.i].first_output + out.i];

  for (guint32 n = 0; n < self->n_nodes; n++)
    for (guint32 i = 0; i < self->nodes[n].shape->inputs->len; i++)
      {
        WeirOrigin other = self->inputs[self->nodes[n].first_input + i];
        WeirInputPlace place = { { n }, { (guint16) i } };

        if (self->nodes[n].shape->n_children == 0 && other.kind == origin.kind
            && other.node == origin.node && other.index == origin.index)
          g_array_append_val (places, place);
      }
}

/* --- Tickets --------------------------------------------------------------------------------- */

static WeirOriginKind
kind_of_built_in (guint16 ticket)
{
  switch ((WeirBuiltInTicket) ticket)
    {
    case WEIR_TICKET_TIME:
      return WEIR_ORIGIN_TIME;
    case WEIR_TICKET_ACCURACY:
      return WEIR_ORIGIN_COMMON;
    case WEIR_TICKET_Q:
      return WEIR_ORIGIN_Q;
    case WEIR_TICKET_V:
      return WEIR_ORIGIN_V;
    case WEIR_TICKET_Z:
      return WEIR_ORIGIN_Z;
    case WEIR_TICKET_XC:
      return WEIR_ORIGIN_XC;
    case WEIR_TICKET_NOTHING:
    case WEIR_TICKET_XD:
    case WEIR_TICKET_XA:
    case WEIR_TICKET_ALL_STATE:
    case WEIR_TICKET_PN:
    case WEIR_TICKET_PA:
    case WEIR_TICKET_ALL_PARAMETERS:
    case WEIR_TICKET_ALL_SOURCES_EXCEPT_INPUTS:
    case WEIR_TICKET_ALL_INPUTS:
    case WEIR_TICKET_ALL_SOURCES:
    case WEIR_TICKET_CONFIGURATION:
    case WEIR_TICKET_KINEMATICS:
    case WEIR_TICKET_XCDOT:
    case WEIR_TICKET_PE:
    case WEIR_TICKET_KE:
    case WEIR_TICKET_PC:
    case WEIR_TICKET_PNC:
    case WEIR_TICKET_XD_UPDATE:
    case WEIR_N_BUILT_IN_TICKETS:
    case WEIR_TICKET_END:
    default:
      return WEIR_ORIGIN_ENTRY;
    }
}

WeirOrigin
weir_origin_of_built_in (guint32 node, guint16 ticket)
{
  WeirOriginKind kind = kind_of_built_in (ticket);

  return (WeirOrigin) { kind, node, kind == WEIR_ORIGIN_COMMON ? ticket : 0 };
}

/* The origin of a primary ticket of node @n; FALSE for "nothing". */
gboolean
weir_layout_origin_of_ticket (const WeirLayout *self, guint32 n, guint16 ticket, WeirOrigin *origin)
{
  const WeirNodeInfo *node = &self->nodes[n];
  WeirItem item = weir_shape_item (node->shape, ticket);
  int entry = weir_shape_find_entry (node->shape, ticket);

  *origin = (WeirOrigin) { WEIR_ORIGIN_ENTRY, n, 0 };
  if (entry >= 0)
    origin->index = node->first_entry + (guint32) entry;
  else if (item.kind == WEIR_ITEM_INPUT)
    *origin = self->inputs[node->first_input + item.index];
  else if (item.kind == WEIR_ITEM_GROUP)
    *origin = (WeirOrigin) { WEIR_ORIGIN_GROUP, n, item.index };
  else if (item.kind == WEIR_ITEM_PARAMETER)
    *origin = (WeirOrigin) { WEIR_ORIGIN_PARAMETER, n, item.index };
  else
    {
      *origin = weir_origin_of_built_in (n, ticket);
      return origin->kind != WEIR_ORIGIN_ENTRY;
    }
  return TRUE;
}

/* The same with final numbers. */
gboolean
weir_layout_final_origin (const WeirLayout *self, guint32 n, guint16 ticket, WeirOrigin *origin)
{
  gboolean found = weir_layout_origin_of_ticket (self, n, ticket, origin);

  if (found && weir_shape_find_entry (self->nodes[n].shape, ticket) >= 0)
    origin->index = self->entry_of_local[origin->index];
  return found;
}

/* --- Sources --------------------------------------------------------------------------------- */

WeirSource
weir_layout_state_source (const WeirLayout *self, guint32 node, WeirOriginKind part)
{
  return (WeirSource) { self->nodes[node].first_source + (guint32) (part - WEIR_ORIGIN_Q) };
}

WeirSource
weir_layout_group_source (const WeirLayout *self, guint32 node, guint32 group)
{
  return (WeirSource) { weir_node_first_after_state (&self->nodes[node]) + group };
}

WeirSource
weir_layout_input_source (const WeirLayout *self, guint32 node, guint32 in)
{
  const WeirNodeInfo *info = &self->nodes[node];

  return (WeirSource) { weir_node_first_after_state (info) + info->shape->groups->len
                        + info->shape->parameters->len + in };
}

WeirOrigin
weir_layout_describe_source (const WeirLayout *self, WeirSource source)
{
  guint32 low = 0, high = self->n_nodes, s;
  const WeirNodeInfo *node;

  g_assert (source.i >= WEIR_N_JOINT_SOURCES && source.i < self->n_sources);

  /* The last node whose sources begin at or before this one. */
  while (high - low > 1)
    {
      guint32 middle = low + (high - low) / 2;

      if (self->nodes[middle].first_source <= source.i)
        low = middle;
      else
        high = middle;
    }
  node = &self->nodes[low];
  s = source.i - node->first_source;
  if (node->shape->initial_state != NULL)
    {
      if (s < 4)
        return (WeirOrigin) { WEIR_ORIGIN_Q + s, low, 0 };
      s -= 4;
    }
  if (s < node->shape->groups->len)
    return (WeirOrigin) { WEIR_ORIGIN_GROUP, low, s };
  s -= node->shape->groups->len;
  if (s < node->shape->parameters->len)
    return (WeirOrigin) { WEIR_ORIGIN_PARAMETER, low, s };
  return (WeirOrigin) { WEIR_ORIGIN_FIXED, low, s - node->shape->parameters->len };
}

guint
weir_layout_get_n_sources (const WeirLayout *self)
{
  return self->n_sources;
}

WEIR_COVERS_COMMON (WEIR_TICKET_ACCURACY);
const char *const weir_joint_source_names[WEIR_N_JOINT_SOURCES] = {
  [WEIR_SOURCE_TIME] = N_ ("time"),
  [WEIR_SOURCE_ACCURACY] = N_ ("accuracy"),
  [WEIR_SOURCE_STATE] = N_ ("state"),
  [WEIR_SOURCE_Q] = "q",
  [WEIR_SOURCE_VZ] = N_ ("v and z"),
  [WEIR_SOURCE_TIME_Q] = N_ ("time and q"),
  [WEIR_SOURCE_TIME_STATE] = N_ ("time and state"),
  [WEIR_SOURCE_ALL] = N_ ("everything"),
};

char *
weir_layout_dup_source_name (const WeirLayout *self, WeirSource source)
{
  static const char *const parts[] = { "q", "v", "z", "xc" };
  const WeirVectorDecl *decl;
  g_autofree char *path = NULL;
  const WeirShape *shape;
  WeirOrigin origin;

  if (source.i < WEIR_N_JOINT_SOURCES)
    return g_strdup (weir_joint_source_names[source.i]);
  origin = weir_layout_describe_source (self, source);
  path = weir_layout_dup_path (self, (WeirNode) { origin.node });
  shape = self->nodes[origin.node].shape;
  switch (origin.kind)
    {
    case WEIR_ORIGIN_GROUP:
      decl = weir_shape_group (shape, origin.index);
      return g_strdup_printf ("%s:%s state %s", path, decl->type != NULL ? "abstract" : "discrete",
                              decl->name);
    case WEIR_ORIGIN_PARAMETER:
      return g_strdup_printf ("%s:parameter %s", path,
                              weir_shape_parameter (shape, origin.index)->name);
    case WEIR_ORIGIN_FIXED:
      return g_strdup_printf ("%s:fixed input %s", path,
                              weir_shape_input (shape, origin.index)->name);
    case WEIR_ORIGIN_Q:
    case WEIR_ORIGIN_V:
    case WEIR_ORIGIN_Z:
    case WEIR_ORIGIN_XC:
      return g_strconcat (path, ":", parts[origin.kind - WEIR_ORIGIN_Q], NULL);
    case WEIR_ORIGIN_ENTRY:
    case WEIR_ORIGIN_TIME:
    case WEIR_ORIGIN_COMMON:
    default:
      g_assert_not_reached ();
    }
}

const char *
weir_layout_get_element_name (const WeirLayout *self, WeirEntry entry, guint element)
{
  const WeirEntryDecl *decl = weir_layout_decl (self, entry.i);

  return decl->element_names != NULL ? decl->element_names[element] : decl->name;
}

const char *
weir_layout_get_element_place (const WeirLayout *self, WeirEntry entry, guint element)
{
  const WeirEntryDecl *decl = weir_layout_decl (self, entry.i);

  return decl->element_places != NULL ? decl->element_places[element] : "";
}

char *
weir_layout_dup_value_name (const WeirLayout *self, WeirEntry entry, guint element)
{
  g_autofree char *state = NULL;
  guint i;

  if (!weir_layout_find_derivative (self, entry, element, &i))
    {
      g_autofree char *path = weir_layout_dup_path (self, weir_layout_get_entry (self, entry).node);

      return g_strconcat (path, ":", weir_layout_get_element_name (self, entry, element), NULL);
    }
  state = weir_layout_dup_state_name (self, i);
  return g_strdup_printf ("the derivative of %s", state);
}

gboolean
weir_layout_find_derivative (const WeirLayout *self, WeirEntry entry, guint element, guint *state)
{
  guint32 node = self->node_of[entry.i];

  if (weir_layout_decl (self, entry.i)->kind != WEIR_ENTRY_DERIVATIVES)
    return FALSE;
  for (guint i = 0; i < self->slices->len; i++)
    {
      WeirStateSlice slice = g_array_index (self->slices, WeirStateSlice, i);

      if (slice.node.i == node)
        {
          *state = slice.offset + element;
          return TRUE;
        }
    }
  return FALSE;
}
