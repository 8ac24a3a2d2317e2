/* The equations of a network: lean, in order of path, each line of one part. */
#include "network/network-private.h"

#include "base/error.h"
#include "base/text.h"
#include "blocks/equations/build.h"
#include "equations/compile/equations.h"

#include <math.h>
#include <string.h>

typedef struct {
  const WeirNetworks *networks;
  gsize n_prefix; /* characters of a path that names leave out */
  GString *text;
  GArray *owners; /* of guint: the part of each line */
  char **names;   /* of the parts, encoded; those of the network only */
  const WeirNetworkLoops *loops;
} Writing;

/* --- Names ----------------------------------------------------------------------------------- */

static void
append_own (const Writing *w, GString *text, guint part, const char *name)
{
  g_string_append_printf (text, "%s.%s", w->names[part], name);
}

/* A set's potential is called after its first pin. */
static void
append_potential (const Writing *w, GString *text, guint32 terminal)
{
  const WeirNetworkSet *own = &g_array_index (w->networks->sets, WeirNetworkSet,
                                              w->networks->set_of[terminal]);
  const WeirNetworkSet *set = &g_array_index (w->networks->sets, WeirNetworkSet, own->potential);
  const WeirNetworkTerminal *first;

  if (set->is_reference)
    {
      g_string_append_c (text, '0');
      return;
    }
  first = weir_networks_get_terminal (w->networks, g_array_index (set->pins, guint32, 0));
  g_string_append_printf (text, "%s.%s.%s", w->names[first->part],
                          weir_networks_get_pin_spec (w->networks, first)->name,
                          set->domain->potential);
}

/* What flows into a pin, as terms of a sum. @leaving: but for what stays within an island. */
static void
append_flow (const Writing *w, GString *text, guint part, guint pin, gboolean is_negative,
             gboolean leaving)
{
  const WeirPartType *type = weir_networks_get_part (w->networks, part)->part;
  const WeirPinSpec *spec = &g_array_index (type->pins, WeirPinSpec, pin);
  gboolean has_through = FALSE;

  for (guint i = 0; i < type->throughs->len; i++)
    {
      const WeirThrough *through = &g_array_index (type->throughs, WeirThrough, i);

      if (through->from != pin && through->to != pin)
        continue;
      has_through = TRUE;
      if (leaving && weir_network_loops_is_within (w->loops, part, through))
        continue;
      g_string_append (text, (through->from == pin) != is_negative ? " + " : " - ");
      append_own (w, text, part, through->name);
    }
  if (has_through)
    return;
  g_string_append (text, is_negative ? " - " : " + ");
  g_string_append_printf (text, "%s.%s.%s", w->names[part], spec->name, spec->domain->flow);
}

/* --- Lines of parts -------------------------------------------------------------------------- */

static void
end_line (Writing *w, guint part)
{
  g_string_append_c (w->text, '\n');
  g_array_append_val (w->owners, part);
}

static guint32
get_terminal (const Writing *w, guint part, guint pin)
{
  return weir_networks_get_pin (w->networks, part, pin).i;
}

static void
append_difference (Writing *w, guint part, const WeirAcross *across)
{
  append_potential (w, w->text, get_terminal (w, part, across->from));
  if (across->to == WEIR_NO_PIN)
    return;
  g_string_append (w->text, " - ");
  append_potential (w, w->text, get_terminal (w, part, across->to));
}

/* The difference of potentials; where it is kept and closes a loop with others that are, theirs. */
static void
append_across (Writing *w, guint part, guint i)
{
  const WeirPartType *type = weir_networks_get_part (w->networks, part)->part;
  const GArray *sum = weir_network_loops_find_sum (w->loops, part, i);

  if (sum == NULL)
    {
      append_difference (w, part, &g_array_index (type->acrosses, WeirAcross, i));
      return;
    }
  g_string_append_c (w->text, '0');
  for (guint j = 0; j < sum->len; j++)
    {
      const WeirNetworkTerm *term = &g_array_index (sum, WeirNetworkTerm, j);
      const WeirPartType *other = weir_networks_get_part (w->networks, term->part)->part;

      g_string_append (w->text, term->sign > 0 ? " + " : " - ");
      append_own (w, w->text, term->part,
                  g_array_index (other->acrosses, WeirAcross, term->across).name);
    }
}

