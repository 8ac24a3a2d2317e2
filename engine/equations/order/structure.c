/* Matching, blocks and index of systems of equations. See structure.h. Nothing recurses: a chain of
 * 100 000 equations is an ordinary system. */
#include "equations/order/structure.h"

#include <stdlib.h>
#include <string.h>

void
weir_incidence_init (WeirIncidence *self, guint n_unknowns)
{
  guint zero = 0;

  self->n_equations = 0;
  self->n_unknowns = n_unknowns;
  self->last_in = g_new0 (guint, n_unknowns + 1);
  self->first = g_array_new (FALSE, FALSE, sizeof (guint));
  self->column = g_array_new (FALSE, FALSE, sizeof (guint));
  g_array_append_val (self->first, zero);
}

void
weir_incidence_clear (WeirIncidence *self)
{
  g_clear_pointer (&self->first, g_array_unref);
  g_clear_pointer (&self->column, g_array_unref);
  g_clear_pointer (&self->last_in, g_free);
}

static guint
get_first (const WeirIncidence *self, guint equation)
{
  return g_array_index (self->first, guint, equation);
}

static guint
get_column (const WeirIncidence *self, guint i)
{
  return g_array_index (self->column, guint, i);
}

void
weir_incidence_add (WeirIncidence *self, guint unknown)
{
  if (self->last_in[unknown] == self->n_equations + 1)
    return;
  self->last_in[unknown] = self->n_equations + 1;
  g_array_append_val (self->column, unknown);
}

void
weir_incidence_end_equation (WeirIncidence *self)
{
  g_array_append_val (self->first, self->column->len);
  self->n_equations++;
}

/* --- Matching -------------------------------------------------------------------------------- */

typedef struct {
  guint equation;
  guint next; /* position in column */
} Step;

#define DEAD_END G_MAXUINT32

/* Searches a path from @start to a free unknown and flips it. What a search in vain has met leads
 * nowhere for good: no path that is found later changes anything there. */
static gboolean
augment (const WeirIncidence *self, guint start, guint *unknown_of, guint *equation_of,
         guint *visited, guint stamp, GArray *stack, GArray *met)
{
  Step first = { start, get_first (self, start) };

  g_array_set_size (stack, 0);
  g_array_set_size (met, 0);
  g_array_append_val (stack, first);
  while (stack->len > 0)
    {
      Step *top = &g_array_index (stack, Step, stack->len - 1);
      guint end = get_first (self, top->equation + 1);
      gboolean has_gone_on = FALSE;

      while (!has_gone_on && top->next < end)
        {
          guint unknown = get_column (self, top->next++);
          Step next;

          if (visited[unknown] == stamp || visited[unknown] == DEAD_END)
            continue;
          visited[unknown] = stamp;
          g_array_append_val (met, unknown);
          if (equation_of[unknown] == WEIR_UNMATCHED)
            {
              /* Every equation on the stack takes the unknown it was about to try. */
              for (guint i = stack->len; i-- > 0;)
                {
                  const Step *step = &g_array_index (stack, Step, i);
                  guint taken = get_column (self, step->next - 1);

                  unknown_of[step->equation] = taken;
                  equation_of[taken] = step->equation;
                }
              return TRUE;
            }
          next = (Step) { equation_of[unknown], get_first (self, equation_of[unknown]) };
          g_array_append_val (stack, next);
          has_gone_on = TRUE;
        }
      if (!has_gone_on)
        g_array_set_size (stack, stack->len - 1);
    }
  for (guint i = 0; i < met->len; i++)
    visited[g_array_index (met, guint, i)] = DEAD_END;
  return FALSE;
}

guint
weir_incidence_match (const WeirIncidence *self, guint n_firm, guint *unknown_of,
                      guint *equation_of)
{
  g_autofree guint *visited = g_new0 (guint, self->n_unknowns + 1);
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Step));
  g_autoptr (GArray) met = g_array_new (FALSE, FALSE, sizeof (guint));
  guint n_pairs = 0;

  for (guint i = 0; i < self->n_equations; i++)
    unknown_of[i] = WEIR_UNMATCHED;
  for (guint i = 0; i < self->n_unknowns; i++)
    equation_of[i] = WEIR_UNMATCHED;
  /* First what each prefers, which is nearly all of it. */
  for (guint i = 0; i < MIN (n_firm, self->n_equations); i++)
    if (get_first (self, i) < get_first (self, i + 1))
      {
        guint unknown = get_column (self, get_first (self, i));

        if (equation_of[unknown] != WEIR_UNMATCHED)
          continue;
        unknown_of[i] = unknown;
        equation_of[unknown] = i;
        n_pairs++;
      }
  for (guint i = 0; i < self->n_equations; i++)
    if (unknown_of[i] == WEIR_UNMATCHED)
      n_pairs += augment (self, i, unknown_of, equation_of, visited, i + 1, stack, met);
  return n_pairs;
}

