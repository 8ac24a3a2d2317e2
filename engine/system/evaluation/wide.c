/* Wide evaluation. See wide.h.
 *
 * What is to be computed is listed once, as calls of kernels in the order of entries: calls of what
 * changes with neither time nor state are made when a lane is loaded. Values have rows where they
 * are read or computed, in the order of the arena, so that what lies in a row there does so here,
 * and entries side by side whose operands are too are one call when all lanes are in use. For what
 * has few entries the calls for the derivatives become code for a few lanes, in which values stay
 * in registers.
 */
#include "system/evaluation/wide.h"

#include <string.h>

#include "native/native.h"
#include "system/evaluation/evaluator-private.h"
#include "system/evaluation/template.h"

#define LANES 8           /* that are computed together */
#define MOST_OF_CODE 1000 /* values; calls for all lanes read less code */

/* Where rows are. */
typedef enum {
  ROWS_VALUES,
  ROWS_STATE,
  ROWS_TIME,
  ROWS_DERIVATIVES,
  N_ROWS,
} Rows;

typedef struct {
  Rows rows;
  guint32 row;
  guint32 stride; /* rows from one value to the next */
} Operand;

typedef struct {
  WeirKernel kernel; /* NULL: the entry is computed lane by lane */
  guint64 variant;
  guint32 first_operand;
  guint32 n_operands;
  Rows rows; /* of the results, which lie in a row */
  guint32 row, n;
  gboolean is_regular; /* so do all operands */
  guint32 segment, entry;
  guint32 first_copy, n_copies; /* lane by lane: what it reads of other entries */
} Call;

/* What runs lane by lane finds in the lane's context. */
typedef struct {
  guint32 row, offset; /* here, in the arena */
} Copy;

typedef struct {
  guint32 offset, row; /* in the arena, here */
} Load;

/* Where the rows are. */
typedef struct {
  const double *in[N_ROWS];
  double *out[N_ROWS];
} Places;

struct _WeirWide {
  WeirSystem *root;
  guint width;
  guint32 n_rows, n_states;
  GArray *operands;                          /* Operand */
  GArray *constants, *derivatives, *outputs; /* Call */
  GArray *loads;                             /* Load */
  GArray *ports;                             /* Operand */
  guint n_most;                              /* operands of a call */
  double *values;                            /* n_rows x width, 64-byte aligned */
  GArray *copies;                            /* Copy */
  gboolean is_mixed;                         /* some calls are made lane by lane */
  guint most_size;                           /* of their results */
  WeirContext **contexts;                    /* by lane; NULL: none */
  guint32 *n_nested;                         /* by lane: undeclared reads, when it was loaded */
  gboolean *has_failed;                      /* by lane */
  double *columns;                           /* their states */
  double *result;                            /* of one call for one lane */
  double *spare;                             /* n_states x width: derivatives nobody asked for */
  gpointer memory;
  gboolean is_code_made, interprets;
  WeirNativeCode *code; /* of the derivatives; NULL: none, or not made yet */
};

/* --- Building -------------------------------------------------------------------------------- */

typedef struct {
  WeirWide *wide;
  const WeirEvaluator *evaluator;
  const WeirLayout *layout;
  guint64 *for_derivatives, *for_outputs; /* entries */
  guint64 *changing;                      /* with time or state */
  guint64 *used, *computed;               /* words of the arena */
  guint32 *row_of;                        /* the same */
} Maker;

static gboolean
is_derivative (const WeirLayout *layout, guint32 offset)
{
  return offset >= layout->arena.xdot && offset < layout->arena.xdot + layout->n_states;
}

/* A diagram's own derivatives are those of its children. */
static gboolean
is_idle (const Maker *m, guint32 e)
{
  return m->evaluator->code[e] == NULL
         && weir_layout_decl (m->layout, e)->kind != WEIR_ENTRY_ENERGY;
}

/* Derivatives that others read would have to be kept for them. */
static gboolean
reads_derivatives (const WeirLayout *layout, guint32 e)
{
  for (guint32 k = layout->operand_first[e]; k < layout->operand_first[e + 1]; k++)
    if (layout->operands[k].space == WEIR_SPACE_ARENA
        && is_derivative (layout, layout->operands[k].offset))
      return TRUE;
  return FALSE;
}

