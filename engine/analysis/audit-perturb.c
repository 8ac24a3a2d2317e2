/* Changing one source after the other and looking who changes with it. See audit.h.
 *
 * All changes are made in one and the same context and taken back, so that a calculation that reads
 * past its accessors, through a pointer it got hold of earlier, reads what was changed. After each
 * change everything that the declarations put out of date is evaluated; whatever they left up to
 * date is calculated once more, its prerequisites taken from the cache, and must give the bits that
 * it has. So an entry downstream of a guilty one is never blamed. A difference counts only if it
 * goes away with the change and comes back with it: otherwise the calculation keeps memory.
 */
#include "analysis/audit-private.h"
#include "analysis/audit-values.h"

#include <math.h>
#include <string.h>

#include "base/number.h"

/* How a source is changed. The last is for hints only: what not even NaN shows in was not read. */
enum {
  CHANGE_NEGATE,
  CHANGE_ADD_ONE,
  CHANGE_ZERO,
  CHANGE_A_LITTLE,
  CHANGE_LARGE,
  CHANGE_SMALL_NEGATIVE,
  CHANGE_RANDOM,
  CHANGE_RANDOM_AGAIN,
  CHANGE_NAN,
  N_CHANGES,
};

/* Of all sources at once, to see more branches. */
static const guint joint_changes[] = { CHANGE_NEGATE, CHANGE_RANDOM,  CHANGE_RANDOM,
                                       CHANGE_RANDOM, CHANGE_ADD_ONE, CHANGE_ZERO };
#define N_VARIED 4 /* of them examined in turn */

typedef struct {
  WeirAudit *audit;
  WeirContext *work;
  WeirContext *reference; /* as evaluated before any change */
  WeirAuditValue *base;   /* values in it, by entry */
  WeirAuditValue *now;    /* scratch, by entry */
  gboolean *has_changed;  /* by entry: among what the present change put out of date */
  guint64 *stale;         /* flags right after the present change */
  gboolean is_varied;     /* the state examined is made from one of the run, see try_jointly() */
} Trial;

/* splitmix64: uniform bits from a counter. */
static double
next_random (WeirAudit *self)
{
  guint64 z = self->random += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  z ^= z >> 31;
  return (double) (z >> 11) * 0x1p-53 * 6 - 3;
}

static double
change_number (WeirAudit *self, guint change, double old, guint i)
{
  switch (change)
    {
    case CHANGE_NEGATE:
      return old == 0 ? -1 : -old;
    case CHANGE_ADD_ONE:
      return old + 1;
    case CHANGE_ZERO:
      return 0;
    case CHANGE_A_LITTLE:
      return old * (1 + 0x1p-20) + 0x1p-24;
    case CHANGE_LARGE:
      return 1e6 * (i + 1);
    case CHANGE_SMALL_NEGATIVE:
      return -0x1p-10 / (i + 1);
    case CHANGE_NAN:
      return (double) NAN;
    default:
      return next_random (self);
    }
}

/* Values that a type of abstract values has; NULL if none is known. */
static GVariant *
change_variant (WeirAudit *self, guint change, GVariant *old)
{
  const GVariantType *type = g_variant_get_type (old);

  if (change > CHANGE_LARGE)
    return NULL;
  if (g_variant_type_equal (type, G_VARIANT_TYPE_BOOLEAN))
    return g_variant_new_boolean (!g_variant_get_boolean (old));
  if (g_variant_type_equal (type, G_VARIANT_TYPE_DOUBLE))
    return g_variant_new_double (change_number (self, change, g_variant_get_double (old), 0));
  if (g_variant_type_equal (type, G_VARIANT_TYPE_INT32))
    return g_variant_new_int32 ((gint32) change - 1);
  if (g_variant_type_equal (type, G_VARIANT_TYPE_UINT32))
    return g_variant_new_uint32 (change);
  if (g_variant_type_equal (type, G_VARIANT_TYPE_INT64))
    return g_variant_new_int64 ((gint64) change - 1);
  if (g_variant_type_equal (type, G_VARIANT_TYPE_STRING))
    return g_variant_new_take_string (
        change == CHANGE_ZERO ? g_strdup ("")
                              : g_strdup_printf ("%s%u", g_variant_get_string (old, NULL), change));
  if (g_variant_type_equal (type, G_VARIANT_TYPE ("ad")))
    {
      gsize n;
      const double *numbers = g_variant_get_fixed_array (old, &n, sizeof *numbers);
      g_autofree double *changed = g_new0 (double, n + 1);

      for (gsize i = 0; i < n; i++)
        changed[i] = change_number (self, change, numbers[i], (guint) i);
      return g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, changed,
                                        change == CHANGE_ADD_ONE ? n + 1 : n, sizeof *changed);
    }
  return NULL;
}

