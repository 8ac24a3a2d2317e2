/* The row of instant results: from an edited value to a painted curve.
 *
 * A controller with a plant of six lags made of blocks, a disturbance and a filter beside it,
 * thirty blocks in all, is run over 60 s with another gain each time, as a slider would give it:
 * the edit, completing the model, the run, recording, and painting the curve with its shadow.
 * Nothing else does the same work, so that there is no reference.
 */
#include "bench.h"

#include <cairo.h>
#include <math.h>

#include "library/whole-run.h"
#include "model/document/document.h"
#include "model/files/xml.h"
#include "paint/plots/plot.h"

#define N_LAGS 6 /* of four blocks each */
#define WIDTH 760
#define HEIGHT 260
#define PID 3 /* the block's id */

typedef struct {
  WeirDocument *document;
  WeirPlot *plot;
  cairo_surface_t *surface;
  guint64 n;
} Instant;

static void
add_block (GString *xml, guint id, const char *type, const char *parameters)
{
  g_string_append_printf (xml,
                          "<block id=\"%u\" type=\"%s\" name=\"B%u\" x=\"0\" y=\"0\">%s</block>",
                          id, type, id, parameters);
}

static void
add_wire (GString *xml, guint *id, guint from, guint to, const char *port)
{
  g_string_append_printf (xml, "<wire id=\"%u\" from=\"%u.y\" to=\"%u.%s\"/>", (*id)++, from, to,
                          port);
}

/* x' = (u - x) / T, as a sum, a gain and an integrator, with a gain behind it. */
static guint
add_lag (GString *xml, guint *wire, guint id, guint from)
{
  g_autofree char *rate = g_strdup_printf ("<parameter name=\"gain\" value=\"%g\"/>",
                                           1.0 / (0.2 + 0.05 * (id % 7)));

  add_block (xml, id, "Sum", "<parameter name=\"signs\" value=\"+-\"/>");
  add_block (xml, id + 1, "Gain", rate);
  add_block (xml, id + 2, "Integrator", "");
  add_block (xml, id + 3, "Gain", "<parameter name=\"gain\" value=\"1\"/>");
  add_wire (xml, wire, from, id, "in1");
  add_wire (xml, wire, id + 2, id, "in2");
  add_wire (xml, wire, id, id + 1, "u");
  add_wire (xml, wire, id + 1, id + 2, "u");
  add_wire (xml, wire, id + 2, id + 3, "u");
  return id + 3;
}

static WeirDocument *
document_new (void)
{
  g_autoptr (GString) xml = g_string_new (
      "<?xml version=\"1.0\"?><weir version=\"1\"><settings><setting name=\"stop-time\" "
      "value=\"60\"/></settings><diagram>");
  g_autofree char *path = NULL;
  g_autoptr (GFile) file = NULL;
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  WeirDocument *document = weir_document_new ();
  guint wire = 100, last = 5;
  int fd = g_file_open_tmp ("weir-bench-XXXXXX.weir", &path, NULL);

  add_block (xml, 1, "Step", "");
  add_block (xml, 2, "Sum", "<parameter name=\"signs\" value=\"+-\"/>");
  add_block (xml, PID, "PID",
             "<parameter name=\"p\" value=\"0.8\"/><parameter name=\"i\" value=\"0.4\"/>"
             "<parameter name=\"d\" value=\"0.5\"/><parameter name=\"n\" value=\"20\"/>");
  add_block (xml, 4, "Sine", "<parameter name=\"amplitude\" value=\"0.05\"/>");
  add_block (xml, 5, "Sum", "<parameter name=\"signs\" value=\"++\"/>");
  add_wire (xml, &wire, 1, 2, "in1");
  add_wire (xml, &wire, 2, PID, "u");
  add_wire (xml, &wire, PID, 5, "in1");
  add_wire (xml, &wire, 4, 5, "in2");
  for (guint i = 0; i < N_LAGS; i++)
    last = add_lag (xml, &wire, 6 + 4 * i, last);
  add_wire (xml, &wire, last, 2, "in2");
  add_block (xml, 30, "Scope", "");
  add_wire (xml, &wire, last, 30, "in1");
  g_string_append (xml, "</diagram></weir>");

  close (fd);
  if (!g_file_set_contents (path, xml->str, -1, NULL))
    g_error ("The model cannot be written.");
  file = g_file_new_for_path (path);
  if (!weir_document_load (document, file, diagnostics))
    g_error ("%s", weir_diagnostics_get (diagnostics, 0)->text);
  g_file_delete (file, NULL, NULL);
  return document;
}

static void
edit (Instant *self)
{
  WeirModel *model = weir_document_get_model (self->document);
  g_autofree char *gain = g_strdup_printf ("%.4f", 0.8 + 0.0005 * (double) (self->n++ % 400));
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (WeirBlock)
      changed = weir_block_with_parameter (weir_model_find_block (model, PID, NULL), "p", gain);

  weir_patch_set_block (patch, WEIR_PLACE_ROOT, changed);
  if (!weir_document_edit (self->document, patch, "Edit", "slider", NULL))
    g_error ("The gain cannot be edited.");
}

static void
follow (gpointer data, guint64 n)
{
  static const char *const ports[] = { "B30.in1", NULL };
  Instant *self = data;

  while (n-- > 0)
    {
      g_autoptr (WeirModel) model = NULL;
      g_autoptr (WeirRecorder) recorder = NULL;
      g_autoptr (GError) error = NULL;
      cairo_t *cr;

      edit (self);
      model = weir_model_ref (weir_document_get_model (self->document));
      weir_model_prepare_completion (model);
      recorder = weir_model_run_whole (model, ports, NULL, &error);
      if (error != NULL)
        g_error ("%s", error->message);
      weir_document_keep_completion (self->document, model);
      if (weir_plot_get_n_curves (self->plot) == 0)
        weir_plot_add_signal (self->plot, recorder, 0, WEIR_CURVE_LINE);
      else
        weir_plot_set_signal (self->plot, 0, recorder, 0, TRUE);
      weir_plot_update (self->plot);
      cr = cairo_create (self->surface);
      weir_plot_draw (self->plot, cr, WIDTH, HEIGHT, weir_palette_get (WEIR_PALETTE_LIGHT));
      cairo_destroy (cr);
      bench_sink = (double) weir_recorder_get_n_rows (recorder);
    }
}

static void
measure_instant (G_GNUC_UNUSED const BenchRow *row, BenchResult *result)
{
  Instant instant = { document_new (), weir_plot_new (),
                      cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT), 0 };
  BenchVariant variant = { .run = follow, .data = &instant };

  follow (&instant, 1);
  bench_sample (&variant, 1);
  result->value = variant.median / 1e6;
  result->best_value = variant.best / 1e6;
  result->reference = result->best_reference = (double) NAN;
  cairo_surface_destroy (instant.surface);
  weir_plot_free (instant.plot);
  g_object_unref (instant.document);
}

const BenchRow bench_instant_rows[] = {
  { "instant-pid", "an edited gain of a PID loop of 30 blocks: run over 60 s and painted", "ms",
    BENCH_VALUE_AT_MOST, 10, measure_instant, 0 },
  { NULL },
};
