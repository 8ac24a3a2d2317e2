/* Models for the tests of paint and canvas: a feedback loop with a subsystem in it.
 *
 *   Sine -> Gain -> Sum(+-) -> Integrator -> plant (Subsystem) -> Scope
 *                    ^------------------------------|
 */
#pragma once

#include <string.h>

#include "model/document/document.h"
#include "model/files/xml.h"

enum {
  EXAMPLE_SINE = 1,
  EXAMPLE_GAIN,
  EXAMPLE_SUM,
  EXAMPLE_INTEGRATOR,
  EXAMPLE_PLANT,
  EXAMPLE_SCOPE,
  EXAMPLE_WIRE_SINE_GAIN = 10,
  EXAMPLE_WIRE_GAIN_SUM,
  EXAMPLE_WIRE_SUM_INTEGRATOR,
  EXAMPLE_WIRE_INTEGRATOR_PLANT,
  EXAMPLE_WIRE_PLANT_SCOPE,
  EXAMPLE_WIRE_FEEDBACK,
  EXAMPLE_IN = 20,
  EXAMPLE_INNER_GAIN,
  EXAMPLE_OUT,
  EXAMPLE_WIRE_IN,
  EXAMPLE_WIRE_OUT,
};

static inline void
example_add_block (WeirPatch *patch, WeirPlace place, guint32 id, const char *type,
                   const char *name, double x, double y)
{
  g_autoptr (WeirBlock) block = weir_block_new (id, type, name, (WeirPoint) { x, y });

  weir_patch_set_block (patch, place, block);
}

static inline void
example_add_wire (WeirPatch *patch, WeirPlace place, guint32 id, guint32 from, const char *output,
                  guint32 to, const char *input)
{
  g_autoptr (WeirWire) wire = weir_wire_new (id, (WeirWireEnd) { .block = from, .port = output },
                                             (WeirWireEnd) { .block = to, .port = input }, NULL, 0);

  weir_patch_set_wire (patch, place, wire);
}

static inline WeirPatch *
example_patch (void)
{
  WeirPatch *patch = weir_patch_new ();
  static const guint32 plant_id = EXAMPLE_PLANT;
  WeirPlace root = WEIR_PLACE_ROOT, plant = { &plant_id, 1 };

  example_add_block (patch, root, EXAMPLE_SINE, "Sine", "reference", 0, 0);
  example_add_block (patch, root, EXAMPLE_GAIN, "Gain", "Gain", 120, 0);
  example_add_block (patch, root, EXAMPLE_SUM, "Sum", "Sum", 240, 10);
  {
    g_autoptr (WeirBlock) sum = weir_block_new (EXAMPLE_SUM, "Sum", "Sum", (WeirPoint) { 240, 10 });
    g_autoptr (WeirBlock) minus = weir_block_with_parameter (sum, "signs", "+-");

    weir_patch_set_block (patch, root, minus);
  }
  example_add_block (patch, root, EXAMPLE_INTEGRATOR, "Integrator", "Integrator", 340, 0);
  example_add_block (patch, root, EXAMPLE_PLANT, "Subsystem", "plant", 460, -10);
  example_add_block (patch, root, EXAMPLE_SCOPE, "Scope", "Scope", 660, 0);
  example_add_block (patch, plant, EXAMPLE_IN, "In", "u", 0, 20);
  example_add_block (patch, plant, EXAMPLE_INNER_GAIN, "Gain", "Gain", 100, 0);
  example_add_block (patch, plant, EXAMPLE_OUT, "Out", "y", 220, 20);
  example_add_wire (patch, plant, EXAMPLE_WIRE_IN, EXAMPLE_IN, "y", EXAMPLE_INNER_GAIN, "u");
  example_add_wire (patch, plant, EXAMPLE_WIRE_OUT, EXAMPLE_INNER_GAIN, "y", EXAMPLE_OUT, "u");
  example_add_wire (patch, root, EXAMPLE_WIRE_SINE_GAIN, EXAMPLE_SINE, "y", EXAMPLE_GAIN, "u");
  example_add_wire (patch, root, EXAMPLE_WIRE_GAIN_SUM, EXAMPLE_GAIN, "y", EXAMPLE_SUM, "in1");
  example_add_wire (patch, root, EXAMPLE_WIRE_SUM_INTEGRATOR, EXAMPLE_SUM, "y", EXAMPLE_INTEGRATOR,
                    "u");
  example_add_wire (patch, root, EXAMPLE_WIRE_INTEGRATOR_PLANT, EXAMPLE_INTEGRATOR, "y",
                    EXAMPLE_PLANT, "u");
  example_add_wire (patch, root, EXAMPLE_WIRE_PLANT_SCOPE, EXAMPLE_PLANT, "y", EXAMPLE_SCOPE,
                    "in1");
  example_add_wire (patch, root, EXAMPLE_WIRE_FEEDBACK, EXAMPLE_PLANT, "y", EXAMPLE_SUM, "in2");
  return patch;
}

static inline WeirModel *
example_model (void)
{
  g_autoptr (WeirModel) empty = weir_model_new ();
  g_autoptr (WeirPatch) patch = example_patch ();
  g_autoptr (GError) error = NULL;
  WeirModel *model = weir_model_apply (empty, patch, NULL, &error);

  g_assert_no_error (error);
  return model;
}

static inline WeirDocument *
example_document (void)
{
  WeirDocument *document = weir_document_new ();
  g_autoptr (WeirPatch) patch = example_patch ();
  g_autoptr (GError) error = NULL;

  weir_document_edit (document, patch, "Example", NULL, &error);
  g_assert_no_error (error);
  return document;
}

/* --- From a text ------------------------------------------------------------------------------ */

static inline gboolean
example_put_block (WeirBlock *block, gpointer patch)
{
  weir_patch_set_block (patch, WEIR_PLACE_ROOT, block);
  return TRUE;
}

static inline gboolean
example_put_wire (WeirWire *wire, gpointer patch)
{
  weir_patch_set_wire (patch, WEIR_PLACE_ROOT, wire);
  return TRUE;
}

/* With the diagram of a model file as its one edit. (transfer full) */
static inline WeirDocument *
example_document_from (const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) model = weir_model_read_bytes (bytes, "circuit", diagnostics);
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  WeirDocument *document = weir_document_new ();

  g_assert_nonnull (model);
  weir_diagram_foreach_block (weir_model_get_root (model), example_put_block, patch);
  weir_diagram_foreach_wire (weir_model_get_root (model), example_put_wire, patch);
  g_assert_true (weir_document_edit (document, patch, "Circuit", NULL, NULL));
  return document;
}
