/* Code of a whole right-hand side: what a trial time and state put out of date, entry by entry, and
 * what their coming and going changes of flags and counters. See evaluator-private.h and
 * calc-native.h.
 *
 * What depends on neither stays as it is, and is read where it lies. Kernels are said by their
 * templates, other calculations list themselves; where one cannot, there is no such code. Whether
 * every number that must be finite is so is found by adding them up. Where all of the plan is
 * kernels and nothing of it stays, running it at one go takes the code's place.
 */
#include "system/evaluation/evaluator-private.h"

#include <string.h>

#include "base/finite.h"
#include "base/sync.h"
#include "system/evaluation/calc-native.h"
#include "system/evaluation/template.h"

#define MOST_ENTRIES 4096 /* some 100 KB of code */
#define MOST_ITEMS 60000  /* of the list, so that making one costs little */
#define MOST_WORDS 1000   /* of flags that change */

#define N_SUMS 4
#define FEW 8 /* that no sum is made of */
/* So many derivatives are looked at once they are all there: a sum that takes them one by one waits
 * longer for itself. */
#define MANY_STATES 128

struct _WeirListing {
  const WeirEvaluator *evaluator;
  WeirNativeBuilder *builder;
  WeirNativeValue time;
  GArray *finite;     /* WeirNativeValue: what must be finite */
  gboolean is_direct; /* derivatives go to the solver's vector alone */
  guint32 entry;      /* under way */
};

/* --- What calculations list ------------------------------------------------------------------ */

static const WeirNodeInfo *
get_node (const WeirListing *self)
{
  const WeirLayout *layout = self->evaluator->layout;

  return &layout->nodes[layout->node_of[self->entry]];
}

WeirCalcFunc
weir_listing_get_calc (const WeirListing *self)
{
  return self->evaluator->code[self->entry]->calc;
}

guint
weir_listing_get_input_size (const WeirListing *self, WeirInput in)
{
  return weir_shape_input (get_node (self)->shape, in.i)->size;
}

guint
weir_listing_get_index (const WeirListing *self)
{
  return self->evaluator->layout->local_of[self->entry];
}

gconstpointer
weir_listing_get_data (const WeirListing *self)
{
  return get_node (self)->shape->data;
}

WeirNativeBuilder *
weir_listing_get_builder (const WeirListing *self)
{
  return self->builder;
}

static WeirNativeValue
load (const WeirListing *self, WeirAddress address, guint element)
{
  if (address.space == WEIR_SPACE_TIME)
    return self->time;
  return weir_native_load (self->builder,
                           address.space == WEIR_SPACE_ARENA ? WEIR_CODE_BASE_ARENA
                                                             : WEIR_CODE_BASE_STATE,
                           address.offset + element);
}

static WeirNativeValue
load_slot (const WeirListing *self, guint32 slot, guint element)
{
  return load (self, (WeirAddress) { .space = WEIR_SPACE_ARENA, .offset = slot }, element);
}

WeirNativeValue
weir_listing_load_input (const WeirListing *self, WeirInput in, guint element)
{
  const WeirLayout *layout = self->evaluator->layout;

  return load (self,
               weir_layout_address (layout, layout->inputs[get_node (self)->first_input + in.i]),
               element);
}

WeirNativeValue
weir_listing_load_parameter (const WeirListing *self, WeirParameter parameter, guint element)
{
  return load_slot (
      self,
      self->evaluator->layout->parameter_slots[get_node (self)->first_parameter + parameter.i],
      element);
}

WeirNativeValue
weir_listing_load_discrete (const WeirListing *self, WeirGroup group, guint element)
{
  return load_slot (
      self, self->evaluator->layout->group_slots[get_node (self)->first_group + group.i], element);
}

WeirNativeValue
weir_listing_load_cached (const WeirListing *self, WeirCached entry, guint element)
{
  const WeirLayout *layout = self->evaluator->layout;

  return load_slot (
      self, layout->value_offset[layout->entry_of_local[get_node (self)->first_entry + entry.i]],
      element);
}

WeirNativeValue
weir_listing_load_z (const WeirListing *self, guint element)
{
  const WeirNodeInfo *node = get_node (self);

  return load (self,
               (WeirAddress) { .space = WEIR_SPACE_STATE,
                               .offset = node->state_offset + node->shape->nq + node->shape->nv },
               element);
}

WeirNativeValue
weir_listing_load_time (const WeirListing *self)
{
  return self->time;
}