/* Abstract values have no rows; what is read of them, or undeclared, is found by its context. */
static gboolean
is_by_lane (const Maker *m, guint32 e)
{
  const WeirEntryCode *code = m->evaluator->code[e];

  return code != NULL && code->calc != NULL && m->layout->abstract_slots->len == 0;
}

static gboolean
reads_derivative_entries (const Maker *m, guint32 e)
{
  const WeirLayout *layout = m->layout;

  for (guint32 k = layout->up_first[e]; k < layout->up_first[e + 1] && !is_idle (m, e); k++)
    if (is_derivative (layout, layout->value_offset[layout->ups[k]]))
      return TRUE;
  return FALSE;
}

static gboolean
is_wide (const Maker *m, guint32 e)
{
  const WeirEntryCode *code = m->evaluator->code[e];

  if (is_idle (m, e))
    return TRUE;
  return code != NULL && !weir_bit (m->layout->lazy, e)
         && ((code->kernel != NULL
              && weir_layout_decl (m->layout, e)->n_depends <= WEIR_MAX_OPERANDS_ON_STACK
              && !reads_derivatives (m->layout, e))
             || is_by_lane (m, e));
}

static WeirOrigin
get_origin (const WeirLayout *layout, const WeirPort *port)
{
  const WeirNodeInfo *node = &layout->nodes[port->node.i];

  return port->is_input ? layout->inputs[node->first_input + port->index]
                        : layout->outputs[node->first_output + port->index];
}

static guint
get_size (const WeirLayout *layout, const WeirPort *port)
{
  const WeirShape *shape = layout->nodes[port->node.i].shape;

  return port->is_input ? weir_shape_input (shape, port->index)->size
                        : weir_shape_output (shape, port->index)->size;
}

/* What is needed; FALSE and @obstacle where some of that has no wide form. */
static gboolean
collect (Maker *m, const WeirPort *ports, guint n_ports, WeirEntry *obstacle)
{
  const WeirLayout *layout = m->layout;
  guint32 n_covered = 0;

  if (m->evaluator->derivatives == WEIR_NO_INDEX)
    return FALSE;
  weir_evaluator_collect (layout, NULL, NULL, m->for_derivatives, m->evaluator->derivatives);
  for (guint i = 0; i < n_ports; i++)
    {
      WeirOrigin origin = get_origin (layout, &ports[i]);

      if (origin.kind == WEIR_ORIGIN_ENTRY)
        weir_evaluator_collect (layout, NULL, NULL, m->for_outputs, origin.index);
    }
  for (guint32 e = 0; e < layout->n_entries; e++)
    {
      if (!weir_bit (m->for_derivatives, e) && !weir_bit (m->for_outputs, e))
        continue;
      obstacle->i = e;
      if (!is_wide (m, e) || reads_derivative_entries (m, e))
        return FALSE;
      if (weir_bit (m->for_derivatives, e) && !is_idle (m, e)
          && is_derivative (layout, layout->value_offset[e]))
        n_covered += weir_layout_decl (layout, e)->size;
    }
  return n_covered == layout->n_states;
}

static void
use_words (const Maker *m, guint32 first, guint32 n)
{
  for (guint32 i = first; i < first + n; i++)
    weir_bit_set (m->used, i);
}

/* Marks what a call reads and writes in the arena. */
static void
use_entry (Maker *m, guint32 e)
{
  const WeirLayout *layout = m->layout;
  const WeirEntryDecl *decl = weir_layout_decl (layout, e);
  gboolean is_kernel = m->evaluator->code[e]->kernel != NULL;

  for (guint k = 0; k < decl->n_depends && is_kernel; k++)
    {
      WeirAddress address = layout->operands[layout->operand_first[e] + k];

      if (address.space == WEIR_SPACE_ARENA)
        use_words (m, address.offset, decl->broadcast[k] ? 1 : decl->size);
    }
  for (guint32 k = layout->up_first[e]; k < layout->up_first[e + 1] && !is_kernel; k++)
    use_words (m, layout->value_offset[layout->ups[k]],
               weir_layout_decl (layout, layout->ups[k])->size);
  use_words (m, layout->value_offset[e], decl->size);
  for (guint32 i = 0; i < decl->size; i++)
    weir_bit_set (m->computed, layout->value_offset[e] + i);
}