/* A reference does not change. */
static void
append_rate (Writing *w, guint32 terminal)
{
  g_autoptr (GString) potential = g_string_new (NULL);

  append_potential (w, potential, terminal);
  if (strcmp (potential->str, "0") == 0)
    g_string_append (w->text, "0");
  else
    g_string_append_printf (w->text, "D(%s)", potential->str);
}

/* Of a parameter that is no value of the equations; NAN: a start that is free. */
static double
get_value (const WeirNetworkPart *part, const WeirPiece *piece)
{
  const WeirParameterSpec *spec = &g_array_index (part->part->parameters, WeirParameterSpec,
                                                  piece->index);

  return spec->kind == WEIR_VALUE_CHOICE ? weir_arguments_get_choice (part->arguments, spec->name)
                                         : weir_arguments_get_number (part->arguments, spec->name);
}

static void
append_piece (Writing *w, guint part, const WeirPiece *piece)
{
  const WeirNetworkPart *self = weir_networks_get_part (w->networks, part);
  const WeirAcross *across;

  switch (piece->kind)
    {
    case WEIR_PIECE_LITERAL:
      g_string_append (w->text, piece->text);
      break;
    case WEIR_PIECE_OWN:
      append_own (w, w->text, part, piece->text);
      break;
    case WEIR_PIECE_POTENTIAL:
      append_potential (w, w->text, get_terminal (w, part, piece->index));
      break;
    case WEIR_PIECE_RATE:
      append_rate (w, get_terminal (w, part, piece->index));
      break;
    case WEIR_PIECE_FLOW:
      g_string_append (w->text, "(0");
      append_flow (w, w->text, part, piece->index, FALSE, FALSE);
      g_string_append_c (w->text, ')');
      break;
    case WEIR_PIECE_ACROSS:
      across = &g_array_index (self->part->acrosses, WeirAcross, piece->index);
      if (across->is_kept)
        {
          append_own (w, w->text, part, across->name);
          break;
        }
      g_string_append_c (w->text, '(');
      append_difference (w, part, across);
      g_string_append_c (w->text, ')');
      break;
    case WEIR_PIECE_VALUE:
      {
        const WeirParameterSpec *spec = &g_array_index (self->part->parameters, WeirParameterSpec,
                                                        piece->index);
        double one = spec->kind == WEIR_VALUE_VECTOR ? 0 : get_value (self, piece);
        guint size = 1;
        const double *value = spec->kind == WEIR_VALUE_VECTOR
                                  ? weir_arguments_get_vector (self->arguments, spec->name, &size)
                                  : &one;
        g_autofree char *number = weir_value_to_string (value, size);

        g_string_append_printf (w->text, size > 1 ? "%s" : "(%s)", number);
        break;
      }
    default:
      g_assert_not_reached ();
    }
}

static void
declare (Writing *w, guint part, const char *kind, const char *name, const char *unit)
{
  g_string_append_printf (w->text, "%s ", kind);
  append_own (w, w->text, part, name);
  if (unit != NULL)
    g_string_append_printf (w->text, " \"%s\"", unit);
  end_line (w, part);
}

static void
declare_names (Writing *w, guint part, const char *kind, const GArray *names)
{
  for (guint i = 0; i < names->len; i++)
    declare (w, part, kind, g_array_index (names, WeirPartName, i).name,
             g_array_index (names, WeirPartName, i).unit);
}