WeirNativeValue
weir_listing_load_accuracy (const WeirListing *self)
{
  return load_slot (self, WEIR_ARENA_ACCURACY, 0);
}

void
weir_listing_insist_on_finite (WeirListing *self, WeirNativeValue value)
{
  g_array_append_val (self->finite, value);
}

static gboolean
is_derivative (const WeirListing *self, guint32 entry)
{
  return weir_layout_decl (self->evaluator->layout, entry)->kind == WEIR_ENTRY_DERIVATIVES;
}

static void
store_derivative (WeirListing *self, guint32 i, WeirNativeValue value)
{
  weir_native_store (self->builder, WEIR_CODE_BASE_DERIVATIVES, i, value);
  if (self->evaluator->layout->n_states < MANY_STATES)
    weir_listing_insist_on_finite (self, value);
}

void
weir_listing_store (WeirListing *self, guint element, WeirNativeValue value)
{
  const WeirLayout *layout = self->evaluator->layout;
  guint32 place = layout->value_offset[self->entry] + element;

  if (!is_derivative (self, self->entry) || !self->is_direct)
    weir_native_store (self->builder, WEIR_CODE_BASE_ARENA, place, value);
  if (!is_derivative (self, self->entry))
    return;
  store_derivative (self, place - (guint32) layout->arena.xdot, value);
}

void
weir_listing_store_finite (WeirListing *self, guint element, WeirNativeValue value)
{
  weir_listing_store (self, element, value);
  if (!is_derivative (self, self->entry))
    weir_listing_insist_on_finite (self, value);
}

/* --- Making ---------------------------------------------------------------------------------- */

static gboolean
list_kernel (WeirListing *self, WeirKernel kernel)
{
  const WeirLayout *layout = self->evaluator->layout;
  const WeirEntryDecl *decl = weir_layout_decl (layout, self->entry);
  const WeirAddress *addresses = layout->operands + layout->operand_first[self->entry];
  const WeirTemplate *template;

  if (decl->n_depends > WEIR_TEMPLATE_MAX_OPERANDS)
    return FALSE;
  template = weir_template_get (kernel, decl->n_depends, decl->variant);
  if (template == NULL)
    return FALSE;
  for (guint i = 0; i < decl->size; i++)
    {
      WeirNativeValue operands[WEIR_TEMPLATE_MAX_OPERANDS];

      for (guint k = 0; k < decl->n_depends; k++)
        operands[k] = load (self, addresses[k], decl->broadcast[k] ? 0 : i);
      weir_listing_store (self, i, weir_template_build (template, self->builder, operands));
    }
  return TRUE;
}

static gboolean
list_entry (WeirListing *self)
{
  const WeirLayout *layout = self->evaluator->layout;
  const WeirEntryCode *code = self->evaluator->code[self->entry];
  const WeirSystem *leaf = self->evaluator->systems[layout->node_of[self->entry]];

  if (weir_layout_decl (layout, self->entry)->type != NULL || weir_bit (layout->lazy, self->entry))
    return FALSE;
  if (code == NULL) /* a diagram's own: it lies where its children's are */
    return weir_layout_decl (layout, self->entry)->kind != WEIR_ENTRY_ENERGY;
  if (code->kernel != NULL)
    return list_kernel (self, code->kernel);
  return leaf->list != NULL && leaf->list (self);
}

/* Derivatives that stay as they are. */
static void
list_others (WeirListing *self, const guint64 *moving)
{
  const WeirLayout *layout = self->evaluator->layout;
  g_autofree guint64 *written = g_new0 (guint64, layout->n_states / 64 + 1);

  for (guint32 e = 0; e < layout->n_entries; e++)
    if (weir_bit (moving, e) && self->evaluator->code[e] != NULL && is_derivative (self, e))
      for (guint i = 0; i < weir_layout_decl (layout, e)->size; i++)
        weir_bit_set (written, layout->value_offset[e] + i - (guint32) layout->arena.xdot);
  for (guint32 i = 0; i < layout->n_states; i++)
    if (!weir_bit (written, i))
      store_derivative (
          self, i,
          weir_native_load (self->builder, WEIR_CODE_BASE_ARENA, (guint32) layout->arena.xdot + i));
}

/* A sum of numbers of which one is not finite is not finite either. The code makes it because
 * reading them again costs more than computing many of them, and at its end, so that no sum waits
 * in a register; those that wait for each other are few. */
