/* Diagrams of parts from short texts, for the tests of networks.
 *
 * A text has an element a line: "R1: Resistor R=1000" is a block, "V1.p - R1.p - C1.p" are lines
 * from pin to pin, "Sensor.y > Gain.u" is a wire. In values "_" is a blank and "|" a new line. A
 * block within a subsystem is called by its path, and so are the pins in its diagram: "half/R1:
 * Resistor", "half/R1.p - half/a.p", where half/a is a Pin, which is joined outside as "half.a".
 */
#pragma once

#include <math.h>
#include <string.h>

#include "analysis/verify.h"
#include "model/completion/completion.h"
#include "model/files/xml.h"
#include "sim/simulator.h"
#include "system/evaluation/eval.h"

typedef struct {
  char *name; /* "" = the root */
  GString *blocks, *lines;
  GHashTable *ids; /* name to id */
  guint32 id;
} NetDiagram;

typedef struct {
  GPtrArray *diagrams; /* of NetDiagram */
  guint32 next_id;
} Net;

static inline NetDiagram *
net_find (Net *net, const char *name)
{
  NetDiagram *made;

  for (guint i = 0; i < net->diagrams->len; i++)
    if (strcmp (((NetDiagram *) net->diagrams->pdata[i])->name, name) == 0)
      return net->diagrams->pdata[i];
  made = g_new0 (NetDiagram, 1);
  made->name = g_strdup (name);
  made->blocks = g_string_new (NULL);
  made->lines = g_string_new (NULL);
  made->ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  made->id = net->next_id++;
  g_ptr_array_add (net->diagrams, made);
  return made;
}

/* "half/R1" -> the diagram "half" and "R1". */
static inline NetDiagram *
net_split (Net *net, const char *path, char **name)
{
  const char *slash = strrchr (path, '/');
  g_autofree char *diagram = slash != NULL ? g_strndup (path, (gsize) (slash - path))
                                           : g_strdup ("");

  *name = g_strdup (slash != NULL ? slash + 1 : path);
  return net_find (net, diagram);
}

static inline void
net_add_block (Net *net, const char *path, char **words)
{
  g_autofree char *name = NULL;
  NetDiagram *diagram = net_split (net, path, &name);
  guint32 id = net->next_id++;

  g_hash_table_insert (diagram->ids, g_strdup (name), GUINT_TO_POINTER (id));
  g_string_append_printf (diagram->blocks,
                          "<block id=\"%u\" type=\"%s\" name=\"%s\" x=\"0\" y=\"0\">", id, words[0],
                          name);
  for (words++; *words != NULL; words++)
    {
      g_auto (GStrv) pair = g_strsplit (*words, "=", 2);
      g_autofree char *plain = pair[1] != NULL ? g_strdelimit (g_strdup (pair[1]), "_", ' ') : NULL;
      g_autofree char *escaped = plain != NULL ? g_markup_escape_text (plain, -1) : NULL;
      g_auto (GStrv) parts = escaped != NULL ? g_strsplit (escaped, "|", -1) : NULL;
      g_autofree char *value = parts != NULL ? g_strjoinv ("&#10;", parts) : NULL;

      if (value != NULL)
        g_string_append_printf (diagram->blocks, "<parameter name=\"%s\" value=\"%s\"/>", pair[0],
                                value);
    }
  g_string_append (diagram->blocks, "</block>");
}

/* "half/R1.p" -> its diagram and "7.p". A subsystem has its id with its first block. */
static inline char *
net_dup_end (Net *net, const char *end, NetDiagram **diagram)
{
  g_autofree char *name = NULL;
  g_autofree char *inner = NULL;
  char *dot;
  guint32 id;

  *diagram = net_split (net, end, &name);
  dot = strrchr (name, '.');
  g_assert_nonnull (dot);
  *dot = '\0';
  inner = g_strconcat ((*diagram)->name, (*diagram)->name[0] != '\0' ? "/" : "", name, NULL);
  id = GPOINTER_TO_UINT (g_hash_table_lookup ((*diagram)->ids, name));
  if (id == 0)
    id = net_find (net, inner)->id;
  return g_strdup_printf ("%u.%s", id, dot + 1);
}

static inline void
net_add_lines (Net *net, char **ends, const char *element)
{
  for (; ends[1] != NULL; ends++)
    {
      NetDiagram *diagram;
      g_autofree char *from = net_dup_end (net, g_strstrip (ends[0]), &diagram);
      g_autofree char *to = net_dup_end (net, g_strstrip (ends[1]), &diagram);

      g_string_append_printf (diagram->lines, "<%s id=\"%u\" from=\"%s\" to=\"%s\"/>", element,
                              net->next_id++, from, to);
    }
}