static void
append_parameters (Writing *w, guint part)
{
  const WeirNetworkPart *self = weir_networks_get_part (w->networks, part);

  for (guint i = 0; i < self->part->parameters->len; i++)
    {
      const WeirParameterSpec *spec = &g_array_index (self->part->parameters, WeirParameterSpec, i);
      g_autofree char *number = NULL;
      double value;

      if (spec->tunable == NULL)
        continue;
      value = weir_arguments_get_number (self->arguments, spec->name);
      number = weir_value_to_string (&value, 1);
      g_string_append (w->text, "parameter ");
      append_own (w, w->text, part, spec->name);
      g_string_append_printf (w->text, " = %s", number);
      if (spec->unit != NULL)
        g_string_append_printf (w->text, " \"%s\"", spec->unit);
      end_line (w, part);
    }
}

/* What flows through, what lies across, and what flows into pins where nothing else says so. */
static void
append_pins (Writing *w, guint part)
{
  const WeirPartType *type = weir_networks_get_part (w->networks, part)->part;

  for (guint i = 0; i < type->throughs->len; i++)
    {
      const WeirThrough *through = &g_array_index (type->throughs, WeirThrough, i);

      declare (w, part, "output", through->name,
               g_array_index (type->pins, WeirPinSpec, through->from).domain->flow_unit);
    }
  for (guint i = 0; i < type->acrosses->len; i++)
    {
      const WeirAcross *across = &g_array_index (type->acrosses, WeirAcross, i);

      declare (w, part, "output", across->name,
               g_array_index (type->pins, WeirPinSpec, across->from).domain->potential_unit);
      append_own (w, w->text, part, across->name);
      g_string_append (w->text, " ~ ");
      append_across (w, part, i);
      end_line (w, part);
    }
  for (guint i = 0; i < type->pins->len; i++)
    if (!weir_part_type_has_through (type, i))
      {
        const WeirPinSpec *pin = &g_array_index (type->pins, WeirPinSpec, i);
        g_autofree char *name = g_strdup_printf ("%s.%s", pin->name, pin->domain->flow);

        declare (w, part, "output", name, pin->domain->flow_unit);
      }
}

/* A condition at the start that the rest of the network makes in its place: all of a part that is
 * free, or of a start that is. */
static gboolean
is_free_start (const WeirNetworkPart *part, const GArray *pieces)
{
  const WeirPiece *first = &g_array_index (pieces, WeirPiece, 0);
  gboolean is_free = part->is_free;

  if (pieces->len == 0 || first->kind != WEIR_PIECE_LITERAL
      || !g_str_has_prefix (first->text, "initial "))
    return FALSE;
  for (guint i = 0; i < pieces->len; i++)
    {
      const WeirPiece *piece = &g_array_index (pieces, WeirPiece, i);

      is_free = is_free
                || (piece->kind == WEIR_PIECE_VALUE
                    && g_array_index (part->part->parameters, WeirParameterSpec, piece->index)
                           .may_be_free
                    && isnan (get_value (part, piece)));
    }
  return is_free;
}

static gboolean
is_given (const WeirNetworkPart *part, const char *name)
{
  const WeirSurroundings *around = weir_arguments_get_surroundings (part->arguments);

  for (guint i = 0; around != NULL && i < weir_surroundings_get_n (around); i++)
    if (strcmp (weir_surroundings_get (around, i)->name, name) == 0)
      return TRUE;
  return FALSE;
}

static void
declare_variables (Writing *w, guint part)
{
  const WeirNetworkPart *self = weir_networks_get_part (w->networks, part);

  for (guint i = 0; i < self->part->variables->len; i++)
    {
      const WeirPartName *name = &g_array_index (self->part->variables, WeirPartName, i);

      if (!is_given (self, name->name))
        declare (w, part, "output", name->name, name->unit);
    }
}

static void
append_part (Writing *w, guint part)
{
  const WeirPartType *type = weir_networks_get_part (w->networks, part)->part;

  if (!type->declares)
    {
      append_parameters (w, part);
      declare_names (w, part, "input", type->inputs);
      declare_names (w, part, "output", type->outputs);
    }
  declare_variables (w, part);
  append_pins (w, part);
  for (guint i = 0; i < type->lines->len; i++)
    {
      const GArray *pieces = g_ptr_array_index (type->lines, i);

      if (is_free_start (weir_networks_get_part (w->networks, part), pieces))
        continue;
      for (guint j = 0; j < pieces->len; j++)
        append_piece (w, part, &g_array_index (pieces, WeirPiece, j));
      end_line (w, part);
    }
}