static WeirNativeValue
list_sum (const WeirListing *self, const WeirNativeValue *values, guint n)
{
  WeirNativeValue sums[N_SUMS];

  memcpy (sums, values, sizeof sums);
  for (guint i = N_SUMS; i < n; i++)
    sums[i % N_SUMS] = weir_native_binary (self->builder, WEIR_NATIVE_ADD, sums[i % N_SUMS],
                                           values[i]);
  for (guint i = 1; i < N_SUMS; i++)
    sums[0] = weir_native_binary (self->builder, WEIR_NATIVE_ADD, sums[0], sums[i]);
  return sums[0];
}

static void
list_look (const WeirListing *self)
{
  guint n_states = self->evaluator->layout->n_states;
  const WeirNativeValue *values;

  weir_native_keep_telling (self->builder, self->finite);
  values = (const WeirNativeValue *) (gconstpointer) self->finite->data;
  if (self->finite->len > FEW)
    weir_native_look_at (self->builder, list_sum (self, values, self->finite->len));
  else
    for (guint i = 0; i < self->finite->len; i++)
      weir_native_look_at (self->builder, values[i]);
  if (self->finite->len > 0)
    weir_native_insist_on_finite (self->builder, self->time);
  if (n_states >= MANY_STATES)
    weir_native_insist_on (self->builder, weir_all_finite_long, n_states,
                           WEIR_CODE_BASE_DERIVATIVES, self->time);
}

/* What rhs.c does in turn: two change events that begin at @source and reach @reached, and a
 * request that computes @moving. */
static void
list_events (const WeirListing *self, guint32 source, const guint64 *moving, const guint64 *reached)
{
  const WeirLayout *layout = self->evaluator->layout;
  WeirNativeBuilder *builder = self->builder;

  weir_native_add_to_word (builder, WEIR_CODE_BASE_ARENA, WEIR_ARENA_N_EVENTS, 2);
  weir_native_copy_word (builder, WEIR_CODE_BASE_ARENA, WEIR_ARENA_N_EVENTS,
                         layout->arena.source_last + source);
  weir_native_add_to_word (builder, WEIR_CODE_BASE_ARENA, layout->arena.source_events + source, 2);
  for (guint32 w = 0; w < layout->n_words; w++)
    if (reached[w] != 0)
      weir_native_set_bits (builder, WEIR_CODE_BASE_ARENA, layout->arena.stale + w, reached[w]);
  for (guint32 e = 0, end; e < layout->n_entries; e = end + 1)
    {
      end = weir_scan_find_end (moving, moving, e, layout->n_entries);
      if (end == e)
        continue;
      weir_native_add_to_word (builder, WEIR_CODE_BASE_ARENA, layout->arena.calc_steps + e, 1);
      weir_native_add_to_word (builder, WEIR_CODE_BASE_ARENA, layout->arena.calc_steps + end, -1);
    }
  weir_native_add_to_word (builder, WEIR_CODE_BASE_CONTEXT,
                           G_STRUCT_OFFSET (WeirContext, until_timed) / sizeof (guint64), -1);
  weir_native_add_to_word (builder, WEIR_CODE_BASE_ARENA,
                           layout->arena.reads + self->evaluator->derivatives, 1);
}

/* What of the plan stays as it is must be up to date. */
static void
list_rest (const WeirListing *self, const guint64 *rest)
{
  const WeirLayout *layout = self->evaluator->layout;

  for (guint32 w = 0; w < layout->n_words; w++)
    if (rest[w] != 0)
      weir_native_insist_on_clear (self->builder, WEIR_CODE_BASE_ARENA, layout->arena.stale + w,
                                   rest[w], self->time);
}

static WeirNativeCode *
make_code (const WeirEvaluator *evaluator, WeirNativeUsual in_turn, guint32 source,
           const guint64 *moving, const guint64 *rest, const guint64 *reached, gboolean is_direct)
{
  WeirListing self = { .evaluator = evaluator, .is_direct = is_direct };
  WeirNativeCode *code = NULL;
  gboolean is_possible = TRUE;

  self.builder = weir_native_builder_new_usual (in_turn, G_STRUCT_OFFSET (WeirContext, arena));
  self.time = source == WEIR_SOURCE_STATE
                  ? weir_native_load (self.builder, WEIR_CODE_BASE_ARENA, WEIR_ARENA_TIME)
                  : weir_native_argument (self.builder);
  self.finite = g_array_new (FALSE, FALSE, sizeof (WeirNativeValue));
  list_rest (&self, rest);
  for (; is_possible && self.entry < evaluator->layout->n_entries; self.entry++)
    if (weir_bit (moving, self.entry))
      is_possible = list_entry (&self)
                    && weir_native_builder_get_n_items (self.builder) <= MOST_ITEMS;
  if (is_possible)
    {
      list_others (&self, moving);
      list_look (&self);
      list_events (&self, source, moving, reached);
      code = weir_native_builder_end (self.builder);
    }
  weir_native_builder_free (self.builder);
  g_array_unref (self.finite);
  return code;
}

