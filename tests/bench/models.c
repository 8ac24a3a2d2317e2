/* Rows of models: reading and completing large files, editing and undoing in a large diagram. */
#include "bench.h"

#include <malloc.h>
#include <math.h>
#include <string.h>

#include "model/completion/completion.h"
#include "model/document/document.h"
#include "model/files/xml.h"

/* --- Files ----------------------------------------------------------------------------------- */

/* The file of @n blocks: in Subsystems of about 50, loops of a sum, gains of different values and
 * an integrator, one fed by the next; one scope sees the last. */
static GBytes *
make_file (guint n)
{
  GString *text = g_string_new (
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<weir version=\"1\">\n  <diagram>\n");
  guint id = 1, n_left = n;
  guint32 before = 0; /* Subsystem */

  while (n_left >= 50)
    {
      guint32 subsystem = id++, in = id++, out = id++, last = 0;

      g_string_append_printf (
          text,
          "    <block id=\"%u\" type=\"Subsystem\" name=\"s%u\" x=\"0\" y=\"%u\">\n"
          "      <diagram>\n"
          "        <block id=\"%u\" type=\"In\" name=\"u\" x=\"0\" y=\"0\"/>\n"
          "        <block id=\"%u\" type=\"Out\" name=\"y\" x=\"900\" y=\"0\"/>\n",
          subsystem, subsystem, subsystem * 2, in, out);
      for (guint i = 0; i < 15; i++)
        {
          guint32 sum = id++, gain = id++, state = id++;

          g_string_append_printf (
              text,
              "        <block id=\"%u\" type=\"Sum\" name=\"sum%u\" x=\"%u\" y=\"20\">\n"
              "          <parameter name=\"signs\" value=\"+-\"/>\n        </block>\n"
              "        <block id=\"%u\" type=\"Gain\" name=\"gain%u\" x=\"%u\" y=\"60.5\">\n"
              "          <parameter name=\"gain\" value=\"%g\"/>\n        </block>\n"
              "        <block id=\"%u\" type=\"Integrator\" name=\"x%u\" x=\"%u\" y=\"120\">\n"
              "          <parameter name=\"initial\" value=\"0.5\"/>\n        </block>\n",
              sum, i, i * 60, gain, i, i * 60, 0.001 * (double) (gain % 1000), state, i, i * 60);
          g_string_append_printf (text,
                                  "        <wire id=\"%u\" from=\"%u.y\" to=\"%u.in1\"/>\n"
                                  "        <wire id=\"%u\" from=\"%u.y\" to=\"%u.u\"/>\n"
                                  "        <wire id=\"%u\" from=\"%u.y\" to=\"%u.u\"/>\n"
                                  "        <wire id=\"%u\" from=\"%u.y\" to=\"%u.in2\">\n"
                                  "          <bend x=\"40\" y=\"120\"/>\n        </wire>\n",
                                  id, last != 0 ? last : in, sum, id + 1, sum, gain, id + 2, gain,
                                  state, id + 3, state, sum);
          id += 4;
          last = state;
        }
      g_string_append_printf (
          text,
          "        <wire id=\"%u\" from=\"%u.y\" to=\"%u.u\"/>\n      </diagram>\n    </block>\n",
          id, last, out);
      id++;
      if (before != 0)
        {
          g_string_append_printf (text, "    <wire id=\"%u\" from=\"%u.y\" to=\"%u.u\"/>\n", id,
                                  before, subsystem);
          id++;
        }
      else
        {
          g_string_append_printf (
              text,
              "    <block id=\"%u\" type=\"Constant\" name=\"c\" x=\"0\" y=\"0\"/>\n"
              "    <wire id=\"%u\" from=\"%u.y\" to=\"%u.u\"/>\n",
              id, id + 1, id, subsystem);
          id += 2;
        }
      before = subsystem;
      n_left -= 48;
    }
  g_string_append_printf (
      text,
      "    <block id=\"%u\" type=\"Scope\" name=\"scope\" x=\"0\" y=\"0\"/>\n"
      "    <wire id=\"%u\" from=\"%u.y\" to=\"%u.in1\"/>\n  </diagram>\n</weir>\n",
      id, id + 1, before, id);
  return g_string_free_to_bytes (text);
}

