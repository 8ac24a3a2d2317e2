/* Breakpoints as descriptions, and their text: a list of dictionaries in GVariant's notation, in
 * which what is usual is left out. See breakpoint.h; what watches is in breakpoint-watch.c. */
#include "sim/breakpoint.h"

#include "base/error.h"
#include "numerics/number.h"

static const char *const kind_ids[WEIR_N_BREAK_KINDS] = {
  [WEIR_BREAK_COMPUTED] = "computed",
  [WEIR_BREAK_REUSED] = "reused",
  [WEIR_BREAK_OUT_OF_DATE] = "out-of-date",
  [WEIR_BREAK_UNUSED] = "unused",
  [WEIR_BREAK_EVENT] = "event",
  [WEIR_BREAK_RATE] = "rate",
};
static const char *const test_ids[WEIR_N_BREAK_TESTS] = {
  [WEIR_BREAK_ALWAYS] = "always",         [WEIR_BREAK_ABOVE] = "above",
  [WEIR_BREAK_BELOW] = "below",           [WEIR_BREAK_EQUAL] = "equal",
  [WEIR_BREAK_NOT_FINITE] = "not-finite", [WEIR_BREAK_SAME] = "same",
  [WEIR_BREAK_CHANGED] = "changed",
};
static const char *const phase_ids[WEIR_LOG_N_PHASES] = {
  [WEIR_LOG_PHASE_OUTSIDE] = "outside",
  [WEIR_LOG_PHASE_INITIALIZATION] = "initialization",
  [WEIR_LOG_PHASE_PUBLISH] = "publish",
  [WEIR_LOG_PHASE_DISCRETE_UPDATE] = "discrete-update",
  [WEIR_LOG_PHASE_UNRESTRICTED_UPDATE] = "unrestricted-update",
  [WEIR_LOG_PHASE_INTEGRATION] = "integration",
  [WEIR_LOG_PHASE_TRIAL] = "trial",
  [WEIR_LOG_PHASE_LOCATION] = "location",
  [WEIR_LOG_PHASE_MONITOR] = "monitor",
  [WEIR_LOG_PHASE_EDIT] = "edit",
};

void
weir_breakpoint_clear (WeirBreakpoint *self)
{
  g_clear_pointer (&self->what, g_free);
  g_clear_pointer (&self->by, g_free);
}

WeirBreakpoint
weir_breakpoint_copy (const WeirBreakpoint *self)
{
  WeirBreakpoint copy = *self;

  copy.what = g_strdup (self->what);
  copy.by = g_strdup (self->by);
  return copy;
}

GArray *
weir_breakpoint_list_new (void)
{
  GArray *list = g_array_new (FALSE, TRUE, sizeof (WeirBreakpoint));

  g_array_set_clear_func (list, (GDestroyNotify) weir_breakpoint_clear);
  return list;
}

GArray *
weir_breakpoint_list_copy (const GArray *list)
{
  GArray *copy = weir_breakpoint_list_new ();

  for (guint i = 0; i < list->len; i++)
    {
      WeirBreakpoint one = weir_breakpoint_copy (&g_array_index (list, WeirBreakpoint, i));

      g_array_append_val (copy, one);
    }
  return copy;
}

/* --- As text --------------------------------------------------------------------------------- */

static void
add_text (GVariantDict *dict, const char *key, const char *text)
{
  if (text != NULL && *text != '\0')
    g_variant_dict_insert (dict, key, "s", text);
}

static void
add_flag (GVariantDict *dict, const char *key, gboolean is_set)
{
  if (is_set)
    g_variant_dict_insert (dict, key, "b", TRUE);
}

static GVariant *
breakpoint_to_variant (const WeirBreakpoint *self)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "on", "s", kind_ids[self->kind]);
  add_text (&dict, "what", self->what);
  add_text (&dict, "by", self->by);
  if (self->test != WEIR_BREAK_ALWAYS)
    g_variant_dict_insert (&dict, "test", "s", test_ids[self->test]);
  if (self->kind == WEIR_BREAK_RATE || self->test == WEIR_BREAK_ABOVE
      || self->test == WEIR_BREAK_BELOW || self->test == WEIR_BREAK_EQUAL)
    g_variant_dict_insert (&dict, "number", "s", weir_number_to_text (self->number, number));
  if (self->element > 0)
    g_variant_dict_insert (&dict, "element", "u", self->element);
  if (self->at_least > 0)
    g_variant_dict_insert (&dict, "at-least", "u", self->at_least);
  if (self->phase >= 0)
    g_variant_dict_insert (&dict, "phase", "s", phase_ids[self->phase]);
  if (self->skips > 0)
    g_variant_dict_insert (&dict, "skips", "t", self->skips);
  add_flag (&dict, "disabled", self->is_disabled);
  add_flag (&dict, "only-counts", self->only_counts);
  add_flag (&dict, "once", self->is_once);
  return g_variant_dict_end (&dict);
}