static Operand
place (const Maker *m, WeirAddress address)
{
  switch ((int) address.space)
    {
    case WEIR_SPACE_STATE:
      return (Operand) { ROWS_STATE, address.offset, 1 };
    case WEIR_SPACE_TIME:
      return (Operand) { ROWS_TIME, 0, 0 };
    default:
      if (is_derivative (m->layout, address.offset))
        return (Operand) { ROWS_DERIVATIVES, address.offset - m->layout->arena.xdot, 1 };
      return (Operand) { ROWS_VALUES, m->row_of[address.offset], 1 };
    }
}

/* Can @call, whose operands are the last, go on from where the call before it ends? */
static gboolean
goes_on (const Maker *m, const Call *before, const Call *call)
{
  if (before->kernel != call->kernel || before->variant != call->variant
      || before->segment != call->segment || before->n_operands != call->n_operands
      || !before->is_regular || !call->is_regular || before->rows != call->rows
      || before->row + before->n != call->row)
    return FALSE;
  for (guint k = 0; k < call->n_operands; k++)
    {
      const Operand *a = &g_array_index (m->wide->operands, Operand, before->first_operand + k);
      const Operand *b = &g_array_index (m->wide->operands, Operand, call->first_operand + k);

      if (a->rows != b->rows || a->row + before->n != b->row)
        return FALSE;
    }
  return TRUE;
}

static void
add_call (Maker *m, GArray *calls, guint32 e)
{
  WeirWide *self = m->wide;
  const WeirLayout *layout = m->layout;
  const WeirEntryDecl *decl = weir_layout_decl (layout, e);
  Operand out = place (m, (WeirAddress) { layout->value_offset[e], WEIR_SPACE_ARENA });
  Call call = {
    .kernel = m->evaluator->code[e]->kernel,
    .variant = decl->variant,
    .first_operand = self->operands->len,
    .n_operands = decl->n_depends,
    .rows = out.rows,
    .row = out.row,
    .n = decl->size,
    .is_regular = TRUE,
    .segment = layout->segment_of[e],
    .entry = e,
  };
  Call *last = calls->len > 0 ? &g_array_index (calls, Call, calls->len - 1) : NULL;

  for (guint k = 0; k < decl->n_depends; k++)
    {
      Operand operand = place (m, layout->operands[layout->operand_first[e] + k]);

      if (decl->size > 1 && decl->broadcast[k])
        operand.stride = 0;
      call.is_regular = call.is_regular && operand.stride == 1;
      g_array_append_val (self->operands, operand);
    }
  self->n_most = MAX (self->n_most, call.n_operands);
  if (last == NULL || !goes_on (m, last, &call))
    {
      g_array_append_val (calls, call);
      return;
    }
  last->n += call.n;
  g_array_set_size (self->operands, call.first_operand);
}

static void
add_call_by_lane (Maker *m, GArray *calls, guint32 e)
{
  WeirWide *self = m->wide;
  const WeirLayout *layout = m->layout;
  Operand out = place (m, (WeirAddress) { layout->value_offset[e], WEIR_SPACE_ARENA });
  Call call = { .rows = out.rows,
                .row = out.row,
                .n = weir_layout_decl (layout, e)->size,
                .segment = layout->segment_of[e],
                .entry = e,
                .first_copy = self->copies->len };

  for (guint32 k = layout->up_first[e]; k < layout->up_first[e + 1]; k++)
    {
      guint32 up = layout->ups[k];

      for (guint32 i = 0; i < weir_layout_decl (layout, up)->size; i++)
        {
          Copy copy = { m->row_of[layout->value_offset[up] + i], layout->value_offset[up] + i };

          g_array_append_val (self->copies, copy);
        }
    }
  call.n_copies = self->copies->len - call.first_copy;
  self->is_mixed = TRUE;
  self->most_size = MAX (self->most_size, call.n);
  g_array_append_val (calls, call);
}