/* The subsystems within @name, and what else is there. */
static inline char *
net_dup_inside (Net *net, NetDiagram *diagram)
{
  GString *inside = g_string_new (diagram->blocks->str);
  gsize length = strlen (diagram->name);

  for (guint i = 0; i < net->diagrams->len; i++)
    {
      NetDiagram *inner = net->diagrams->pdata[i];
      const char *rest = inner->name + length + (length > 0);
      g_autofree char *text = NULL;

      if (inner == diagram || strncmp (inner->name, diagram->name, length) != 0
          || (length > 0 && inner->name[length] != '/') || strchr (rest, '/') != NULL)
        continue;
      text = net_dup_inside (net, inner);
      g_string_append_printf (inside,
                              "<block id=\"%u\" type=\"Subsystem\" name=\"%s\" x=\"0\" y=\"0\">"
                              "<diagram>%s</diagram></block>",
                              inner->id, rest, text);
    }
  g_string_append (inside, diagram->lines->str);
  return g_string_free (inside, FALSE);
}

static inline void
net_diagram_free (gpointer data)
{
  NetDiagram *self = data;

  g_free (self->name);
  g_string_free (self->blocks, TRUE);
  g_string_free (self->lines, TRUE);
  g_hash_table_unref (self->ids);
  g_free (self);
}

/* @is_reversed: blocks have their ids in the reverse order. (transfer full) */
static inline WeirModel *
net_to_model (const char *text, gboolean is_reversed)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GPtrArray) diagrams = g_ptr_array_new_with_free_func (net_diagram_free);
  Net net = { diagrams, 1 };
  guint n = g_strv_length (lines);
  g_autofree char *inside = NULL;
  g_autofree char *xml = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  WeirModel *model;

  net_find (&net, "");
  for (guint i = 0; i < n; i++)
    {
      const char *line = lines[is_reversed ? n - 1 - i : i];
      const char *colon = strstr (line, ": ");
      g_autofree char *path = colon != NULL ? g_strndup (line, (gsize) (colon - line)) : NULL;
      g_auto (GStrv) words = colon != NULL ? g_strsplit (colon + 2, " ", -1) : NULL;

      if (colon != NULL)
        net_add_block (&net, path, words);
    }
  for (guint i = 0; i < n; i++)
    {
      const char *line = lines[is_reversed ? n - 1 - i : i];
      gboolean is_wire = strstr (line, " > ") != NULL;
      g_auto (GStrv) ends = g_strsplit (line, is_wire ? " > " : " - ", -1);

      if (strstr (line, ": ") == NULL && line[0] != '\0')
        net_add_lines (&net, ends, is_wire ? "wire" : "line");
    }
  inside = net_dup_inside (&net, net_find (&net, ""));
  xml = g_strdup_printf ("<weir version=\"4\"><diagram>%s</diagram></weir>", inside);
  bytes = g_bytes_new (xml, strlen (xml));
  model = weir_model_read_bytes (bytes, "test", diagnostics);
  if (model == NULL)
    g_error ("%s\n%s", weir_diagnostics_get (diagnostics, 0)->text, xml);
  return model;
}

/* All problems of a model, a line each: "CODE path: text". (transfer full) */
static inline char *
net_dup_problems (WeirModel *model, WeirSystem **system)
{
  g_autoptr (WeirDiagnostics) found = weir_diagnostics_new ();
  GString *text = g_string_new (NULL);
  WeirSystem *made = weir_model_complete (model, found);

  for (guint i = 0; i < weir_diagnostics_get_size (found); i++)
    {
      const WeirDiagnostic *d = weir_diagnostics_get (found, i);

      g_string_append_printf (text, "%s %s: %s\n", d->code, d->path, d->text);
    }
  if (system != NULL)
    *system = made;
  else
    g_clear_pointer (&made, weir_system_unref);
  return g_string_free (text, FALSE);
}

/* What "R1.i" is worth. */
static inline double
net_value (WeirSimulator *simulator, const char *path)
{
  WeirSystem *system = weir_simulator_get_system (simulator);
  WeirContext *context = weir_simulator_get_context (simulator);
  const WeirLayout *layout = weir_system_get_layout (system);
  const char *name;
  WeirNode node;
  WeirOutput out;
  WeirInput in;
  const double *y;

  if (!weir_layout_find_owner (layout, path, &node, &name))
    g_error ("There is no %s.", path);
  /* A part's output is led into the Subsystem where it stands. */
  if (weir_layout_find_output (layout, node, name, &out))
    y = weir_eval_output (system, context, node, out);
  else if (weir_layout_find_input (layout, node, name, &in))
    y = weir_eval_input (system, context, node, in);
  else
    g_error ("There is no %s.", path);
  g_assert_nonnull (y);
  return *y;
}