/* --- A value of a source, kept --------------------------------------------------------------- */

static void
keep_source (WeirAuditValue *value, const WeirContext *context, const WeirSourceInfo *source)
{
  guint size;

  value->has = TRUE;
  value->size = source->size;
  if (source->type != NULL)
    {
      value->variant = weir_context_get_ticket_variant (context, source->node, source->ticket);
      if (value->variant != NULL)
        g_variant_ref (value->variant);
    }
  else
    value->doubles = g_memdup2 (
        weir_context_get_ticket_value (context, source->node, source->ticket, &size),
        source->size * sizeof (double));
}

static void
put_source (WeirContext *context, const WeirSourceInfo *source, const WeirAuditValue *value)
{
  if (value->variant != NULL)
    weir_context_set_source_variant (context, source, value->variant);
  else if (source->type == NULL)
    weir_context_set_source (context, source, value->doubles);
}

/* FALSE if there is no such change of this value. */
static gboolean
make_change (WeirAudit *self, const WeirSourceInfo *source, guint change, const WeirAuditValue *old,
             WeirAuditValue *new)
{
  *new = (WeirAuditValue) { .has = TRUE, .size = old->size };
  if (source->type != NULL)
    {
      if (old->variant == NULL
          || (new->variant = change_variant (self, change, old->variant)) == NULL)
        return FALSE;
      g_variant_ref_sink (new->variant);
    }
  else
    {
      gboolean is_scale = source->ticket.i == WEIR_TICKET_ACCURACY;

      if (change == CHANGE_NAN && (is_scale || source->ticket.i == WEIR_TICKET_TIME))
        return FALSE;
      new->doubles = g_new (double, MAX (old->size, 1));
      for (guint i = 0; i < old->size; i++)
        {
          new->doubles[i] = change_number (self, change, old->doubles[i], i);
          if (is_scale)
            new->doubles[i] = fabs (new->doubles[i]);
        }
    }
  if (!weir_audit_value_is_same (old, new))
    return TRUE;
  weir_audit_value_clear (new);
  return FALSE;
}

static void
take_back (Trial *self, const WeirSourceInfo *source, const WeirAuditValue *old, gboolean was_fixed)
{
  if (source->is_input && !was_fixed)
    weir_context_unfix_input (self->work, source->node, (WeirInput) { (guint16) source->index });
  else
    put_source (self->work, source, old);
}

static gboolean
is_fixed (const Trial *self, const WeirSourceInfo *source)
{
  return source->is_input
         && weir_context_is_input_fixed (self->work, source->node,
                                         (WeirInput) { (guint16) source->index });
}

/* --- Evaluating ------------------------------------------------------------------------------ */

static gboolean
is_stale (const guint64 *flags, guint32 e)
{
  return (flags[e / 64] >> (e % 64)) & 1;
}

/* Evaluates what is out of date, entries already named excepted: they keep the value that they
 * have. */