static void
load (gpointer data, guint64 n)
{
  for (guint64 i = 0; i < n; i++)
    {
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      g_autoptr (WeirModel) model = weir_model_read_bytes (data, "bench", diagnostics);
      g_autoptr (WeirSystem) system = model != NULL ? weir_model_complete (model, diagnostics)
                                                    : NULL;

      if (system == NULL)
        g_error ("%s", weir_diagnostics_get (diagnostics, 0)->text);
      bench_sink = weir_system_get_n_inputs (system);
    }
}

static void
read_only (gpointer data, guint64 n)
{
  for (guint64 i = 0; i < n; i++)
    {
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      g_autoptr (WeirModel) model = weir_model_read_bytes (data, "bench", diagnostics);

      bench_sink = weir_model_get_next_id (model);
    }
}

static void
measure_load (const BenchRow *row, BenchResult *result)
{
  g_autoptr (GBytes) whole = make_file (row->size);
  g_autoptr (GBytes) half = make_file (row->size / 2);
  BenchVariant variants[3] = { { load, whole, 0, 0, 0 },
                               { load, half, 0, 0, 0 },
                               { read_only, whole, 0, 0, 0 } };

  bench_sample (variants, 3);
  result->value = variants[0].median * 1e-9;
  result->reference = variants[1].median * 1e-9;
  result->best_value = variants[0].best * 1e-9;
  result->best_reference = variants[1].best * 1e-9;
  result->note = g_strdup_printf ("%.1f MiB; half as many %.2f times faster; reading alone %.3f s",
                                  (double) g_bytes_get_size (whole) / (1 << 20),
                                  variants[0].median / variants[1].median,
                                  variants[2].median * 1e-9);
}

/* --- Editing --------------------------------------------------------------------------------- */

#define N_EDITS 10000

/* A document whose root holds @n blocks. */
static WeirDocument *
make_document (guint n)
{
  WeirDocument *document = weir_document_new ();
  g_autoptr (WeirPatch) patch = weir_patch_new ();

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("Gain%u", i);
      g_autoptr (WeirBlock)
          block = weir_block_new (i + 1, "Gain", name, (WeirPoint) { i % 100 * 50, i / 100 * 50 });

      weir_patch_set_block (patch, WEIR_PLACE_ROOT, block);
    }
  if (!weir_document_edit (document, patch, "Add", NULL, NULL))
    g_error ("The diagram cannot be made.");
  return document;
}

/* One edit as people make them: moved, another value, another name, a wire, by turns. */
static void
edit (WeirDocument *document, GRand *rand, guint n, guint i)
{
  WeirModel *model = weir_document_get_model (document);
  WeirDiagram *root = weir_model_get_root (model);
  WeirBlock *block = weir_diagram_find_block (root,
                                              (guint32) g_rand_int_range (rand, 1, (gint32) n + 1));
  guint32 other = (guint32) g_rand_int_range (rand, 1, (gint32) n + 1);
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (WeirBlock) changed = NULL;
  g_autoptr (WeirWire) wire = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  switch (i % 4)
    {
    case 0:
      changed = weir_block_with_position (block,
                                          (WeirPoint) { i, g_rand_int_range (rand, 0, 9999) });
      break;
    case 1:
      text = g_strdup_printf ("%u.5", i);
      changed = weir_block_with_parameter (block, "gain", text);
      break;
    case 2:
      text = g_strdup_printf ("Renamed %u", i);
      changed = weir_block_with_name (block, text);
      break;
    default:
      wire = weir_wire_new (weir_model_get_next_id (model),
                            (WeirWireEnd) { weir_block_get_id (block), "y", { 0, 0 } },
                            (WeirWireEnd) { other, "u", { 0, 0 } }, NULL, 0);
    }
  if (changed != NULL)
    weir_patch_set_block (patch, WEIR_PLACE_ROOT, changed);
  if (wire != NULL)
    weir_patch_set_wire (patch, WEIR_PLACE_ROOT, wire);
  if (!weir_document_edit (document, patch, "Edit", NULL, &error))
    g_error ("%s", error->message);
}