/* --- Sets ------------------------------------------------------------------------------------ */

static gboolean
is_reference_pin (const WeirNetworks *self, const WeirNetworkTerminal *terminal)
{
  return weir_networks_get_part (self, terminal->part)->part->reference == terminal->pin;
}

/* What a reference takes up is what else flows; of several in one set, the first takes all. */
static void
append_reference (Writing *w, const WeirNetworkSet *set)
{
  gboolean is_first = TRUE;

  for (guint i = 0; i < set->pins->len; i++)
    {
      const WeirNetworkTerminal *terminal = weir_networks_get_terminal (
          w->networks, g_array_index (set->pins, guint32, i));

      if (!is_reference_pin (w->networks, terminal))
        continue;
      g_string_append_c (w->text, '0');
      append_flow (w, w->text, terminal->part, terminal->pin, FALSE, FALSE);
      g_string_append (w->text, " ~ 0");
      for (guint j = 0; is_first && j < set->pins->len; j++)
        {
          const WeirNetworkTerminal *other = weir_networks_get_terminal (
              w->networks, g_array_index (set->pins, guint32, j));

          if (!is_reference_pin (w->networks, other))
            append_flow (w, w->text, other->part, other->pin, TRUE, FALSE);
        }
      is_first = FALSE;
      end_line (w, terminal->part);
    }
}

static gboolean
has_reference (const Writing *w, const WeirNetworkSet *set)
{
  for (guint i = 0; i < set->pins->len; i++)
    if (is_reference_pin (w->networks, weir_networks_get_terminal (
                                           w->networks, g_array_index (set->pins, guint32, i))))
      return TRUE;
  return FALSE;
}

/* What flows into the pins of a set. @leaving: but for what stays within its island. */
static void
append_balance (Writing *w, guint number, gboolean leaving)
{
  const WeirNetworkSet *set = &g_array_index (w->networks->sets, WeirNetworkSet, number);

  for (guint i = 0; i < set->pins->len; i++)
    {
      const WeirNetworkTerminal *terminal = weir_networks_get_terminal (
          w->networks, g_array_index (set->pins, guint32, i));

      append_flow (w, w->text, terminal->part, terminal->pin, FALSE, leaving);
    }
}

/* Where nothing stores heat, a temperature is sought from the one of a room: at absolute zero what
 * radiates has no slope. */
static void
append_guess (Writing *w, const WeirDomain *domain, guint32 terminal, guint part)
{
  if (domain != weir_domain_find ("thermal"))
    return;
  g_string_append (w->text, "guess ");
  append_potential (w, w->text, terminal);
  g_string_append (w->text, " = 293.15");
  end_line (w, part);
}

static void
append_set (Writing *w, guint number)
{
  const GArray *island = weir_network_loops_find_island (w->loops, number);
  const WeirNetworkSet *set = &g_array_index (w->networks->sets, WeirNetworkSet, number);
  guint32 first = g_array_index (set->pins, guint32, 0);
  guint part = weir_networks_get_terminal (w->networks, first)->part;

  if (set->potential == number && !set->is_reference)
    {
      g_string_append (w->text, "output ");
      append_potential (w, w->text, first);
      g_string_append_printf (w->text, " \"%s\"", set->domain->potential_unit);
      end_line (w, part);
      append_guess (w, set->domain, first, part);
    }
  if (has_reference (w, set))
    {
      append_reference (w, set);
      return;
    }
  g_string_append_c (w->text, '0');
  for (guint i = 0; i < (island != NULL ? island->len : 1); i++)
    append_balance (w, island != NULL ? g_array_index (island, guint, i) : number, island != NULL);
  g_string_append (w->text, " ~ 0");
  end_line (w, part);
}

/* --- Other names ----------------------------------------------------------------------------- */

