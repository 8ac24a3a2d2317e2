/* Code of a whole right-hand side: what a trial time and state put out of date, entry by entry. See
 * evaluator-private.h and calc-native.h.
 *
 * What depends on neither stays as it is, and is read where it lies. Kernels are said by their
 * templates, other calculations list themselves; where one cannot, there is no such code. Whether
 * every number that must be finite is so is found by adding them up.
 */
#include "system/evaluation/evaluator-private.h"

#include <string.h>

#include "system/evaluation/calc-native.h"
#include "system/evaluation/template.h"

#define MOST_ENTRIES 4096 /* some 100 KB of code */
#define MOST_ITEMS 60000  /* of the list, so that making one costs little */

#define N_SUMS 4
/* So many derivatives are looked at once they are all there: a sum that takes them one by one waits
 * longer for itself. */
#define MANY_STATES 128

struct _WeirListing {
  const WeirEvaluator *evaluator;
  WeirNativeBuilder *builder;
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
  static const guint bases[WEIR_N_SPACES] = { [WEIR_SPACE_ARENA] = WEIR_CODE_BASE_ARENA,
                                              [WEIR_SPACE_STATE] = WEIR_CODE_BASE_STATE,
                                              [WEIR_SPACE_TIME] = WEIR_CODE_BASE_MOMENT };

  return weir_native_load (self->builder, bases[address.space],
                           address.space == WEIR_SPACE_TIME ? WEIR_MOMENT_TIME
                                                            : address.offset + element);
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
  return load (self, (WeirAddress) { .space = WEIR_SPACE_TIME }, 0);
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
static void
list_sum (const WeirListing *self)
{
  const WeirNativeValue *values = (const WeirNativeValue *) (gconstpointer) self->finite->data;
  guint n_sums = MIN (self->finite->len, N_SUMS);
  WeirNativeValue sums[N_SUMS] = { weir_native_number (self->builder, 0.0) };

  memcpy (sums, values, n_sums * sizeof *sums);
  for (guint i = n_sums; i < self->finite->len; i++)
    sums[i % N_SUMS] = weir_native_binary (self->builder, WEIR_NATIVE_ADD, sums[i % N_SUMS],
                                           values[i]);
  for (guint i = 1; i < n_sums; i++)
    sums[0] = weir_native_binary (self->builder, WEIR_NATIVE_ADD, sums[0], sums[i]);
  weir_native_store (self->builder, WEIR_CODE_BASE_MOMENT, WEIR_MOMENT_SUM, sums[0]);
}

static WeirNativeCode *
make_code (const WeirEvaluator *evaluator, const guint64 *moving, gboolean is_direct)
{
  WeirListing self = { .evaluator = evaluator, .is_direct = is_direct };
  WeirNativeCode *code = NULL;
  gboolean is_possible = TRUE;

  self.builder = weir_native_builder_new ();
  self.finite = g_array_new (FALSE, FALSE, sizeof (WeirNativeValue));
  for (; is_possible && self.entry < evaluator->layout->n_entries; self.entry++)
    if (weir_bit (moving, self.entry))
      is_possible = list_entry (&self)
                    && weir_native_builder_get_n_items (self.builder) <= MOST_ITEMS;
  if (is_possible)
    {
      list_others (&self, moving);
      list_sum (&self);
      code = weir_native_builder_end (self.builder);
    }
  weir_native_builder_free (self.builder);
  g_array_unref (self.finite);
  return code;
}

/* The runs of set bits. */
static GArray *
list_ranges (const guint64 *set, guint32 n)
{
  GArray *ranges = g_array_new (FALSE, FALSE, sizeof (WeirEntryRange));

  for (guint32 e = 0, end; e < n; e = end + 1)
    {
      end = weir_scan_find_end (set, set, e, n);
      if (end > e)
        {
          WeirEntryRange range = { e, end };

          g_array_append_val (ranges, range);
        }
    }
  return ranges;
}

static guint64 *
find_moving (const WeirEvaluator *evaluator, guint32 source)
{
  const WeirLayout *layout = evaluator->layout;
  guint64 *moving = g_new0 (guint64, MAX (layout->n_words, 1));
  g_autofree guint64 *scratch = g_new0 (guint64, MAX (layout->n_words, 1));

  weir_masks_sweep (layout->masks, source, moving, scratch);
  for (guint32 w = 0; w < layout->n_words; w++)
    moving[w] &= evaluator->plan[w];
  return moving;
}

WeirTrialCode *
weir_trial_code_new (const WeirEvaluator *evaluator, guint32 source, gboolean only_rest)
{
  const WeirLayout *layout = evaluator->layout;
  g_autofree guint64 *moving = find_moving (evaluator, source), *rest = NULL;
  WeirTrialCode *self;
  WeirNativeCode *code;
  guint32 n = 0, n_rest = 0;

  rest = g_new0 (guint64, MAX (layout->n_words, 1));
  for (guint32 w = 0; w < layout->n_words; w++)
    {
      rest[w] = evaluator->plan[w] & ~moving[w];
      n += (guint32) __builtin_popcountll (moving[w]);
      n_rest += (guint32) __builtin_popcountll (rest[w]);
    }
  if (layout->n_states == 0 || n > MOST_ENTRIES || (only_rest && n_rest == 0))
    return NULL;
  /* What is in the arena does not tell by which way it came there. */
  code = make_code (evaluator, moving, evaluator->plan_is_direct && n_rest == 0);
  if (code == NULL)
    return NULL;
  self = g_new0 (WeirTrialCode, 1);
  self->code = code;
  self->func = weir_native_code_get_func (code);
  self->ranges = list_ranges (moving, layout->n_entries);
  self->rest = g_steal_pointer (&rest);
  self->n_unsummed = layout->n_states < MANY_STATES ? 0 : layout->n_states;
  self->n_rest_words = n_rest == 0 ? 0 : evaluator->derivatives / 64 + 1;
  return self;
}

void
weir_trial_code_free (WeirTrialCode *self)
{
  if (self == NULL)
    return;
  weir_native_code_free (self->code);
  g_array_unref (self->ranges);
  g_free (self->rest);
  g_free (self);
}
