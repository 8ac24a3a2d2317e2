/* A block made from texts, alone in a context of its own: what the tests of engine/blocks share. */
#pragma once

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "blocks/library/registry.h"
#include "system/evaluation/eval.h"
#include "system/evaluation/event.h"

#define SCALAR ((const guint[]) { 1 }) /* the sizes of one scalar input */
/* The result of correctly rounded operations in another order: a few units in the last place. */
#define ROUNDING (8 * DBL_EPSILON)

/* Parameter names and texts in turn, ended by NULL. */
static const char *
fixture_get_text (const char *parameter, gpointer data)
{
  const char *const *pairs = data;

  for (; pairs != NULL && *pairs != NULL; pairs += 2)
    if (strcmp (pairs[0], parameter) == 0)
      return pairs[1];
  return NULL;
}

#define PAIRS(...) ((const char *const[]) { __VA_ARGS__, NULL })

static inline WeirArguments *
fixture_arguments (const char *type, const char *const *pairs)
{
  g_autoptr (GError) error = NULL;
  WeirArguments *arguments = weir_arguments_new (weir_registry_find (type), fixture_get_text,
                                                 (gpointer) pairs, &error);

  g_assert_no_error (error);
  return arguments;
}

/* @sizes: of its inputs. */
static inline WeirSystem *
fixture_build (const char *type, const char *const *pairs, const guint *sizes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirArguments) arguments = fixture_arguments (type, pairs);
  WeirSystem *system = weir_arguments_get_type (arguments)->build (arguments, sizes, &error);

  g_assert_no_error (error);
  return system;
}

typedef struct {
  WeirSystem *system;
  WeirContext *context;
} Block;

static inline Block
block_new (const char *type, const char *const *pairs, const guint *sizes)
{
  WeirSystem *system = fixture_build (type, pairs, sizes);

  return (Block) { system, weir_system_create_context (system) };
}

static inline void
block_clear (Block *block)
{
  weir_context_free (block->context);
  weir_system_unref (block->system);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Block, block_clear)

static inline void
block_fix (Block *block, guint in, double value)
{
  weir_context_fix_input (block->context, WEIR_ROOT, (WeirInput) { (guint16) in }, &value);
}

static inline const double *
block_eval (Block *block, guint out)
{
  const double *value = weir_eval_output (block->system, block->context, WEIR_ROOT,
                                          (WeirOutput) { (guint16) out });

  if (value == NULL)
    g_error ("%s", weir_context_get_failure (block->context));
  return value;
}

/* The value of a scalar output at a time. */
static inline double
block_at (Block *block, double time)
{
  weir_context_set_time (block->context, time);
  return block_eval (block, 0)[0];
}

static inline void
block_set_parameter (Block *block, const char *name, double value)
{
  WeirParameter parameter;
  guint size;

  g_assert_true (weir_layout_find_parameter (weir_context_get_layout (block->context), WEIR_ROOT,
                                             name, &parameter, &size));
  g_assert_cmpuint (size, ==, 1);
  weir_context_set_parameter (block->context, WEIR_ROOT, parameter, &value);
}

/* Handles event @n of the only declaration and takes up the new state. */
static inline void
block_update (Block *block, gint64 n)
{
  WeirUpdates *updates = weir_updates_new (block->system);

  g_assert_cmpuint (weir_system_get_n_events (block->system), ==, 1);
  g_assert_cmpint (weir_updates_call (updates, block->context, 0, &(WeirOccurrence) { .n = n }), ==,
                   WEIR_OK);
  g_assert_cmpint (weir_updates_apply (updates, block->context), ==, WEIR_OK);
  weir_updates_free (updates);
}

/* The first output of a block with one input, at @u. */
static inline double
of (Block *block, double u)
{
  block_fix (block, 0, u);
  return block_eval (block, 0)[0];
}
