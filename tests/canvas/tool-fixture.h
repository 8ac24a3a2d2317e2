/* A tool on the example document, driven without a display. */
#pragma once

#include "canvas/tool/tool.h"
#include "example.h"

typedef struct {
  WeirDocument *document;
  WeirTool *tool;
  WeirScene *scene;
} Fixture;

static inline void
take (Fixture *fixture)
{
  WeirModel *model = weir_document_get_model (fixture->document);
  WeirScene *scene = weir_scene_new (weir_model_get_root (model), fixture->scene);

  g_clear_pointer (&fixture->scene, weir_scene_unref);
  fixture->scene = scene;
  weir_tool_set_site (fixture->tool, (WeirSite) { model, WEIR_PLACE_ROOT }, scene);
}

static inline void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->document = example_document ();
  fixture->tool = weir_tool_new ();
  take (fixture);
}

static inline void
tear_down (Fixture *fixture, gconstpointer data)
{
  weir_tool_free (fixture->tool);
  weir_scene_unref (fixture->scene);
  g_assert_finalize_object (fixture->document);
}

static inline void
apply (Fixture *fixture, WeirEdit *edit, const char *label)
{
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (edit);
  g_assert_cmpstr (edit->label, ==, label);
  weir_document_edit (fixture->document, edit->patch, edit->label, NULL, &error);
  g_assert_no_error (error);
  if (edit->new_blocks != NULL || edit->new_notes != NULL)
    {
      take (fixture);
      weir_selection_set (weir_tool_get_selection (fixture->tool), edit->new_blocks, NULL,
                          edit->new_notes);
    }
  weir_edit_free (edit);
  take (fixture);
}

static inline WeirEdit *
drag (Fixture *fixture, double x0, double y0, double x1, double y1, WeirToolModifiers modifiers)
{
  g_assert_null (weir_tool_press (fixture->tool, (WeirPoint) { x0, y0 }, modifiers));
  weir_tool_motion (fixture->tool, (WeirPoint) { (x0 + x1) / 2, (y0 + y1) / 2 }, modifiers);
  weir_tool_motion (fixture->tool, (WeirPoint) { x1, y1 }, modifiers);
  return weir_tool_release (fixture->tool, (WeirPoint) { x1, y1 }, modifiers);
}

static inline void
click (Fixture *fixture, double x, double y, WeirToolModifiers modifiers)
{
  g_assert_null (weir_tool_press (fixture->tool, (WeirPoint) { x, y }, modifiers));
  g_assert_null (weir_tool_release (fixture->tool, (WeirPoint) { x, y }, modifiers));
}

static inline guint
count_selected (Fixture *fixture, WeirSelectKind kind)
{
  guint n;

  weir_selection_get (weir_tool_get_selection (fixture->tool), kind, &n);
  return n;
}

static inline const WeirDiagram *
get_root (Fixture *fixture)
{
  return weir_model_get_root (weir_document_get_model (fixture->document));
}

static inline void
delete_wire (Fixture *fixture, guint32 id)
{
  apply (
      fixture,
      weir_edit_delete ((WeirSite) { weir_document_get_model (fixture->document), WEIR_PLACE_ROOT },
                        (WeirElements) { .wires = &id, .n_wires = 1 }),
      "Delete 1 wire");
}

static inline guint32
find_source (Fixture *fixture, guint32 block, const char *input)
{
  for (guint i = 0; i < weir_scene_get_n_wires (fixture->scene); i++)
    {
      WeirWire *wire = weir_scene_get_wire (fixture->scene, i)->wire;
      WeirWireEnd to = weir_wire_get_to (wire);

      if (to.block == block && g_strcmp0 (to.port, input) == 0)
        return weir_wire_get_from (wire).block;
    }
  return 0;
}