static void
evaluate_stale (Trial *self)
{
  WeirAudit *audit = self->audit;
  gsize n_words;
  const guint64 *flags = weir_context_get_flags (self->work, &n_words);

  memcpy (self->stale, flags, n_words * sizeof *flags);
  for (guint32 e = 0; e < audit->n_entries; e++)
    if (is_stale (self->stale, e) && audit->is_impure[e] && self->base[e].has)
      weir_context_mark (self->work, (WeirEntry) { e }, TRUE);
  for (guint32 e = 0; e < audit->n_entries; e++)
    {
      self->has_changed[e] = FALSE;
      if (!is_stale (self->stale, e) || audit->is_impure[e])
        continue;
      weir_audit_value_eval (&self->now[e], audit->root, self->work, (WeirEntry) { e });
      self->has_changed[e] = !weir_audit_value_is_same (&self->now[e], &self->base[e]);
    }
}

static void
note_moved (Trial *self, const WeirSourceInfo *source, guint32 e)
{
  const WeirLayout *layout = self->audit->layout;
  WeirNode node = weir_layout_get_entry (layout, (WeirEntry) { e }).node;
  const guint16 *tickets;
  guint n = weir_layout_get_primary (layout, (WeirEntry) { e }, &tickets);

  for (guint k = 0; k < n; k++)
    {
      WeirEntry read;
      gboolean is_source = tickets[k] == source->ticket.i
                           && (source->node.i == node.i
                               || source->ticket.i <= WEIR_TICKET_ACCURACY);

      if (!is_source
          && !(weir_layout_find_entry (layout, node, (WeirTicket) { tickets[k] }, &read)
               && self->has_changed[read.i]))
        continue;
      if (self->audit->moved[e] == NULL)
        self->audit->moved[e] = g_new0 (guint64, weir_layout_get_n_tickets (layout, node) / 64 + 1);
      self->audit->moved[e][tickets[k] / 64] |= G_GUINT64_CONSTANT (1) << (tickets[k] % 64);
    }
}

/* --- Blaming --------------------------------------------------------------------------------- */

static gboolean
ticket_differs (const Trial *self, WeirNode node, WeirTicket ticket)
{
  guint size;
  const double *a = weir_context_get_ticket_value (self->work, node, ticket, &size);
  const double *b = weir_context_get_ticket_value (self->reference, node, ticket, &size);
  GVariant *variant_a, *variant_b;

  if (a != NULL && b != NULL)
    return memcmp (a, b, size * sizeof *a) != 0;
  variant_a = weir_context_get_ticket_variant (self->work, node, ticket);
  variant_b = weir_context_get_ticket_variant (self->reference, node, ticket);
  return variant_a != NULL && variant_b != NULL && !g_variant_equal (variant_a, variant_b);
}

/* The ticket that @e should have declared, seeing that it changed with @source. */
static WeirTicket
find_missing (const Trial *self, guint32 e, const WeirSourceInfo *source, WeirNode *node)
{
  const WeirAudit *audit = self->audit;
  WeirEntry entry = { e };
  WeirNode own = weir_layout_get_entry (audit->layout, entry).node;
  gboolean is_own = source->node.i == own.i || source->ticket.i <= WEIR_TICKET_ACCURACY;
  guint n_tickets = weir_layout_get_n_tickets (audit->layout, own);

  *node = own;
  if (is_own && weir_observer_get_read (audit->observer, entry, source->ticket) != WEIR_READ_NEVER)
    return source->ticket;
  for (guint t = 1; t < n_tickets; t++)
    {
      WeirTicket ticket = { (guint16) t };

      if (weir_observer_get_read (audit->observer, entry, ticket) == WEIR_READ_ALONE
          && !weir_layout_is_covered (audit->layout, entry, ticket)
          && ticket_differs (self, own, ticket))
        return ticket;
    }
  if (!is_own)
    {
      guint n_inputs = weir_layout_get_n_inputs (audit->layout, own);

      for (guint t = WEIR_N_BUILT_IN_TICKETS; n_inputs > 0 && t < n_tickets; t++)
        for (guint s = 0; s < audit->sources->len; s++)
          {
            const WeirSourceInfo *in = &g_array_index (audit->sources, WeirSourceInfo, s);

            if (in->is_input && in->node.i == own.i && in->ticket.i == t
                && !weir_layout_is_covered (audit->layout, entry, in->ticket)
                && ticket_differs (self, own, in->ticket))
              return in->ticket;
          }
      *node = source->node;
    }
  return source->ticket;
}