static guint64 *
find_reached (const WeirLayout *layout, guint32 source)
{
  guint64 *reached = g_new0 (guint64, MAX (layout->n_words, 1));
  g_autofree guint64 *scratch = g_new0 (guint64, MAX (layout->n_words, 1));

  weir_masks_sweep (layout->masks, source, reached, scratch);
  return reached;
}

/* @source: of the event. @only_rest: a plan that is computed whole has none. */
static WeirTrialCode
trial_code_make (const WeirEvaluator *evaluator, WeirNativeUsual in_turn, WeirNativeUsual whole,
                 guint32 source, gboolean only_rest)
{
  const WeirLayout *layout = evaluator->layout;
  g_autofree guint64 *reached = find_reached (layout, source), *moving = NULL, *rest = NULL;
  WeirTrialCode self = { NULL };
  guint32 n = 0, n_rest = 0, n_reached_words = 0;

  moving = g_new0 (guint64, MAX (layout->n_words, 1));
  rest = g_new0 (guint64, MAX (layout->n_words, 1));
  for (guint32 w = 0; w < layout->n_words; w++)
    {
      moving[w] = evaluator->plan[w] & reached[w];
      rest[w] = evaluator->plan[w] & ~moving[w];
      n_reached_words += reached[w] != 0;
      n += (guint32) __builtin_popcountll (moving[w]);
      n_rest += (guint32) __builtin_popcountll (rest[w]);
    }
  if (layout->n_states == 0)
    return self;
  if (n_rest == 0 && evaluator->plan_is_direct && evaluator->plan_calls->len > 0)
    self.func = whole;
  if (n > MOST_ENTRIES || n_reached_words > MOST_WORDS || evaluator->spread != NULL
      || (only_rest && n_rest == 0))
    return self;
  /* What is in the arena does not tell by which way it came there. */
  self.code = make_code (evaluator, in_turn, source, moving, rest, reached,
                         evaluator->plan_is_direct && n_rest == 0);
  if (self.code != NULL)
    self.func = weir_native_code_get_usual (self.code);
  return self;
}

static WeirTrialCodes *
trial_codes_new (const WeirEvaluator *evaluator, WeirNativeUsual in_turn, WeirNativeUsual whole)
{
  WeirTrialCodes *self = g_new0 (WeirTrialCodes, 1);
  const WeirNativePlan *plan = weir_native_plan_make (evaluator);
  gboolean has_list = evaluator->plan_calls->len > 0;
  gboolean only_rest = has_list && !(plan->has_code && plan->whole != NULL);

  if (!weir_native_is_on () || weir_native_is_refused () || evaluator->derivatives == WEIR_NO_INDEX
      || evaluator->plan_is_lazy)
    return self;
  self->at[FALSE] = trial_code_make (evaluator, in_turn, whole, WEIR_SOURCE_TIME_STATE, only_rest);
  self->at[TRUE] = trial_code_make (evaluator, in_turn, whole, WEIR_SOURCE_STATE, only_rest);
  return self;
}

const WeirTrialCodes *
weir_trial_codes_make (const WeirEvaluator *evaluator, WeirNativeUsual in_turn,
                       WeirNativeUsual whole)
{
  WeirNativeSlot *slot = evaluator->native;
  WeirTrialCodes *made = trial_codes_new (evaluator, in_turn, whole);

  /* What @in_turn marks is made with it: one that stands in for a code now and then allocates
   * nothing. */
  weir_masks_keep (evaluator->layout->masks, WEIR_SOURCE_TIME_STATE);
  weir_masks_keep (evaluator->layout->masks, WEIR_SOURCE_STATE);
  weir_sync_lock (&slot->mutex);
  if (slot->trials == NULL)
    g_atomic_pointer_set (&slot->trials, g_steal_pointer (&made));
  weir_sync_unlock (&slot->mutex);
  weir_trial_codes_free (made);
  return slot->trials;
}

void
weir_trial_codes_free (WeirTrialCodes *self)
{
  if (self == NULL)
    return;
  for (guint k = 0; k < G_N_ELEMENTS (self->at); k++)
    weir_native_code_free (self->at[k].code);
  g_free (self);
}
