/* Small builders for tests of models, and random edits that keep a model valid.
 *
 * The random editor uses everything a patch can do: blocks of known and unknown types, nesting,
 * texts with every awkward character, wires to ports and to nowhere, moving between diagrams.
 */
#pragma once

#include <string.h>

#include "model/completion/completion.h"
#include "model/document/document.h"
#include "model/tree/patch.h"
#include "model/files/xml.h"

/* --- Builders -------------------------------------------------------------------------------- */

static inline WeirWireEnd
port (guint32 block, const char *name)
{
  return (WeirWireEnd) { block, name, { 0, 0 } };
}

static inline WeirWireEnd
point (double x, double y)
{
  return (WeirWireEnd) { 0, NULL, { x, y } };
}

/* A model from the inside of its root diagram, as text. */
static inline WeirModel *
model_from_xml (const char *inside)
{
  g_autofree char *text = g_strdup_printf ("<weir version=\"1\"><diagram>%s</diagram></weir>",
                                           inside);
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  WeirModel *model = weir_model_read_bytes (bytes, "test", diagnostics);

  if (model == NULL)
    g_error ("%s", weir_diagnostics_get (diagnostics, 0)->text);
  return model;
}

static inline char *
model_to_text (WeirModel *model)
{
  g_autoptr (GBytes) bytes = weir_model_write_bytes (model);

  return g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

/* Applies @patch, which must make sense, and takes over @model and @patch. */
static inline WeirModel *
apply (WeirModel *model, WeirPatch *patch, WeirAspects *aspects)
{
  g_autoptr (GError) error = NULL;
  WeirModel *result = weir_model_apply (model, patch, aspects, &error);

  g_assert_no_error (error);
  weir_patch_free (patch);
  weir_model_unref (model);
  return result;
}

/* --- Random edits ---------------------------------------------------------------------------- */

typedef struct {
  GRand *rand;
  WeirModel *model;
  GArray *place; /* of the diagram to edit */
} RandomEditor;

static inline const char *
random_text (GRand *rand)
{
  static const char *const texts[] = {
    "2",          "[1, 2, 3]",     "",     " ",      "a < b & \"c\" > 'd'", "line\nbreak\ttab",
    "\r\n",       "käse Ω 🧀", "++-",  "1e-300", "  spaces  ",          "]]>",
    "<!-- x -->", "&amp;",         "-0.5",
  };

  return texts[g_rand_int_range (rand, 0, G_N_ELEMENTS (texts))];
}

static inline double
random_coordinate (GRand *rand)
{
  switch (g_rand_int_range (rand, 0, 4))
    {
    case 0:
      return g_rand_double_range (rand, -1000, 1000);
    case 1:
      return g_rand_double_range (rand, -1, 1) * 1e-5;
    default:
      return g_rand_int_range (rand, -50, 50) * 10;
    }
}

static inline WeirPoint
random_point (GRand *rand)
{
  double x = random_coordinate (rand);

  return (WeirPoint) { x, random_coordinate (rand) };
}

typedef struct {
  guint skip;
  gpointer found;
} Nth;

static inline gboolean
take_nth (gpointer element, gpointer data)
{
  Nth *nth = data;

  nth->found = element;
  return nth->skip-- > 0;
}

static inline gboolean
take_nth_block (WeirBlock *block, gpointer data)
{
  return take_nth (block, data);
}

static inline gboolean
take_nth_wire (WeirWire *wire, gpointer data)
{
  return take_nth (wire, data);
}

static inline gboolean
take_nth_note (WeirNote *note, gpointer data)
{
  return take_nth (note, data);
}

static inline WeirBlock *
random_block (GRand *rand, const WeirDiagram *diagram)
{
  Nth nth = { 0, NULL };

  if (weir_diagram_get_n_blocks (diagram) == 0)
    return NULL;
  nth.skip = (guint) g_rand_int_range (rand, 0, (gint32) weir_diagram_get_n_blocks (diagram));
  weir_diagram_foreach_block (diagram, take_nth_block, &nth);
  return nth.found;
}

static inline WeirWire *
random_wire (GRand *rand, const WeirDiagram *diagram)
{
  Nth nth = { 0, NULL };

  if (weir_diagram_get_n_wires (diagram) == 0)
    return NULL;
  nth.skip = (guint) g_rand_int_range (rand, 0, (gint32) weir_diagram_get_n_wires (diagram));
  weir_diagram_foreach_wire (diagram, take_nth_wire, &nth);
  return nth.found;
}

static inline WeirWireEnd
random_end (GRand *rand, const WeirDiagram *diagram)
{
  static const char *const ports[] = { "y", "u", "in1", "no such port", "a.b" };
  const WeirBlock *block = random_block (rand, diagram);

  if (block == NULL || g_rand_int_range (rand, 0, 5) == 0)
    {
      WeirPoint p = random_point (rand);

      return point (p.x, p.y);
    }
  return port (weir_block_get_id (block), ports[g_rand_int_range (rand, 0, G_N_ELEMENTS (ports))]);
}

static inline gboolean
remove_wire_too (WeirWire *wire, gpointer data)
{
  gpointer *context = data;

  weir_patch_remove_wire (context[0], *(WeirPlace *) context[1], weir_wire_get_id (wire));
  return TRUE;
}

static inline void
remove_block_and_wires (WeirPatch *patch, WeirPlace place, const WeirDiagram *diagram, guint32 id)
{
  gpointer context[] = { patch, &place };

  weir_diagram_foreach_wire_at (diagram, id, remove_wire_too, context);
  weir_patch_remove_block (patch, place, id);
}

/* A random place: walks into Subsystems with probability 2/3. */
static inline WeirPlace
random_place (RandomEditor *e, WeirDiagram **diagram)
{
  g_array_set_size (e->place, 0);
  *diagram = weir_model_get_root (e->model);
  while (e->place->len < 5 && g_rand_int_range (e->rand, 0, 3) > 0)
    {
      const WeirBlock *block = random_block (e->rand, *diagram);
      guint32 id;

      if (block == NULL || weir_block_get_diagram (block) == NULL)
        break;
      id = weir_block_get_id (block);
      g_array_append_val (e->place, id);
      *diagram = weir_block_get_diagram (block);
    }
  return (WeirPlace) { (guint32 *) (void *) e->place->data, e->place->len };
}

static inline WeirBlock *
random_new_block (GRand *rand, const WeirDiagram *diagram, guint32 id)
{
  static const char *const types[] = { "Gain",      "Sum", "Integrator", "Constant",  "Scope",
                                       "Subsystem", "In",  "Out",        "Un & known" };
  const char *type = types[g_rand_int_range (rand, 0, G_N_ELEMENTS (types))];
  g_autofree char *name = weir_diagram_dup_free_name (diagram,
                                                      g_rand_boolean (rand) ? type : "käse \"&\"");

  return weir_block_new (id, type, name, random_point (rand));
}

static inline WeirMetadataKey
random_key (GRand *rand)
{
  static const WeirMetadataKey keys[] = {
    { "author", WEIR_METADATA_TEXT },   { "unit", WEIR_METADATA_TEXT },
    { "mass", WEIR_METADATA_NUMBER },   { "mass", WEIR_METADATA_TEXT },
    { "a <b>", WEIR_METADATA_BOOLEAN },
  };

  return keys[g_rand_int_range (rand, 0, G_N_ELEMENTS (keys))];
}

static inline void
change_head (GRand *rand, WeirPatch *patch)
{
  const char *text = g_rand_boolean (rand) ? random_text (rand) : NULL;

  switch (g_rand_int_range (rand, 0, 5))
    {
    case 0:
      weir_patch_set_title (patch, random_text (rand));
      break;
    case 1:
      weir_patch_set_setting (patch, g_rand_boolean (rand) ? "stop-time" : "x y", text);
      break;
    case 2:
      weir_patch_set_variable (patch, g_rand_boolean (rand) ? "g" : "x y", text);
      break;
    case 3:
      weir_patch_set_assertion (patch, g_rand_boolean (rand) ? "a must not depend on b" : "<x>",
                                text);
      break;
    default:
      weir_patch_set_metadata (patch, "", random_key (rand), text);
    }
}

/* A patch of one random edit. (transfer full) */
static inline WeirPatch *
random_patch (RandomEditor *e)
{
  static const char *const parameters[] = { "gain", "signs", "initial", "value", "odd <name>" };
  GRand *rand = e->rand;
  WeirPatch *patch = weir_patch_new ();
  WeirDiagram *diagram;
  WeirPlace place = random_place (e, &diagram);
  guint32 next_id = weir_model_get_next_id (e->model);
  WeirBlock *block = random_block (rand, diagram);
  WeirWire *wire = random_wire (rand, diagram);
  g_autoptr (WeirBlock) new_block = NULL;
  g_autoptr (WeirWire) new_wire = NULL;
  g_autoptr (WeirNote) new_note = NULL;
  g_autofree char *name = NULL;
  WeirPoint bends[3] = { random_point (rand), random_point (rand), random_point (rand) };

  switch (block == NULL ? 0 : g_rand_int_range (rand, 0, 17))
    {
    case 0:
    case 1:
      new_block = random_new_block (rand, diagram, next_id);
      break;
    case 2:
    case 3:
      new_block = weir_block_with_position (block, random_point (rand));
      break;
    case 4:
      new_block = weir_block_with_size (block,
                                        (WeirPoint) { 30.5, g_rand_int_range (rand, 0, 99) });
      break;
    case 5:
      new_block = weir_block_with_orientation (block, g_rand_int_range (rand, 0, 4),
                                               g_rand_boolean (rand));
      break;
    case 6:
    case 7:
      new_block = weir_block_with_parameter (
          block, parameters[g_rand_int_range (rand, 0, 5)],
          g_rand_int_range (rand, 0, 4) == 0 ? NULL : random_text (rand));
      break;
    case 8:
      name = weir_diagram_dup_free_name (diagram, "renamed");
      weir_patch_rename_block (patch, e->model, place, weir_block_get_id (block), name);
      break;
    case 9:
      remove_block_and_wires (patch, place, diagram, weir_block_get_id (block));
      break;
    case 10:
    case 11:
      new_wire = weir_wire_new (next_id, random_end (rand, diagram), random_end (rand, diagram),
                                bends, (guint) g_rand_int_range (rand, 0, 4));
      break;
    case 12:
      if (wire != NULL && g_rand_boolean (rand))
        new_wire = weir_wire_with_bends (wire, bends, (guint) g_rand_int_range (rand, 0, 4));
      else if (wire != NULL && g_rand_boolean (rand))
        new_wire = weir_wire_with_ends (wire, random_end (rand, diagram),
                                        random_end (rand, diagram));
      else if (wire != NULL)
        weir_patch_remove_wire (patch, place, weir_wire_get_id (wire));
      break;
    case 13:
      {
        Nth nth = { 0, NULL };

        weir_diagram_foreach_note (diagram, take_nth_note, &nth);
        if (nth.found != NULL && g_rand_boolean (rand))
          weir_patch_remove_note (patch, place, weir_note_get_id (nth.found));
        else
          new_note = weir_note_new (next_id, random_point (rand), random_text (rand));
        break;
      }
    case 14:
      change_head (rand, patch);
      break;
    case 15:
      new_block = weir_block_with_metadata (block, g_rand_boolean (rand) ? "" : "y",
                                            random_key (rand),
                                            g_rand_boolean (rand) ? random_text (rand) : NULL);
      break;
    default: /* carry the block, with all it holds, to the root */
      if (place.n_ids > 0)
        {
          g_autoptr (WeirBlock) named = NULL;

          name = weir_diagram_dup_free_name (weir_model_get_root (e->model),
                                             weir_block_get_name (block));
          named = weir_block_with_name (block, name);
          weir_patch_set_block (patch, WEIR_PLACE_ROOT, named);
          remove_block_and_wires (patch, place, diagram, weir_block_get_id (block));
        }
    }
  if (new_block != NULL)
    weir_patch_set_block (patch, place, new_block);
  if (new_wire != NULL)
    weir_patch_set_wire (patch, place, new_wire);
  if (new_note != NULL)
    weir_patch_set_note (patch, place, new_note);
  return patch;
}

/* A model after @n random edits. (transfer full) */
static inline WeirModel *
random_model (GRand *rand, guint n)
{
  RandomEditor e = { rand, weir_model_new (), g_array_new (FALSE, FALSE, sizeof (guint32)) };

  for (guint i = 0; i < n; i++)
    e.model = apply (e.model, random_patch (&e), NULL);
  g_array_unref (e.place);
  return e.model;
}
