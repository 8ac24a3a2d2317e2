/* Writing events: their table, the calls of their handlers, a step function for each rate. See
 * generate-private.h. */
#include "generate/generate-private.h"

#include <math.h>

static const char *const triggers[] = {
  [WEIR_TRIGGER_PERIODIC] = "WEIR_TRIGGER_PERIODIC",
  [WEIR_TRIGGER_INITIALIZATION] = "WEIR_TRIGGER_INITIALIZATION",
  [WEIR_TRIGGER_PER_STEP] = "WEIR_TRIGGER_PER_STEP",
  [WEIR_TRIGGER_TIMED] = "WEIR_TRIGGER_TIMED",
  [WEIR_TRIGGER_CROSSING] = "WEIR_TRIGGER_CROSSING",
  [WEIR_TRIGGER_FORCED] = "WEIR_TRIGGER_FORCED",
  [WEIR_TRIGGER_SIDES] = "WEIR_TRIGGER_SIDES",
};

static const char *const actions[] = {
  [WEIR_ACTION_PUBLISH] = "WEIR_ACTION_PUBLISH",
  [WEIR_ACTION_DISCRETE_UPDATE] = "WEIR_ACTION_DISCRETE_UPDATE",
  [WEIR_ACTION_RESET] = "WEIR_ACTION_RESET",
  [WEIR_ACTION_UNRESTRICTED_UPDATE] = "WEIR_ACTION_UNRESTRICTED_UPDATE",
  [WEIR_ACTION_BREAK] = "WEIR_ACTION_BREAK",
};

static char *
dup_number (double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup (isinf (value) ? "(double) INFINITY" : weir_number_to_text (value, number));
}

/* --- The table ------------------------------------------------------------------------------- */

static void
write_table (WeirGenerator *self, GString *text)
{
  guint n = weir_system_get_n_events (self->root);

  if (n == 0)
    return;
  g_string_append (text, "static const WeirDeclaredEvent events[] = {\n");
  for (guint i = 0; i < n; i++)
    {
      WeirDeclaredEvent event = weir_system_get_event (self->root, i);
      g_autofree char *period = dup_number (event.period);
      g_autofree char *offset = dup_number (event.offset);
      g_autofree char *path = weir_generator_dup_path (self, event.node.i);
      g_autofree char *shown = weir_generate_dup_comment (path);

      self->is_leaf_used[event.node.i] = TRUE;
      g_string_append_printf (text,
                              "  /* %s */\n  { .node = { %u }, .trigger = %s, .action = %s,\n",
                              shown, event.node.i, triggers[event.trigger], actions[event.action]);
      g_string_append_printf (text,
                              "    .group = { %u }, .size = %u, .period = %s, .offset = %s, "
                              ".n_points = %u,\n",
                              event.group.i, event.size, period, offset, event.n_points);
      if (event.trigger == WEIR_TRIGGER_CROSSING)
        {
          g_autofree char *witness = weir_generator_dup_offset (
              self, (WeirCodePlace) { WEIR_PLACE_ENTRY, event.node.i, event.witness.i });

          g_string_append_printf (text,
                                  "    .witness = { %s }, .n_witnesses = %u, .direction = %s,\n"
                                  "    .leaves_zero = %d, .rank = %u, .n_limits = %u,\n",
                                  witness, event.n_witnesses,
                                  event.direction == WEIR_FALLING   ? "WEIR_FALLING"
                                  : event.direction == WEIR_CROSSES ? "WEIR_CROSSES"
                                  : event.direction == WEIR_TURNS   ? "WEIR_TURNS"
                                                                    : "WEIR_RISING",
                                  event.leaves_zero, event.rank, event.n_limits);
        }
      g_string_append_printf (text, "    .leaf = &leaf_%u },\n", event.node.i);
    }
  g_string_append (text, "};\n\n");
}

/* --- Calls ----------------------------------------------------------------------------------- */

static void
begin_function (WeirGenerator *self, GString *text, const char *head)
{
  g_string_append_printf (text, "static WeirStatus\n%s\n{\n  %s *self = (%s *) (void *) context;\n",
                          head, self->name, self->name);
}

