/* Diagrams of blocks of every type that can be generated, for the tests of generated code. */
#pragma once

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

#include "../seeds.h"
#include "blocks/library/registry.h"
#include "generate/generate.h"

typedef struct {
  GString *blocks, *wires;
  guint n_ids;
  GPtrArray *signals; /* char *, of one number each; NULL: blocks are not wired to each other */
} Diagram;

/* Others are structure, or parts of networks. */
static inline gboolean
can_be_generated (const WeirBlockType *type)
{
  return type->build != NULL && weir_generate_find_obstacle (type->name) == NULL;
}

/* A signal of @size numbers that no two inputs share. Returns its block. */
static inline guint
add_source (Diagram *self, guint size)
{
  guint sine = ++self->n_ids, vector, sum;

  g_string_append_printf (self->blocks,
                          "<block id=\"%u\" type=\"Sine\" name=\"Source %u\" x=\"0\" y=\"0\">"
                          "<parameter name=\"amplitude\" value=\"1.5\"/>"
                          "<parameter name=\"bias\" value=\"0.25\"/>"
                          "<parameter name=\"frequency\" value=\"0.%u\"/></block>\n",
                          sine, sine, 2 + sine % 7);
  if (size <= 1)
    return sine;
  vector = ++self->n_ids;
  sum = ++self->n_ids;
  g_string_append_printf (self->blocks,
                          "<block id=\"%u\" type=\"Constant\" name=\"Vector %u\" x=\"0\" y=\"0\">"
                          "<parameter name=\"value\" value=\"[",
                          vector, vector);
  for (guint i = 0; i < size; i++)
    g_string_append_printf (self->blocks, "%s%u", i > 0 ? ", " : "", i + 1);
  g_string_append_printf (self->blocks,
                          "]\"/></block>\n<block id=\"%u\" type=\"Sum\" name=\"Both %u\" x=\"0\" "
                          "y=\"0\"/>\n",
                          sum, sum);
  g_string_append_printf (self->wires, "<wire id=\"%u\" from=\"%u.y\" to=\"%u.in1\"/>\n",
                          ++self->n_ids, sine, sum);
  g_string_append_printf (self->wires, "<wire id=\"%u\" from=\"%u.y\" to=\"%u.in2\"/>\n",
                          ++self->n_ids, vector, sum);
  return sum;
}

/* (transfer full) an output of @size numbers; in a random diagram often that of a block before. */
static inline char *
dup_signal (Diagram *self, guint size)
{
  if (self->signals != NULL && self->signals->len > 0 && size <= 1
      && g_rand_int_range (test_rand, 0, 4) > 0)
    return g_strdup (
        self->signals->pdata[g_rand_int_range (test_rand, 0, (gint32) self->signals->len)]);
  return g_strdup_printf ("%u.y", add_source (self, size));
}

static inline const char *
get_default (const char *parameter, gpointer data)
{
  const WeirBlockType *type = data;

  return weir_block_type_find_parameter (type, parameter)->default_text;
}

static inline void
add_block (Diagram *self, const WeirBlockType *type)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirArguments)
      arguments = weir_arguments_new (type, get_default, (gpointer) type, &error);
  g_autoptr (GArray) inputs = NULL, outputs = NULL;
  guint block = ++self->n_ids;

  g_assert_no_error (error);
  inputs = weir_arguments_list_inputs (arguments);
  outputs = weir_arguments_list_outputs (arguments);
  g_string_append_printf (self->blocks,
                          "<block id=\"%u\" type=\"%s\" name=\"The %s %u\" x=\"0\" y=\"0\"/>\n",
                          block, type->name, type->name, block);
  for (guint i = 0; i < inputs->len; i++)
    {
      const WeirPortSpec *port = &g_array_index (inputs, WeirPortSpec, i);
      guint size = strcmp (type->name, "MatrixGain") == 0 ? 2 : port->size;
      g_autofree char *signal = dup_signal (self, size);

      g_string_append_printf (self->wires, "<wire id=\"%u\" from=\"%s\" to=\"%u.%s\"/>\n",
                              ++self->n_ids, signal, block, port->name);
    }
  for (guint i = 0; i < outputs->len; i++)
    {
      const WeirPortSpec *port = &g_array_index (outputs, WeirPortSpec, i);
      guint display = ++self->n_ids;

      g_string_append_printf (self->blocks,
                              "<block id=\"%u\" type=\"Display\" name=\"Shown %u\" x=\"0\" "
                              "y=\"0\"/>\n",
                              display, display);
      g_string_append_printf (self->wires, "<wire id=\"%u\" from=\"%u.%s\" to=\"%u.u\"/>\n",
                              ++self->n_ids, block, port->name, display);
      if (self->signals != NULL && port->size == 1)
        g_ptr_array_add (self->signals, g_strdup_printf ("%u.%s", block, port->name));
    }
}

/* (transfer full) the path of a model with these elements. */
static inline char *
write_model (const char *elements)
{
  g_autofree char *text = g_strdup_printf ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                                           "<weir version=\"1\"><diagram>\n%s</diagram></weir>\n",
                                           elements);
  g_autoptr (GError) error = NULL;
  char *path = NULL;

  g_close (g_file_open_tmp ("weir-XXXXXX.weir", &path, &error), NULL);
  g_assert_no_error (error);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

/* Those that runs of any solver here come through. */
static inline gboolean
is_taken (const WeirBlockType *type)
{
  return can_be_generated (type) && strcmp (type->name, "Stop") != 0
         && strcmp (type->name, "Robertson") != 0; /* too stiff for rk4 */
}

/* (transfer full) the path of the model, which is done with then. */
static inline char *
write_diagram (Diagram *self)
{
  g_autofree char *elements = g_strconcat (self->blocks->str, self->wires->str, NULL);

  g_string_free (self->blocks, TRUE);
  g_string_free (self->wires, TRUE);
  g_clear_pointer (&self->signals, g_ptr_array_unref);
  return write_model (elements);
}

/* A type that is taken, from @from on. Returns its number. */
static inline guint
find_taken (guint from)
{
  guint n = weir_registry_get_n_types ();

  while (!is_taken (weir_registry_get_type (from % n)))
    from++;
  return from % n;
}

/* (transfer full) the path of a model of blocks wired at random, one of which is of the type
 * @first;
 * @has: by type, whether there is one of it. */
static inline char *
write_random_diagram (guint first, gboolean *has)
{
  Diagram diagram = { g_string_new (NULL), g_string_new (NULL), 0,
                      g_ptr_array_new_with_free_func (g_free) };
  guint n_types = weir_registry_get_n_types ();
  guint n_blocks = (guint) g_rand_int_range (test_rand, 5, 30);
  guint at = (guint) g_rand_int_range (test_rand, 0, (gint32) n_blocks);

  for (guint i = 0; i < n_blocks; i++)
    {
      guint any = (guint) g_rand_int_range (test_rand, 0, (gint32) n_types);
      guint type = i == at ? first : find_taken (any);

      add_block (&diagram, weir_registry_get_type (type));
      has[type] = TRUE;
    }
  return write_diagram (&diagram);
}