/* The source in words: "plant: input u". (transfer full) */
static char *
describe_source (const WeirLayout *layout, const WeirSourceInfo *source)
{
  g_autofree char *path = weir_layout_dup_path (layout, source->node);
  g_autofree char *label = weir_layout_describe_ticket (layout, source->node, source->ticket);

  return *path == '\0' ? g_steal_pointer (&label) : g_strconcat (path, ": ", label, NULL);
}

static void
fill_example (const Trial *self, WeirAuditFinding *finding, const WeirSourceInfo *source,
              const WeirAuditValue *old, const WeirAuditValue *new, const WeirAuditValue *cached,
              const WeirAuditValue *recomputed)
{
  finding->is_varied = self->is_varied;
  finding->time = weir_context_get_time (self->reference != NULL ? self->reference : self->work);
  if (source != NULL)
    {
      finding->source = describe_source (self->audit->layout, source);
      finding->before = weir_audit_value_to_string (old);
      finding->after = weir_audit_value_to_string (new);
    }
  finding->cached = weir_audit_value_to_string (cached);
  finding->recomputed = weir_audit_value_to_string (recomputed);
}

static void
blame_memory (Trial *self, guint32 e, const WeirSourceInfo *source, const WeirAuditValue *old,
              const WeirAuditValue *new, const WeirAuditValue *recomputed)
{
  WeirAudit *audit = self->audit;
  WeirNode node = weir_layout_get_entry (audit->layout, (WeirEntry) { e }).node;
  WeirAuditFinding *finding;

  audit->is_impure[e] = TRUE;
  finding = weir_audit_add (audit, WEIR_AUDIT_KEEPS_MEMORY, (WeirEntry) { e }, node, WEIR_NOTHING);
  fill_example (self, finding, source, old, new, &self->base[e], recomputed);
}

/* @e came out as now[e] after the change of @source, though nothing that it declares
 * had changed. */
static void
blame (Trial *self, guint32 e, const WeirSourceInfo *source, const WeirAuditValue *old,
       const WeirAuditValue *new, gboolean was_fixed)
{
  WeirAudit *audit = self->audit;
  WeirEntry entry = { e };
  WeirNode node;
  WeirTicket ticket = find_missing (self, e, source, &node);
  WeirAuditFinding *finding = weir_audit_find (audit, WEIR_AUDIT_UNDECLARED, entry, node, ticket);
  WeirAuditValue seen = { .size = self->now[e].size,
                          .doubles = g_new0 (double, MAX (self->now[e].size, 1)) };
  gboolean goes_away, comes_back;

  if (finding != NULL)
    {
      g_autofree char *name = describe_source (audit->layout, source);

      finding->n_more += g_strcmp0 (name, finding->source) != 0;
    }
  else
    {
      weir_audit_value_copy (&seen, &self->now[e]);
      take_back (self, source, old, was_fixed);
      evaluate_stale (self);
      weir_audit_value_calc (&self->now[e], audit->root, self->work, entry);
      goes_away = weir_audit_value_is_same (&self->now[e], &self->base[e]);
      put_source (self->work, source, new);
      evaluate_stale (self);
      weir_audit_value_calc (&self->now[e], audit->root, self->work, entry);
      comes_back = weir_audit_value_is_same (&self->now[e], &seen);
      if (goes_away && comes_back)
        {
          finding = weir_audit_add (audit, WEIR_AUDIT_UNDECLARED, entry, node, ticket);
          finding->is_proven = TRUE;
          finding->is_observed = node.i == weir_layout_get_entry (audit->layout, entry).node.i
                                 && weir_observer_get_read (audit->observer, entry, ticket)
                                        != WEIR_READ_NEVER;
          fill_example (self, finding, source, old, new, &self->base[e], &seen);
        }
      else
        blame_memory (self, e, source, old, new, &seen);
    }
  weir_audit_value_clear (&seen);
}

