/* Random models of blocks from the library, whose inputs are all scalars: what their tests share.
 * Which blocks there are, and how they are wired, is each test's own.
 */
#pragma once

#include <string.h>

#include "blocks/library/registry.h"
#include "system/structure/diagram.h"

typedef struct {
  const char *type;
  const char *pairs[10]; /* parameters and their texts */
  gboolean is_state;     /* its output does not depend on its input at the same instant */
} RandomKind;

typedef struct {
  WeirDiagramBuilder *builder;
  GString *names; /* of the blocks and, as numbers, of those they are wired to */
  guint n;        /* blocks */
} RandomModel;

static inline RandomModel
random_model_begin (void)
{
  return (RandomModel) { weir_diagram_builder_new (), g_string_new (NULL), 0 };
}

static inline const char *
random_model_get_text (const char *parameter, gpointer data)
{
  const RandomKind *kind = data;

  for (guint i = 0; kind->pairs[i] != NULL; i += 2)
    if (strcmp (kind->pairs[i], parameter) == 0)
      return kind->pairs[i + 1];
  return NULL;
}

/* Adds the next block, of that kind. @n_inputs: how many are to be wired. */
static inline void
random_model_add (RandomModel *self, const RandomKind *kind, guint *n_inputs)
{
  const WeirBlockType *type = weir_registry_find (kind->type);
  g_autofree char *name = g_strdup_printf ("b%u", self->n++);
  g_autoptr (WeirArguments) arguments = NULL;
  g_autoptr (WeirSystem) block = NULL;
  g_autoptr (GArray) inputs = NULL;
  g_autoptr (GError) error = NULL;
  guint sizes[16];

  g_assert_nonnull (type);
  for (guint i = 0; kind->pairs[i] != NULL; i += 2)
    if (weir_block_type_find_parameter (type, kind->pairs[i]) == NULL)
      g_error ("%s has no parameter %s", kind->type, kind->pairs[i]);
  arguments = weir_arguments_new (type, random_model_get_text, (gpointer) kind, &error);
  g_assert_no_error (error);
  inputs = weir_arguments_list_inputs (arguments);
  g_assert_cmpuint (inputs->len, <, G_N_ELEMENTS (sizes));
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    sizes[i] = 1;
  *n_inputs = inputs->len;
  block = type->build (arguments, sizes, &error);
  g_assert_no_error (error);
  weir_diagram_builder_add (self->builder, name, block);
  g_string_append_printf (self->names, " %s", kind->type);
}

/* Wires block @from to input @k of block @to. */
static inline void
random_model_wire (RandomModel *self, guint from, guint to, guint k)
{
  g_string_append_printf (self->names, " %u-%u.%u", from, to, k);
  weir_diagram_builder_connect (self->builder, (WeirChild) { from }, (WeirOutput) { 0 },
                                (WeirChild) { to }, (WeirInput) { (guint16) k });
}

/* (transfer full) The model; its blocks and wires are printed. */
static inline WeirSystem *
random_model_end (RandomModel *self)
{
  g_autoptr (GError) error = NULL;
  WeirSystem *system = weir_diagram_builder_build (self->builder, &error);

  g_assert_no_error (error);
  g_test_message ("%s", self->names->str);
  g_string_free (self->names, TRUE);
  return system;
}