/* --- Too many, too few ----------------------------------------------------------------------- */

void
weir_incidence_find_surplus (const WeirIncidence *self, const guint *unknown_of,
                             const guint *equation_of, gboolean *equations, gboolean *unknowns)
{
  g_autoptr (GArray) queue = g_array_new (FALSE, FALSE, sizeof (guint));

  memset (equations, 0, self->n_equations * sizeof (gboolean));
  memset (unknowns, 0, self->n_unknowns * sizeof (gboolean));
  for (guint i = 0; i < self->n_equations; i++)
    if (unknown_of[i] == WEIR_UNMATCHED)
      {
        equations[i] = TRUE;
        g_array_append_val (queue, i);
      }
  for (guint head = 0; head < queue->len; head++)
    {
      guint equation = g_array_index (queue, guint, head);

      for (guint j = get_first (self, equation); j < get_first (self, equation + 1); j++)
        {
          guint unknown = get_column (self, j);
          guint next = equation_of[unknown];

          unknowns[unknown] = TRUE;
          if (next == WEIR_UNMATCHED || equations[next])
            continue;
          equations[next] = TRUE;
          g_array_append_val (queue, next);
        }
    }
}

void
weir_incidence_list_equations (const WeirIncidence *self, WeirRows *equations)
{
  weir_rows_transpose (equations, self->n_unknowns, self->n_equations,
                       (const guint *) self->first->data, (const guint *) self->column->data);
}

void
weir_incidence_find_missing (const WeirIncidence *self, const guint *unknown_of,
                             const guint *equation_of, gboolean *equations, gboolean *unknowns)
{
  g_autoptr (GArray) queue = g_array_new (FALSE, FALSE, sizeof (guint));
  g_auto (WeirRows) equations_of = { 0 };

  memset (equations, 0, self->n_equations * sizeof (gboolean));
  memset (unknowns, 0, self->n_unknowns * sizeof (gboolean));
  weir_incidence_list_equations (self, &equations_of);
  for (guint i = 0; i < self->n_unknowns; i++)
    if (equation_of[i] == WEIR_UNMATCHED)
      {
        unknowns[i] = TRUE;
        g_array_append_val (queue, i);
      }
  /* An equation that contains a missing unknown, solved for it, leaves its own unknown missing. */
  for (guint head = 0; head < queue->len; head++)
    {
      guint unknown = g_array_index (queue, guint, head);

      for (guint j = equations_of.first[unknown]; j < equations_of.first[unknown + 1]; j++)
        {
          guint equation = equations_of.items[j], own = unknown_of[equation];

          if (own == WEIR_UNMATCHED)
            continue;
          equations[equation] = TRUE;
          if (unknowns[own])
            continue;
          unknowns[own] = TRUE;
          g_array_append_val (queue, own);
        }
    }
}

/* --- Blocks ---------------------------------------------------------------------------------- */

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint left = *(const guint *) a, right = *(const guint *) b;

  return left < right ? -1 : left > right;
}