/* --- The trials ------------------------------------------------------------------------------ */

/* In a model too large for trying every source on every entry: siblings, and all at one level
 * above. */
static gboolean
is_near (const WeirAudit *self, const WeirSourceInfo *source, guint32 e)
{
  WeirNode node = weir_layout_get_entry (self->layout, (WeirEntry) { e }).node;

  return self->result->is_exhaustive || node.i == source->node.i || node.i == 0
         || (source->node.i != 0
             && weir_layout_get_parent (self->layout, node).i
                    == weir_layout_get_parent (self->layout, source->node).i);
}

static void
compare_untouched (Trial *self, const WeirSourceInfo *source, const WeirAuditValue *old,
                   const WeirAuditValue *new, gboolean was_fixed)
{
  WeirAudit *audit = self->audit;
  gsize n_words = (audit->n_entries + 63) / 64;
  g_autofree guint64 *stale = g_memdup2 (self->stale, n_words * sizeof *self->stale);

  for (guint32 e = 0; e < audit->n_entries; e++)
    {
      if (is_stale (stale, e) || !self->base[e].has || audit->is_impure[e]
          || !is_near (audit, source, e))
        continue;
      weir_audit_value_calc (&self->now[e], audit->root, self->work, (WeirEntry) { e });
      audit->result->n_calculations++;
      if (!weir_audit_value_is_same (&self->now[e], &self->base[e]))
        blame (self, e, source, old, new, was_fixed);
    }
}

/* After everything was taken back, every value must be as before. Numbers ascend downstream, so the
 * first that is not is to blame. */
static void
compare_restored (Trial *self, const WeirSourceInfo *source, const WeirAuditValue *old,
                  const WeirAuditValue *new)
{
  WeirAudit *audit = self->audit;
  gboolean again;

  do
    {
      again = FALSE;
      evaluate_stale (self);
      for (guint32 e = 0; e < audit->n_entries && !again; e++)
        if (self->has_changed[e])
          {
            blame_memory (self, e, source, old, new, &self->now[e]);
            /* What came after it is evaluated anew from the value that it had. */
            audit->retired->pdata[audit->retired->len - 1] = self->work;
            g_ptr_array_add (audit->retired, NULL);
            self->work = weir_context_clone (self->reference);
            weir_context_set_observer (self->work, audit->observer);
            again = TRUE;
          }
    }
  while (again);
}

static void
try_source (Trial *self, const WeirSourceInfo *source)
{
  gboolean was_fixed = is_fixed (self, source);
  WeirAuditValue old = { 0 }, new;

  keep_source (&old, self->reference, source);
  for (guint change = 0; change < N_CHANGES; change++)
    {
      if (!make_change (self->audit, source, change, &old, &new))
        continue;
      put_source (self->work, source, &new);
      evaluate_stale (self);
      for (guint32 e = 0; e < self->audit->n_entries; e++)
        if (self->has_changed[e])
          note_moved (self, source, e);
      if (change != CHANGE_NAN)
        compare_untouched (self, source, &old, &new, was_fixed);
      take_back (self, source, &old, was_fixed);
      compare_restored (self, source, &old, &new);
      weir_audit_value_clear (&new);
    }
  weir_audit_value_clear (&old);
}

/* Many branches are taken only when several sources change together. Adds the first states made so
 * to
 * @varied, to be examined like those of the run. */