typedef struct {
  double edit, undo, bytes; /* us, us, bytes an edit: the medians of rounds */
} EditCost;

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  const double *x = a, *y = b;

  return (*x > *y) - (*x < *y);
}

/* 10 000 edits and as many undone; checked to end where they began. */
static EditCost
measure_edits (guint n)
{
  guint n_rounds = bench_is_quick () ? 3 : 7;
  g_autofree double *edits = g_new (double, n_rounds);
  g_autofree double *undos = g_new (double, n_rounds);
  g_autofree double *bytes = g_new (double, n_rounds);

  for (guint round = 0; round < n_rounds; round++)
    {
      g_autoptr (WeirDocument) document = make_document (n);
      g_autoptr (WeirModel) first = weir_model_ref (weir_document_get_model (document));
      g_autoptr (GRand) rand = g_rand_new_with_seed (12 + round);
      struct mallinfo2 before = mallinfo2 (), after;
      gint64 start = g_get_monotonic_time (), middle;

      for (guint i = 0; i < N_EDITS; i++)
        edit (document, rand, n, i);
      middle = g_get_monotonic_time ();
      after = mallinfo2 ();
      for (guint i = 0; i < N_EDITS; i++)
        weir_document_undo (document);
      undos[round] = (double) (g_get_monotonic_time () - middle) / N_EDITS;
      edits[round] = (double) (middle - start) / N_EDITS;
      bytes[round] = (double) (after.uordblks - before.uordblks) / N_EDITS;
      if (weir_document_get_model (document) != first)
        g_error ("Undoing everything does not lead to the first model.");
    }
  qsort (edits, n_rounds, sizeof *edits, compare_doubles);
  qsort (undos, n_rounds, sizeof *undos, compare_doubles);
  qsort (bytes, n_rounds, sizeof *bytes, compare_doubles);
  return (EditCost) { edits[n_rounds / 2], undos[n_rounds / 2], bytes[n_rounds / 2] };
}

/* The rows share one measurement. */
static EditCost
get_edits (guint n)
{
  static EditCost cost;

  if (cost.edit == 0)
    cost = measure_edits (n);
  return cost;
}

static void
measure_edit (const BenchRow *row, BenchResult *result)
{
  result->value = result->best_value = get_edits (row->size).edit;
  result->reference = result->best_reference = NAN;
}

static void
measure_undo (const BenchRow *row, BenchResult *result)
{
  result->value = result->best_value = get_edits (row->size).undo;
  result->reference = result->best_reference = NAN;
}

static void
measure_memory (const BenchRow *row, BenchResult *result)
{
  result->value = result->best_value = get_edits (row->size).bytes / 1024;
  result->reference = result->best_reference = NAN;
}

const BenchRow bench_model_rows[] = {
  { "load-10k", "read and complete a file of 10 000 blocks", "s", BENCH_RATIO_AT_MOST, 2.2,
    measure_load, 10000 },
  { "load-100k", "read and complete a file of 100 000 blocks", "s", BENCH_VALUE_AT_MOST, 0.6,
    measure_load, 100000 },
  { "edit-10k", "one edit with undo, 10 000 blocks", "us", BENCH_VALUE_AT_MOST, 100, measure_edit,
    10000 },
  { "undo-10k", "one undo, 10 000 blocks", "us", BENCH_VALUE_AT_MOST, 100, measure_undo, 10000 },
  { "edit-10k-memory", "memory an edit, over 10 000 edits", "KiB", BENCH_VALUE_AT_MOST, 2,
    measure_memory, 10000 },
  { 0 },
};