static void
add_alias (GHashTable *aliases, const char *alias, GString *name)
{
  g_autofree char *encoded = g_string_free (name, FALSE);
  g_autofree char *decoded = weir_equations_decode_path (encoded);
  g_autofree char *known = weir_equations_decode_path (alias);

  if (strcmp (known, decoded) != 0 && strcmp (decoded, "0") != 0)
    g_hash_table_insert (aliases, g_steal_pointer (&known), g_steal_pointer (&decoded));
}

/* The potential at each pin is that of its set; and what flows into the first pin of a through is
 * that. */
static void
add_aliases (const Writing *w, guint part, GHashTable *aliases)
{
  const WeirPartType *type = weir_networks_get_part (w->networks, part)->part;

  for (guint i = 0; i < type->pins->len; i++)
    {
      const WeirPinSpec *pin = &g_array_index (type->pins, WeirPinSpec, i);
      g_autofree char *potential = g_strdup_printf ("%s.%s.%s", w->names[part], pin->name,
                                                    pin->domain->potential);
      GString *name = g_string_new (NULL);

      append_potential (w, name, get_terminal (w, part, i));
      add_alias (aliases, potential, name);
    }
  for (guint i = 0; i < type->throughs->len; i++)
    {
      const WeirThrough *through = &g_array_index (type->throughs, WeirThrough, i);
      const WeirPinSpec *pin = &g_array_index (type->pins, WeirPinSpec, through->from);
      g_autofree char *flow = g_strdup_printf ("%s.%s.%s", w->names[part], pin->name,
                                               pin->domain->flow);
      GString *name = g_string_new (NULL);

      append_own (w, name, part, through->name);
      add_alias (aliases, flow, name);
    }
}

/* --- The whole ------------------------------------------------------------------------------- */

char *
weir_networks_dup_equations (WeirNetworks *self, guint network, const char *prefix, GArray **owners,
                             GHashTable *aliases)
{
  const GArray *parts = weir_networks_get_parts (self, network);
  gsize n_prefix = prefix[0] != '\0' ? strlen (prefix) + 1 : 0;
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (WeirNetworkLoops) loops = weir_network_loops_new (self, parts);
  Writing w = { self, n_prefix, g_string_new (NULL), g_array_new (FALSE, FALSE, sizeof (guint)),
                NULL, loops };

  g_ptr_array_set_size (names, (int) self->parts->len);
  w.names = (char **) names->pdata;
  for (guint i = 0; i < parts->len; i++)
    {
      guint part = g_array_index (parts, guint, i);

      w.names[part] = weir_equations_encode_path (weir_networks_get_part (self, part)->path
                                                  + n_prefix);
    }
  for (guint i = 0; i < parts->len; i++)
    append_part (&w, g_array_index (parts, guint, i));
  for (guint i = 0; i < self->sets->len; i++)
    {
      const WeirNetworkSet *set = &g_array_index (self->sets, WeirNetworkSet, i);
      guint part = weir_networks_get_terminal (self, g_array_index (set->pins, guint32, 0))->part;

      if (weir_networks_get_part (self, part)->network == network)
        append_set (&w, i);
    }
  for (guint i = 0; aliases != NULL && i < parts->len; i++)
    add_aliases (&w, g_array_index (parts, guint, i), aliases);
  *owners = w.owners;
  return g_string_free (w.text, FALSE);
}

/* --- Messages -------------------------------------------------------------------------------- */

typedef struct {
  const WeirNetworks *networks;
  const GArray *owners;
} Owning;

static const char *
find_owner (guint line, gconstpointer data)
{
  const Owning *owning = data;

  if (line > owning->owners->len)
    return NULL;
  return weir_networks_get_part (owning->networks, g_array_index (owning->owners, guint, line - 1))
      ->path;
}

/* A sentence about lines, which is taken over, as one about parts. (transfer full) */
static WeirMessage *
name_parts (const WeirNetworks *self, const GArray *owners, WeirMessage *sentence)
{
  Owning owning = { self, owners };

  return weir_lines_name_owners (weir_equations_decode_message (sentence), find_owner, &owning);
}