static void
try_jointly (Trial *self, GPtrArray *varied)
{
  WeirAudit *audit = self->audit;

  for (guint k = 0; k < G_N_ELEMENTS (joint_changes); k++)
    {
      for (guint s = 0; s < audit->sources->len; s++)
        {
          const WeirSourceInfo *source = &g_array_index (audit->sources, WeirSourceInfo, s);
          WeirAuditValue old = { 0 }, new;

          keep_source (&old, self->reference, source);
          if ((!source->is_input || k < N_VARIED || next_random (audit) > 0)
              && make_change (audit, source, joint_changes[k], &old, &new))
            {
              put_source (self->work, source, &new);
              weir_audit_value_clear (&new);
            }
          weir_audit_value_clear (&old);
        }
      evaluate_stale (self);
      if (varied != NULL && k < N_VARIED)
        g_ptr_array_add (varied, weir_context_clone (self->work));
    }
}

/* --- Before any change ----------------------------------------------------------------------- */

static WeirTicket
find_written (const WeirAudit *self, const char *name, WeirNode *node)
{
  for (guint s = 0; s < self->sources->len; s++)
    {
      const WeirSourceInfo *source = &g_array_index (self->sources, WeirSourceInfo, s);
      g_autofree char *own = weir_source_info_dup_name (self->layout, source);

      if (!source->is_input && g_str_equal (own, name))
        {
          *node = source->node;
          return source->ticket;
        }
    }
  for (guint32 e = 0; e < self->n_entries; e++)
    {
      g_autofree char *own = weir_layout_dup_entry_path (self->layout, (WeirEntry) { e });

      if (g_str_equal (own, name))
        {
          *node = weir_layout_get_entry (self->layout, (WeirEntry) { e }).node;
          return weir_layout_get_entry_ticket (self->layout, (WeirEntry) { e });
        }
    }
  g_assert_not_reached ();
}

/* Evaluates everything. TRUE and @culprit, @written if something beside the values evaluated
 * changed. */
static gboolean
evaluate_all (Trial *self, WeirContext *context, gboolean one_by_one, guint32 *culprit,
              char **written)
{
  WeirAudit *audit = self->audit;
  WeirContext *before = weir_context_clone (context);

  *written = NULL;
  for (guint32 e = 0; e < audit->n_entries && *written == NULL; e++)
    {
      WeirEntry entry = { e };

      if (audit->is_impure[e]) /* keeps the value that it had in the run */
        weir_context_mark (context, entry, TRUE);
      weir_audit_value_eval (&self->base[e], audit->root, context, entry);
      /* Another time, when all else is up to date and so must stay as it is. */
      if (one_by_one && !audit->is_impure[e])
        {
          *culprit = e;
          *written = weir_context_dup_first_difference (before, context);
          weir_context_free (before);
          before = weir_context_clone (context);
          if (*written == NULL)
            {
              weir_audit_value_calc (&self->now[e], audit->root, context, entry);
              *written = weir_context_dup_first_difference (before, context);
            }
        }
    }
  if (!one_by_one)
    {
      *written = weir_context_dup_first_difference (before, context);
      if (*written == NULL)
        {
          weir_context_free (before);
          before = weir_context_clone (context);
          for (guint32 e = 0; e < audit->n_entries; e++)
            if (!audit->is_impure[e])
              weir_audit_value_calc (&self->now[e], audit->root, context, (WeirEntry) { e });
          *written = weir_context_dup_first_difference (before, context);
        }
    }
  weir_context_free (before);
  return *written != NULL;
}

/* Calculations that go through a pointer of their own had better find it there already; else their
 * first call alone would look like memory. */
static void
warm_up (Trial *self, const WeirContext *sample)
{
  WeirContext *context = weir_context_clone (sample);

  for (guint32 e = 0; e < self->audit->n_entries; e++)
    if (!self->audit->is_impure[e])
      weir_audit_value_eval (&self->now[e], self->audit->root, context, (WeirEntry) { e });
  g_ptr_array_add (self->audit->retired, context);
}