/* Where a part of the leaf's only update is this group's. */
static void
write_part_of_update (WeirGenerator *self, GString *text, const WeirDeclaredEvent *event)
{
  WeirLeafCode leaf = weir_code_get_leaf (self->root, event->node);
  guint32 offset = 0;

  for (guint i = 0; i < leaf.n_entries; i++)
    {
      WeirEntry entry = weir_code_get_leaf_entry (self->root, event->node, i);
      g_autofree char *pointer = NULL;

      if (weir_code_get_entry (self->root, entry).kind != WEIR_ENTRY_UPDATE)
        continue;
      for (guint g = 0; g < event->group.i; g++)
        offset += weir_code_get_group_size (self->root, event->node, g);
      pointer = weir_generator_dup_pointer (
          self, (WeirCodePlace) { WEIR_PLACE_ENTRY, event->node.i, entry.i });
      g_string_append_printf (text,
                              "      memcpy (next, (%s) + %u, %u * sizeof (double));\n"
                              "      return WEIR_OK;\n",
                              pointer, offset, event->size);
      return;
    }
}

static void
write_call (WeirGenerator *self, GString *text, guint i)
{
  WeirDeclaredEvent event = weir_system_get_event (self->root, i);
  WeirEventCodeInfo code = weir_code_get_event (self->root, i);
  g_autofree char *path = weir_generator_dup_path (self, event.node.i);
  g_autofree char *shown = weir_generate_dup_comment (path);

  if (event.action == WEIR_ACTION_BREAK)
    return;
  g_string_append_printf (text,
                          "    case %u: /* %s */\n"
                          "      if (!bring_up_to_date (self, %u))\n        return WEIR_FAILED;\n",
                          i, shown, self->event_set[i] - 1);
  if (event.action == WEIR_ACTION_PUBLISH)
    g_string_append_printf (
        text,
        "      return %s (&(const WeirCalc) { context, &leaf_%u, context->now, context->state, "
        "%u, occurrence }, occurrence->n);\n",
        weir_generator_use_function (self, event.node, (WeirAnyFunction) code.publish),
        event.node.i, code.local);
  else if (event.action == WEIR_ACTION_UNRESTRICTED_UPDATE)
    g_string_append_printf (
        text,
        "      return %s (&(const WeirCalc) { context, &leaf_%u, context->now, context->state, "
        "%u, occurrence }, occurrence->n, state);\n",
        weir_generator_use_function (self, event.node, (WeirAnyFunction) code.unrestricted),
        event.node.i, code.local);
  else if (code.update == NULL)
    write_part_of_update (self, text, &event);
  else
    g_string_append_printf (
        text,
        "      return %s (&(const WeirCalc) { context, &leaf_%u, context->now, context->state, "
        "%u, occurrence }, occurrence->n, next);\n",
        weir_generator_use_function (self, event.node, (WeirAnyFunction) code.update), event.node.i,
        code.local);
}

static void
write_calls (WeirGenerator *self, GString *text)
{
  begin_function (self, text,
                  "call_event (WeirContext *context, guint i, WeirOccurrence *occurrence, double "
                  "*next, WeirNextState *state)");
  g_string_append_printf (text,
                          "  %sRow *r = &self->row;\n\n"
                          "  (void) r;\n  (void) occurrence;\n  (void) next;\n  (void) state;\n"
                          "  switch (i)\n    {\n",
                          self->name);
  for (guint i = 0; i < weir_system_get_n_events (self->root); i++)
    write_call (self, text, i);
  g_string_append (text, "    default:\n      return WEIR_DID_NOTHING;\n    }\n}\n\n");
}

static void
write_next_times (WeirGenerator *self, GString *text)
{
  begin_function (self, text,
                  "next_time (WeirContext *context, guint i, double after, double *time)");
  g_string_append (text, "  WeirOccurrence occurrence = { 0, NULL, NULL };\n\n"
                         "  (void) self;\n  (void) after;\n  (void) occurrence;\n"
                         "  switch (i)\n    {\n");
  for (guint i = 0; i < weir_system_get_n_events (self->root); i++)
    {
      WeirDeclaredEvent event = weir_system_get_event (self->root, i);
      WeirEventCodeInfo code = weir_code_get_event (self->root, i);

      if (event.trigger != WEIR_TRIGGER_TIMED)
        continue;
      g_string_append_printf (
          text,
          "    case %u:\n      if (!bring_up_to_date (self, %u))\n        return WEIR_FAILED;\n"
          "      return %s (&(const WeirCalc) { context, &leaf_%u, context->now, context->state, "
          "%u, &occurrence }, after, time);\n",
          i, self->event_set[i] - 1,
          weir_generator_use_function (self, event.node, (WeirAnyFunction) code.next_time),
          event.node.i, code.local);
    }
  g_string_append (text,
                   "    default:\n      *time = (double) INFINITY;\n      return WEIR_OK;\n    }\n"
                   "}\n\n");
}