static void
list_call (Maker *m, GArray *calls, guint32 e)
{
  if (m->evaluator->code[e]->kernel != NULL)
    add_call (m, calls, e);
  else
    add_call_by_lane (m, calls, e);
}

static void
list_calls (Maker *m)
{
  WeirWide *self = m->wide;
  const WeirLayout *layout = m->layout;

  for (guint32 e = 0; e < layout->n_entries; e++)
    {
      gboolean for_derivatives = weir_bit (m->for_derivatives, e);
      gboolean for_outputs = weir_bit (m->for_outputs, e);

      if ((!for_derivatives && !for_outputs) || is_idle (m, e))
        continue;
      if (!weir_bit (m->changing, e) && !is_derivative (layout, layout->value_offset[e]))
        {
          list_call (m, self->constants, e);
          continue;
        }
      if (for_derivatives)
        list_call (m, self->derivatives, e);
      if (for_outputs)
        list_call (m, self->outputs, e);
    }
}

static void
number_rows (Maker *m, const WeirPort *ports, guint n_ports)
{
  WeirWide *self = m->wide;
  const WeirLayout *layout = m->layout;

  for (guint32 e = 0; e < layout->n_entries; e++)
    if ((weir_bit (m->for_derivatives, e) || weir_bit (m->for_outputs, e)) && !is_idle (m, e))
      use_entry (m, e);
  for (guint i = 0; i < n_ports; i++)
    {
      WeirAddress address = weir_layout_address (layout, get_origin (layout, &ports[i]));

      if (address.space == WEIR_SPACE_ARENA)
        use_words (m, address.offset, get_size (layout, &ports[i]));
    }
  for (guint32 i = 0; i < layout->arena.end_of_values; i++)
    {
      Load load = { i, self->n_rows };

      if (!weir_bit (m->used, i) || is_derivative (layout, i))
        continue;
      m->row_of[i] = self->n_rows++;
      if (!weir_bit (m->computed, i))
        g_array_append_val (self->loads, load);
    }
}

static void
list_ports (Maker *m, const WeirPort *ports, guint n_ports)
{
  for (guint i = 0; i < n_ports; i++)
    {
      Operand operand = place (m,
                               weir_layout_address (m->layout, get_origin (m->layout, &ports[i])));

      g_array_append_val (m->wide->ports, operand);
    }
}

static void
give_memory (WeirWide *self)
{
  gsize n = ((gsize) self->n_rows + 2 * (gsize) self->n_states) * self->width + self->most_size;

  self->memory = g_malloc0 (n * sizeof (double) + 64);
  self->values = (double *) (((guintptr) self->memory + 63) & ~(guintptr) 63);
  self->spare = self->values + (gsize) self->n_rows * self->width;
  self->columns = self->spare + (gsize) self->n_states * self->width;
  self->result = self->columns + (gsize) self->n_states * self->width;
  self->contexts = g_new0 (WeirContext *, self->width);
  self->n_nested = g_new0 (guint32, self->width);
  self->has_failed = g_new0 (gboolean, self->width);
}