/* Evaluates all of @sample in work; names every entry that writes more than its own value. */
static void
find_writers (Trial *self, const WeirContext *sample)
{
  WeirAudit *audit = self->audit;
  gboolean one_by_one = FALSE;

  for (;;)
    {
      g_autofree char *written = NULL;
      guint32 culprit = WEIR_NO_INDEX;
      WeirNode node;
      WeirTicket ticket;

      self->work = weir_context_clone (sample);
      weir_context_set_observer (self->work, audit->observer);
      if (!evaluate_all (self, self->work, one_by_one, &culprit, &written))
        return;
      g_ptr_array_insert (audit->retired, 0, self->work);
      if (one_by_one)
        {
          ticket = find_written (audit, written, &node);
          audit->is_impure[culprit] = TRUE;
          weir_audit_add (audit, WEIR_AUDIT_WRITES_SOURCE, (WeirEntry) { culprit }, node, ticket)
              ->time = weir_context_get_time (sample);
        }
      one_by_one = TRUE;
    }
}

/* Each twice more from the very same sources. */
static void
find_memory (Trial *self)
{
  WeirAudit *audit = self->audit;

  for (guint32 e = 0; e < audit->n_entries; e++)
    audit->has_value[e] |= self->base[e].has && !self->is_varied;
  for (guint32 e = 0; e < audit->n_entries; e++)
    for (guint k = 0; k < 2 && self->base[e].has && !audit->is_impure[e]; k++)
      {
        weir_audit_value_calc (&self->now[e], audit->root, self->work, (WeirEntry) { e });
        audit->result->n_calculations++;
        if (!weir_audit_value_is_same (&self->now[e], &self->base[e]))
          blame_memory (self, e, NULL, NULL, NULL, &self->now[e]);
      }
}

gboolean
weir_audit_perturb (WeirAudit *self, WeirContext *sample, gboolean is_varied, GPtrArray *varied)
{
  gsize n_words = (self->n_entries + 63) / 64;
  Trial trial = {
    .audit = self,
    .base = weir_audit_values_new (self->layout),
    .now = weir_audit_values_new (self->layout),
    .has_changed = g_new0 (gboolean, MAX (self->n_entries, 1)),
    .stale = g_new0 (guint64, MAX (n_words, 1)),
    .is_varied = is_varied,
  };
  guint64 cost = (guint64) N_CHANGES * self->n_entries;
  guint stride = (guint) MAX (1, cost * self->sources->len / (self->max_calculations * 16));
  gboolean ok = TRUE;

  self->result->is_exhaustive = self->result->is_exhaustive
                                && cost * self->sources->len <= self->max_calculations;
  weir_context_set_caching (sample, TRUE);
  weir_context_set_node_caching (sample, WEIR_ROOT, TRUE);
  weir_context_set_frozen (sample, FALSE);
  weir_context_set_all_out_of_date (sample);
  warm_up (&trial, sample);
  find_writers (&trial, sample);
  find_memory (&trial);
  trial.reference = weir_context_clone (trial.work);
  g_ptr_array_add (self->retired, NULL); /* the place of the present work */
  for (guint s = 0; s < self->sources->len && ok; s += stride)
    {
      try_source (&trial, &g_array_index (self->sources, WeirSourceInfo, s));
      ok = self->cancel == NULL || g_atomic_int_get (self->cancel) == 0;
    }
  if (ok)
    try_jointly (&trial, varied);
  weir_context_set_observer (trial.work, NULL);
  self->retired->pdata[self->retired->len - 1] = trial.work;
  weir_context_free (trial.reference);
  weir_context_free (sample);
  weir_audit_values_free (trial.base, self->n_entries);
  weir_audit_values_free (trial.now, self->n_entries);
  g_free (trial.has_changed);
  g_free (trial.stale);
  return ok;
}