void
weir_incidence_find_blocks (const WeirIncidence *self, const guint *unknown_of,
                            const guint *equation_of, GArray *order, GArray *block_ends)
{
  g_autofree guint *number = g_new0 (guint, self->n_equations + 1); /* 0 = not seen */
  g_autofree guint *low = g_new0 (guint, self->n_equations + 1);
  g_autofree gboolean *is_open = g_new0 (gboolean, self->n_equations + 1);
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Step));
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (guint));
  guint n_seen = 0;

  for (guint start = 0; start < self->n_equations; start++)
    {
      Step first = { start, get_first (self, start) };

      if (number[start] != 0 || unknown_of[start] == WEIR_UNMATCHED)
        continue;
      g_array_append_val (stack, first);
      while (stack->len > 0)
        {
          Step *top = &g_array_index (stack, Step, stack->len - 1);
          guint equation = top->equation;
          guint next;

          if (number[equation] == 0)
            {
              number[equation] = low[equation] = ++n_seen;
              is_open[equation] = TRUE;
              g_array_append_val (open, equation);
            }
          if (top->next < get_first (self, equation + 1))
            {
              Step step;

              next = equation_of[get_column (self, top->next++)];
              if (next == WEIR_UNMATCHED || next == equation)
                continue;
              step = (Step) { next, get_first (self, next) };
              if (number[next] == 0)
                g_array_append_val (stack, step);
              else if (is_open[next])
                low[equation] = MIN (low[equation], number[next]);
              continue;
            }
          g_array_set_size (stack, stack->len - 1);
          if (stack->len > 0)
            {
              guint parent = g_array_index (stack, Step, stack->len - 1).equation;

              low[parent] = MIN (low[parent], low[equation]);
            }
          if (low[equation] != number[equation])
            continue;
          {
            guint begin = order->len;

            do
              {
                next = g_array_index (open, guint, open->len - 1);
                g_array_set_size (open, open->len - 1);
                is_open[next] = FALSE;
                g_array_append_val (order, next);
              }
            while (next != equation);
            qsort (&g_array_index (order, guint, begin), order->len - begin, sizeof (guint),
                   compare_numbers);
            g_array_append_val (block_ends, order->len);
          }
        }
    }
}

/* --- Index ----------------------------------------------------------------------------------- */

typedef struct {
  GArray *derivative_of; /* of a variable; grows */
  GArray *assigned;      /* equation of a variable */
  GArray *next;          /* the differentiated form of an equation */
  GArray *columns;       /* of GArray: variables of an equation */
  GArray *origin;        /* the equation that it came from */
} Pantelides;

static guint
at (const GArray *array, guint i)
{
  return g_array_index (array, guint, i);
}

static void
append (GArray *array, guint value)
{
  g_array_append_val (array, value);
}

/* Is there, for each equation, a variable or a derivative of it, all different? Without that
 * differentiating never ends. */
static gboolean
can_determine_all (const WeirIncidence *incidence, const guint *derivative_of)
{
  g_autofree guint *chain_of = g_new (guint, incidence->n_unknowns + 1);
  g_autofree guint *unknown_of = g_new (guint, incidence->n_equations + 1);
  g_autofree guint *equation_of = g_new (guint, incidence->n_unknowns + 1);
  WeirIncidence chains;
  guint n_pairs;

  for (guint i = 0; i < incidence->n_unknowns; i++)
    chain_of[i] = i;
  /* A chain is called by its lowest variable; derivatives have higher numbers. */
  for (guint i = 0; i < incidence->n_unknowns; i++)
    if (derivative_of[i] != WEIR_UNMATCHED)
      chain_of[derivative_of[i]] = chain_of[i];
  weir_incidence_init (&chains, incidence->n_unknowns);
  for (guint i = 0; i < incidence->n_equations; i++)
    {
      for (guint j = get_first (incidence, i); j < get_first (incidence, i + 1); j++)
        weir_incidence_add (&chains, chain_of[get_column (incidence, j)]);
      weir_incidence_end_equation (&chains);
    }
  n_pairs = weir_incidence_match (&chains, chains.n_equations, unknown_of, equation_of);
  weir_incidence_clear (&chains);
  return n_pairs == incidence->n_equations;
}

static guint
differentiate_variable (Pantelides *self, guint variable)
{
  if (at (self->derivative_of, variable) == WEIR_UNMATCHED)
    {
      g_array_index (self->derivative_of, guint, variable) = self->derivative_of->len;
      append (self->derivative_of, WEIR_UNMATCHED);
      append (self->assigned, WEIR_UNMATCHED);
    }
  return at (self->derivative_of, variable);
}

static void
append_once (GArray *array, guint value)
{
  for (guint i = 0; i < array->len; i++)
    if (at (array, i) == value)
      return;
  append (array, value);
}

static void
differentiate_equation (Pantelides *self, guint equation)
{
  GArray *columns = g_array_new (FALSE, FALSE, sizeof (guint));
  const GArray *old = g_array_index (self->columns, GArray *, equation);

  for (guint i = 0; i < old->len; i++)
    {
      append_once (columns, at (old, i));
      append_once (columns, differentiate_variable (self, at (old, i)));
    }
  g_array_index (self->next, guint, equation) = self->next->len;
  append (self->next, WEIR_UNMATCHED);
  append (self->origin, at (self->origin, equation));
  g_array_append_val (self->columns, columns);
}