/* What each line is of, for the messages of a run. (transfer full) */
static char **
list_places (const WeirNetworks *self, const GArray *owners, gsize n_prefix)
{
  char **places = g_new0 (char *, owners->len + 1);

  for (guint i = 0; i < owners->len; i++)
    places[i] = g_strdup (weir_networks_get_part (self, g_array_index (owners, guint, i))->path
                          + n_prefix);
  return places;
}

static void
report_equations (const WeirNetworks *self, guint network, const GArray *owners,
                  const WeirDiagnostics *found, WeirDiagnostics *diagnostics)
{
  const WeirNetworkPart *first = weir_networks_get_part (
      self, g_array_index (weir_networks_get_parts (self, network), guint, 0));

  for (guint i = 0; i < weir_diagnostics_get_size (found); i++)
    {
      const WeirDiagnostic *d = weir_diagnostics_get (found, i);

      /* Who draws a network knows nothing of guesses and of the constraints among its equations. */
      if (d->severity != WEIR_SEVERITY_ERROR)
        continue;
      weir_diagnostics_add_message (diagnostics, d->severity, d->code, first->path, first->block, 0,
                                    first->line,
                                    name_parts (self, owners, weir_message_ref (d->message)));
    }
}

/* What parts that are texts of equations take from around them, by their paths; NULL: nothing.
 * (transfer full) */
static WeirSurroundings *
find_surroundings (const WeirNetworks *self, const GArray *parts, gsize n_prefix)
{
  WeirSurroundings *all = NULL;

  for (guint i = 0; i < parts->len; i++)
    {
      const WeirNetworkPart *part = weir_networks_get_part (self, g_array_index (parts, guint, i));
      const WeirSurroundings *around = weir_arguments_get_surroundings (part->arguments);
      g_autofree char *path = weir_equations_encode_path (part->path + n_prefix);

      for (guint k = 0; around != NULL && k < weir_surroundings_get_n (around); k++)
        {
          WeirGiven given = *weir_surroundings_get (around, k);
          g_autofree char *name = g_strconcat (path, ".", given.name, NULL);

          if (all == NULL)
            all = weir_surroundings_new (weir_message_new (N_ ("what is around it")));
          given.name = name;
          weir_surroundings_add (all, given);
        }
    }
  return all;
}

WeirSystem *
weir_networks_build (WeirNetworks *self, guint network, const char *prefix,
                     WeirDiagnostics *diagnostics)
{
  g_autoptr (GArray) owners = NULL;
  g_autoptr (GHashTable) aliases = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autofree char *text = NULL;
  g_autoptr (WeirDiagnostics) found = weir_diagnostics_new ();
  WeirReport report = { .diagnostics = found, .path = "", .first_line = 1 };
  g_autoptr (WeirSurroundings) around = NULL;
  g_autoptr (WeirEquations) equations = NULL;
  g_autoptr (GError) error = NULL;
  gsize n_prefix = prefix[0] != '\0' ? strlen (prefix) + 1 : 0;
  WeirSystem *system = NULL;

  if (!weir_networks_check (self, network, diagnostics))
    return NULL;
  text = weir_networks_dup_equations (self, network, prefix, &owners, aliases);
  around = find_surroundings (self, weir_networks_get_parts (self, network), n_prefix);
  equations = weir_equations_new_of_parts (text, around, &report);
  report_equations (self, network, owners, found, diagnostics);
  if (equations == NULL)
    return NULL;
  equations->aliases = g_steal_pointer (&aliases);
  equations->places = list_places (self, owners, n_prefix);
  system = weir_equations_build (equations, "Network", &error);
  if (system == NULL)
    {
      const WeirNetworkPart *first = weir_networks_get_part (
          self, g_array_index (weir_networks_get_parts (self, network), guint, 0));

      weir_diagnostics_add_message (
          diagnostics, WEIR_SEVERITY_ERROR, "PAR02", first->path, first->block, 0, first->line,
          name_parts (self, owners, weir_message_new ("%s", weir_error_get_text (error))));
    }
  return system;
}