WeirWide *
weir_wide_new (WeirSystem *root, const WeirPort *ports, guint n_ports, guint width,
               WeirEntry *obstacle)
{
  const WeirEvaluator *evaluator = weir_system_get_evaluator (root);
  const WeirLayout *layout = evaluator->layout;
  gsize n_bits = layout->arena.end_of_values / 64 + 1;
  g_autofree guint64 *bits = g_new0 (guint64, 4 * (gsize) MAX (layout->n_words, 1) + 2 * n_bits);
  g_autofree guint32 *row_of = g_new0 (guint32, layout->arena.end_of_values + 1);
  WeirWide *self = g_new0 (WeirWide, 1);
  Maker maker = {
    .wide = self,
    .evaluator = evaluator,
    .layout = layout,
    .for_derivatives = bits,
    .for_outputs = bits + layout->n_words,
    .changing = bits + 2 * (gsize) layout->n_words,
    .used = bits + 4 * (gsize) layout->n_words,
    .computed = bits + 4 * (gsize) layout->n_words + n_bits,
    .row_of = row_of,
  };

  g_return_val_if_fail (width > 0 && width % LANES == 0, NULL);

  self->root = weir_system_ref (root);
  self->width = width;
  self->n_states = layout->n_states;
  self->operands = g_array_new (FALSE, FALSE, sizeof (Operand));
  self->constants = g_array_new (FALSE, FALSE, sizeof (Call));
  self->derivatives = g_array_new (FALSE, FALSE, sizeof (Call));
  self->outputs = g_array_new (FALSE, FALSE, sizeof (Call));
  self->loads = g_array_new (FALSE, FALSE, sizeof (Load));
  self->ports = g_array_new (FALSE, FALSE, sizeof (Operand));
  self->copies = g_array_new (FALSE, FALSE, sizeof (Copy));
  obstacle->i = WEIR_NO_INDEX;
  if (!collect (&maker, ports, n_ports, obstacle))
    {
      weir_wide_free (self);
      return NULL;
    }
  weir_masks_sweep (layout->masks, WEIR_SOURCE_TIME_STATE, maker.changing,
                    bits + 3 * (gsize) layout->n_words);
  number_rows (&maker, ports, n_ports);
  list_calls (&maker);
  list_ports (&maker, ports, n_ports);
  give_memory (self);
  return self;
}

void
weir_wide_free (WeirWide *self)
{
  if (self == NULL)
    return;
  weir_system_unref (self->root);
  weir_native_code_free (self->code);
  g_array_unref (self->operands);
  g_array_unref (self->constants);
  g_array_unref (self->derivatives);
  g_array_unref (self->outputs);
  g_array_unref (self->loads);
  g_array_unref (self->ports);
  g_array_unref (self->copies);
  g_free (self->contexts);
  g_free (self->n_nested);
  g_free (self->has_failed);
  g_free (self->memory);
  g_free (self);
}

/* --- Code ------------------------------------------------------------------------------------ */

G_STATIC_ASSERT (N_ROWS == WEIR_NATIVE_BASES);

/* FALSE: there is no template for it. */
static gboolean
build_call (const WeirWide *self, WeirNativeBuilder *builder, const Call *call)
{
  const WeirTemplate *template = call->kernel != NULL ? weir_template_get (
                                     call->kernel, call->n_operands, call->variant)
                                                      : NULL;
  const Operand *operand = &g_array_index (self->operands, Operand, call->first_operand);

  for (guint32 i = 0; template != NULL && i < call->n; i++)
    {
      WeirNativeValue values[WEIR_MAX_OPERANDS_ON_STACK];

      for (guint k = 0; k < call->n_operands; k++)
        values[k] = weir_native_load (builder, operand[k].rows,
                                      (operand[k].row + i * operand[k].stride) * self->width);
      weir_native_store (builder, call->rows, (call->row + i) * self->width,
                         weir_template_build (template, builder, values));
    }
  return template != NULL;
}

static void
make_code (WeirWide *self)
{
  WeirNativeBuilder *builder = NULL;
  gboolean ok = weir_native_is_on () && !weir_native_is_refused ();
  guint32 n = 0;

  self->is_code_made = TRUE;
  for (guint c = 0; c < self->derivatives->len; c++)
    n += g_array_index (self->derivatives, Call, c).n;
  if (ok && n <= MOST_OF_CODE)
    builder = weir_native_builder_new_wide ();
  for (guint c = 0; builder != NULL && ok && c < self->derivatives->len; c++)
    ok = build_call (self, builder, &g_array_index (self->derivatives, Call, c));
  if (builder != NULL && ok)
    self->code = weir_native_builder_end (builder);
  weir_native_builder_free (builder);
}

/* How many of the lanes from @first on it has computed. */
static guint
run_code (WeirWide *self, const Places *places, guint first, guint n)
{
  WeirNativeFunc func;
  guint done = 0;

  if (G_UNLIKELY (!self->is_code_made))
    make_code (self);
  if (self->code == NULL || self->interprets)
    return 0;
  func = weir_native_code_get_func (self->code);
  for (; done + WEIR_NATIVE_WIDTH <= n; done += WEIR_NATIVE_WIDTH)
    func (places->in[ROWS_VALUES] + first + done, places->in[ROWS_STATE] + first + done,
          places->in[ROWS_TIME] + first + done, places->out[ROWS_DERIVATIVES] + first + done, NULL);
  return done;
}