/* --- Phases ---------------------------------------------------------------------------------- */

static guint
write_phases_of (WeirGenerator *self, GString *text, WeirPhaseUse use)
{
  WeirPhases *phases = weir_phases_new (self->root, use);
  const WeirSet *set;
  const guint32 *nodes;
  guint n = 0, at = 0;

  if (phases == NULL)
    return 0;
  nodes = weir_phases_get_nodes (phases, &n);
  set = g_ptr_array_index (self->sets, WEIR_SET_PHASES_OF_STEPS + use);
  g_string_append_printf (text, "  if (use == %d)\n    {\n", use);
  if (set->entries->len > 0)
    g_string_append_printf (text,
                            "      if (calc_%d (self, t, x) != WEIR_OK)\n        return "
                            "WEIR_FAILED;\n",
                            WEIR_SET_PHASES_OF_STEPS + (int) use);
  for (guint i = 0; i < n; i++)
    {
      WeirLeafCode leaf = weir_code_get_leaf (self->root, (WeirNode) { nodes[i] });

      self->is_leaf_used[nodes[i]] = TRUE;
      g_string_append_printf (
          text,
          "      if (%s (&(const WeirCalc) { context, &leaf_%u, t, x, 0, NULL }, phases + %u) != "
          "WEIR_OK)\n        return WEIR_FAILED;\n",
          weir_generator_use_function (self, (WeirNode) { nodes[i] },
                                       (WeirAnyFunction) leaf.phases),
          nodes[i], at);
      at += leaf.n_phases;
    }
  g_string_append (text, "    }\n");
  weir_phases_free (phases);
  return at;
}

static void
write_phases (WeirGenerator *self, GString *text)
{
  begin_function (self, text,
                  "calc_phases_of_all (WeirContext *context, guint use, double t, const double *x, "
                  "double *phases)");
  g_string_append (text, "\n  context->values_set = 0;\n  (void) self;\n  (void) use;\n"
                         "  (void) t;\n  (void) x;\n  (void) phases;\n");
  self->n_phases[0] = write_phases_of (self, text, WEIR_PHASES_OF_STEPS);
  self->n_phases[1] = write_phases_of (self, text, WEIR_PHASES_OF_WITNESSES);
  g_string_append (text, "  return WEIR_OK;\n}\n\n");
}

/* --- All ------------------------------------------------------------------------------------- */

static void
write_up_to_date (WeirGenerator *self, GString *text)
{
  g_string_append_printf (
      text,
      "/* What an event reads is computed once for all that happens at an "
      "instant. */\n"
      "static G_GNUC_UNUSED gboolean\nbring_up_to_date (%s *self, guint set)\n{\n"
      "  WeirContext *context = &self->context;\n"
      "  WeirStatus status = WEIR_OK;\n\n"
      "  if (context->values_set == set + 1)\n    return TRUE;\n"
      "  context->values_set = 0;\n"
      "  switch (set)\n    {\n",
      self->name);
  for (guint s = WEIR_N_FIXED_SETS; s < self->sets->len; s++)
    g_string_append_printf (text,
                            "    case %u:\n      status = calc_%u (self, context->now, "
                            "context->state);\n      break;\n",
                            s, s);
  g_string_append (text, "    default:\n      break;\n    }\n"
                         "  if (status == WEIR_OK)\n    context->values_set = set + 1;\n"
                         "  return status == WEIR_OK;\n}\n\n");
}

void
weir_generator_write_events (WeirGenerator *self, GString *text)
{
  write_table (self, text);
  if (weir_system_get_n_events (self->root) > 0)
    write_up_to_date (self, text);
  write_calls (self, text);
  write_next_times (self, text);
  write_phases (self, text);
}