/* Searches an assignment for @start among the highest derivatives, marking what it meets. */
static gboolean
assign_highest (Pantelides *self, guint start, gboolean *seen_equations, gboolean *seen_variables)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Step));
  Step first = { start, 0 };

  seen_equations[start] = TRUE;
  g_array_append_val (stack, first);
  while (stack->len > 0)
    {
      Step *top = &g_array_index (stack, Step, stack->len - 1);
      const GArray *columns = g_array_index (self->columns, GArray *, top->equation);
      guint variable, holder;
      Step step;

      if (top->next == columns->len)
        {
          g_array_set_size (stack, stack->len - 1);
          continue;
        }
      variable = at (columns, top->next++);
      if (at (self->derivative_of, variable) != WEIR_UNMATCHED || seen_variables[variable])
        continue;
      seen_variables[variable] = TRUE;
      holder = at (self->assigned, variable);
      if (holder == WEIR_UNMATCHED)
        {
          for (guint i = 0; i < stack->len; i++)
            {
              const Step *on_path = &g_array_index (stack, Step, i);
              const GArray *row = g_array_index (self->columns, GArray *, on_path->equation);

              g_array_index (self->assigned, guint,
                             at (row, on_path->next - 1)) = on_path->equation;
            }
          return TRUE;
        }
      seen_equations[holder] = TRUE;
      step = (Step) { holder, 0 };
      g_array_append_val (stack, step);
    }
  return FALSE;
}

static void
free_columns (gpointer data)
{
  g_array_unref (*(GArray **) data);
}

gboolean
weir_incidence_find_index (const WeirIncidence *incidence, const guint *derivative_of,
                           guint *counts)
{
  Pantelides self;
  gboolean is_fine = TRUE;
  guint n_rounds = 0;

  for (guint i = 0; i < incidence->n_equations; i++)
    counts[i] = 0;
  if (!can_determine_all (incidence, derivative_of))
    return FALSE;
  self.derivative_of = g_array_new (FALSE, FALSE, sizeof (guint));
  self.assigned = g_array_new (FALSE, FALSE, sizeof (guint));
  self.next = g_array_new (FALSE, FALSE, sizeof (guint));
  self.origin = g_array_new (FALSE, FALSE, sizeof (guint));
  self.columns = g_array_new (FALSE, FALSE, sizeof (GArray *));
  g_array_set_clear_func (self.columns, free_columns);
  for (guint i = 0; i < incidence->n_unknowns; i++)
    {
      append (self.derivative_of, derivative_of[i]);
      append (self.assigned, WEIR_UNMATCHED);
    }
  for (guint i = 0; i < incidence->n_equations; i++)
    {
      GArray *columns = g_array_new (FALSE, FALSE, sizeof (guint));

      for (guint j = get_first (incidence, i); j < get_first (incidence, i + 1); j++)
        append (columns, get_column (incidence, j));
      g_array_append_val (self.columns, columns);
      append (self.next, WEIR_UNMATCHED);
      append (self.origin, i);
    }

  for (guint i = 0; is_fine && i < incidence->n_equations; i++)
    {
      guint equation = i;

      for (;;)
        {
          guint n_equations = self.next->len, n_variables = self.derivative_of->len;
          g_autofree gboolean *seen_equations = g_new0 (gboolean, n_equations);
          g_autofree gboolean *seen_variables = g_new0 (gboolean, n_variables);

          if (assign_highest (&self, equation, seen_equations, seen_variables))
            break;
          /* Each round raises the index of something; no model needs this many. */
          if (++n_rounds > 100 + 4 * incidence->n_equations)
            {
              is_fine = FALSE;
              break;
            }
          for (guint j = 0; j < n_variables; j++)
            if (seen_variables[j])
              differentiate_variable (&self, j);
          for (guint j = 0; j < n_equations; j++)
            if (seen_equations[j])
              {
                differentiate_equation (&self, j);
                counts[at (self.origin, j)]++;
              }
          for (guint j = 0; j < n_variables; j++)
            if (seen_variables[j] && at (self.assigned, j) != WEIR_UNMATCHED)
              g_array_index (self.assigned, guint,
                             at (self.derivative_of, j)) = at (self.next, at (self.assigned, j));
          equation = at (self.next, equation);
        }
    }
  g_array_unref (self.derivative_of);
  g_array_unref (self.assigned);
  g_array_unref (self.next);
  g_array_unref (self.origin);
  g_array_unref (self.columns);
  return is_fine;
}