/* --- Asking ---------------------------------------------------------------------------------- */

gboolean
weir_wide_is_mixed (const WeirWide *self)
{
  return self->is_mixed;
}

gsize
weir_wide_get_lane_size (const WeirWide *self)
{
  return ((gsize) self->n_rows + 2 * (gsize) self->n_states) * sizeof (double);
}

/* --- Running --------------------------------------------------------------------------------- */

/* The contexts answer for the lanes' time and state. */
static void
put_states (const WeirWide *self, const double *t, const double *x, guint first, guint n)
{
  for (guint l = first; l < first + n; l++)
    {
      WeirContext *context = self->contexts[l];
      double *column = self->columns + (gsize) l * self->n_states;

      if (context == NULL)
        continue;
      for (guint32 i = 0; i < self->n_states; i++)
        column[i] = x[(gsize) i * self->width + l];
      context->x = column;
      context->now = t[l];
    }
}

static void
call_by_lane (const WeirWide *self, const Call *call, double *out, guint lane)
{
  const WeirEvaluator *evaluator = weir_system_get_evaluator (self->root);
  WeirContext *context = self->contexts[lane];
  const Copy *copies = &g_array_index (self->copies, Copy, call->first_copy);
  WeirCalc calc;
  WeirStatus status;

  if (context == NULL)
    return;
  for (guint32 i = 0; i < call->n_copies; i++)
    context->arena[copies[i].offset] = self->values[(gsize) copies[i].row * self->width + lane];
  calc = weir_calc_of (evaluator, context, evaluator->layout->node_of[call->entry]);
  calc.entry = call->entry;
  status = evaluator->code[call->entry]->calc (&calc, self->result);
  if (status != WEIR_OK || calc.has_failed || context->n_nested != self->n_nested[lane])
    self->has_failed[lane] = TRUE;
  for (guint32 i = 0; i < call->n; i++)
    out[i * self->width + lane] = self->result[i];
}

static void
make_calls (const WeirWide *self, const GArray *calls, const Places *places, guint first, guint n)
{
  gsize width = self->width;
  const Call *all = (const Call *) (gconstpointer) calls->data;
  const Operand *operands = (const Operand *) (gconstpointer) self->operands->data;
  WeirStream streams[WEIR_MAX_OPERANDS_ON_STACK];
  gboolean is_whole = n == width;

  for (guint c = 0; c < calls->len; c++)
    {
      const Call *call = &all[c];
      const Operand *operand = operands + call->first_operand;
      double *out = places->out[call->rows] + call->row * width + first;
      guint32 n_calls = is_whole && call->is_regular ? 1 : call->n;

      if (call->kernel == NULL)
        {
          for (guint l = 0; l < n; l++)
            call_by_lane (self, call, out - first, first + l);
          continue;
        }
      for (guint k = 0; k < call->n_operands; k++)
        streams[k] = (WeirStream) { places->in[operand[k].rows] + operand[k].row * width + first,
                                    1 };
      for (guint32 i = 0;; out += width)
        {
          call->kernel (streams, call->n_operands, call->variant, out, 1,
                        n_calls == 1 ? (gsize) call->n * n : n);
          if (++i == n_calls)
            break;
          for (guint k = 0; k < call->n_operands; k++)
            streams[k].base += operand[k].stride * width;
        }
    }
}

/* What is read lane by lane of other entries counts as up to date; any other is a read that was not
 * declared. */
static void
mark_copies (const WeirWide *self, WeirContext *context)
{
  const GArray *lists[] = { self->constants, self->derivatives, self->outputs };
  const WeirLayout *layout = context->layout;

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    for (guint c = 0; c < lists[i]->len; c++)
      {
        const Call *call = &g_array_index (lists[i], Call, c);

        for (guint32 k = layout->up_first[call->entry];
             call->kernel == NULL && k < layout->up_first[call->entry + 1]; k++)
          weir_bit_clear (context->stale, layout->ups[k]);
      }
}