char *
weir_breakpoint_list_to_text (const GArray *list)
{
  g_autoptr (GVariant) all = NULL;
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < list->len; i++)
    g_variant_builder_add_value (&builder,
                                 breakpoint_to_variant (&g_array_index (list, WeirBreakpoint, i)));
  all = g_variant_ref_sink (g_variant_builder_end (&builder));
  return g_variant_print (all, FALSE);
}

/* The place of the text under @key among @ids; @fallback where there is none; FALSE where it is not
 * known. */
static gboolean
read_id (GVariantDict *dict, const char *key, const char *const *ids, int n, int fallback,
         int *found)
{
  g_autofree char *text = NULL;

  *found = fallback;
  if (!g_variant_dict_lookup (dict, key, "s", &text))
    return !g_variant_dict_contains (dict, key);
  for (int i = 0; i < n; i++)
    if (g_str_equal (ids[i], text))
      {
        *found = i;
        return TRUE;
      }
  return FALSE;
}

/* FALSE if the number under @key is none. */
static gboolean
read_number (GVariantDict *dict, const char *key, double *number)
{
  g_autofree char *text = NULL;
  char *end;

  if (!g_variant_dict_lookup (dict, key, "s", &text))
    return TRUE;
  *number = g_ascii_strtod (text, &end);
  return *text != '\0' && *end == '\0';
}

static gboolean
breakpoint_parse (WeirBreakpoint *self, GVariant *variant, GError **error)
{
  g_auto (GVariantDict) dict;
  int kind, test;
  gboolean ok;

  *self = (WeirBreakpoint) { .phase = -1 };
  g_variant_dict_init (&dict, variant);
  ok = read_id (&dict, "on", kind_ids, WEIR_N_BREAK_KINDS, -1, &kind) && kind >= 0;
  ok = read_id (&dict, "test", test_ids, WEIR_N_BREAK_TESTS, WEIR_BREAK_ALWAYS, &test) && ok;
  ok = read_id (&dict, "phase", phase_ids, WEIR_LOG_N_PHASES, -1, &self->phase) && ok;
  ok = read_number (&dict, "number", &self->number) && ok;
  if (!ok)
    {
      g_autofree char *text = g_variant_print (variant, FALSE);

      weir_error_set (error, WEIR_ERROR_INVALID, "\"%s\" is no breakpoint", text);
      return FALSE;
    }
  self->kind = (WeirBreakKind) kind;
  self->test = (WeirBreakTest) test;
  g_variant_dict_lookup (&dict, "element", "u", &self->element);
  g_variant_dict_lookup (&dict, "at-least", "u", &self->at_least);
  g_variant_dict_lookup (&dict, "skips", "t", &self->skips);
  g_variant_dict_lookup (&dict, "disabled", "b", &self->is_disabled);
  g_variant_dict_lookup (&dict, "only-counts", "b", &self->only_counts);
  g_variant_dict_lookup (&dict, "once", "b", &self->is_once);
  if (!g_variant_dict_lookup (&dict, "what", "s", &self->what))
    self->what = g_strdup ("");
  g_variant_dict_lookup (&dict, "by", "s", &self->by);
  return TRUE;
}

GArray *
weir_breakpoint_list_parse (const char *text, GError **error)
{
  g_autoptr (GArray) list = weir_breakpoint_list_new ();
  g_autoptr (GVariant) all = g_variant_parse (G_VARIANT_TYPE ("aa{sv}"), text, NULL, NULL, error);

  for (gsize i = 0; all != NULL && i < g_variant_n_children (all); i++)
    {
      g_autoptr (GVariant) variant = g_variant_get_child_value (all, i);
      WeirBreakpoint one;

      if (!breakpoint_parse (&one, variant, error))
        return weir_breakpoint_list_new ();
      g_array_append_val (list, one);
    }
  return g_steal_pointer (&list);
}