WeirContext *
weir_wide_borrow (WeirWide *self, guint lane)
{
  WeirContext *context = self->contexts[lane];

  context->x = context->arena + context->layout->arena.state;
  context->now = context->arena[WEIR_ARENA_TIME];
  if (self->is_mixed)
    weir_context_set_all_out_of_date (context);
  return context;
}

void
weir_wide_give_back (WeirWide *self, guint lane)
{
  WeirContext *context = self->contexts[lane];

  self->n_nested[lane] = context->n_nested;
  if (!self->is_mixed)
    return;
  weir_context_set_all_out_of_date (context);
  mark_copies (self, context);
}

gboolean
weir_wide_load (WeirWide *self, guint lane, WeirContext *context)
{
  const Load *loads = (const Load *) (gconstpointer) self->loads->data;
  Places places = { { [ROWS_VALUES] = self->values }, { [ROWS_VALUES] = self->values } };

  if (weir_context_is (context, (WEIR_MODES_BEYOND_LISTS | WEIR_MODE_LOGGED)
                                    & ~(guint32) (WEIR_MODE_TIMES | WEIR_MODE_FAILED)))
    return FALSE;
  for (guint i = 0; i < self->loads->len; i++)
    self->values[(gsize) loads[i].row * self->width + lane] = context->arena[loads[i].offset];
  self->contexts[lane] = context;
  self->interprets |= weir_context_is (context, WEIR_MODE_INTERPRETS);
  self->has_failed[lane] = FALSE;
  weir_wide_give_back (self, lane);
  make_calls (self, self->constants, &places, lane, 1);
  return TRUE;
}

void
weir_wide_unload (WeirWide *self, guint lane)
{
  if (self->contexts[lane] != NULL)
    weir_wide_borrow (self, lane);
  self->contexts[lane] = NULL;
}

gboolean
weir_wide_take_failure (WeirWide *self, guint lane)
{
  gboolean has_failed = self->has_failed[lane];

  self->has_failed[lane] = FALSE;
  return has_failed;
}

void
weir_wide_move_lane (WeirWide *self, guint from, guint to)
{
  for (gsize i = 0; i < (gsize) self->n_rows * self->width; i += self->width)
    self->values[i + to] = self->values[i + from];
  self->contexts[to] = g_steal_pointer (&self->contexts[from]);
  self->n_nested[to] = self->n_nested[from];
  self->has_failed[to] = self->has_failed[from];
}

void
weir_wide_rhs (WeirWide *self, const double *t, const double *x, double *xdot, guint first, guint n)
{
  Places places = {
    { [ROWS_VALUES] = self->values, [ROWS_STATE] = x, [ROWS_TIME] = t, [ROWS_DERIVATIVES] = xdot },
    { [ROWS_VALUES] = self->values, [ROWS_DERIVATIVES] = xdot },
  };

  guint done;

  if (self->is_mixed)
    put_states (self, t, x, first, n);
  done = run_code (self, &places, first, n);
  if (done < n)
    make_calls (self, self->derivatives, &places, first + done, n - done);
}

void
weir_wide_outputs (WeirWide *self, const double *t, const double *x, guint first, guint n)
{
  Places places = {
    { [ROWS_VALUES] = self->values,
      [ROWS_STATE] = x,
      [ROWS_TIME] = t,
      [ROWS_DERIVATIVES] = self->spare },
    { [ROWS_VALUES] = self->values, [ROWS_DERIVATIVES] = self->spare },
  };

  if (self->is_mixed)
    put_states (self, t, x, first, n);
  make_calls (self, self->outputs, &places, first, n);
}

const double *
weir_wide_get_output (const WeirWide *self, guint port, guint element, const double *t,
                      const double *x)
{
  const Operand *operand = &g_array_index (self->ports, Operand, port);
  const double *const places[N_ROWS] = { [ROWS_VALUES] = self->values,
                                         [ROWS_STATE] = x,
                                         [ROWS_TIME] = t,
                                         [ROWS_DERIVATIVES] = self->spare };

  return places[operand->rows] + ((gsize) operand->row + element) * self->width;
}
