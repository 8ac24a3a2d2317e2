/* Rows of FMUs: reading a large description. */
#include "bench.h"

#include <math.h>

#include "fmi/description.h"

/* An FMU of @n variables, as tools write them: each tenth an input, an output, a state, its
 * derivative, a parameter; the rest is local. Outputs and derivatives depend on five. */
static GBytes *
make_fmu (guint n)
{
  GString *text = g_string_new (
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"Large\" guid=\"{1}\" "
      "variableNamingConvention=\"structured\" numberOfEventIndicators=\"10\">\n"
      "  <ModelExchange modelIdentifier=\"large\"/>\n"
      "  <UnitDefinitions>\n    <Unit name=\"m\"><BaseUnit m=\"1\"/></Unit>\n"
      "    <Unit name=\"m/s\"><BaseUnit m=\"1\" s=\"-1\"/></Unit>\n  </UnitDefinitions>\n"
      "  <TypeDefinitions>\n    <SimpleType name=\"Length\"><Real unit=\"m\" min=\"-1e5\" "
      "max=\"1e5\" nominal=\"2\"/></SimpleType>\n  </TypeDefinitions>\n  <ModelVariables>\n");
  g_autoptr (GString) outputs = g_string_new (NULL), derivatives = g_string_new (NULL);
  g_autoptr (GString) initial = g_string_new (NULL);
  g_autoptr (GBytes) bytes = NULL;
  WeirFmuFile file = { WEIR_FMU_DESCRIPTION_FILE, NULL };
  GBytes *zip;

  for (guint i = 0; i < n; i++)
    {
      static const char *const kinds[] = {
        "causality=\"input\" variability=\"continuous\"",
        "causality=\"output\" variability=\"continuous\" initial=\"calculated\"",
        "causality=\"local\" variability=\"continuous\" initial=\"exact\"",
        "causality=\"local\" variability=\"continuous\" initial=\"calculated\"",
        "causality=\"parameter\" variability=\"fixed\" initial=\"exact\"",
      };
      guint kind = MIN (i % 10, 5), first = i - i % 10 + 1;

      g_string_append_printf (text,
                              "    <ScalarVariable\n      name=\"body[%u].part%u.r_0\"\n"
                              "      valueReference=\"%u\"\n"
                              "      description=\"Position of part %u in its frame\"\n"
                              "      %s>\n      <Real declaredType=\"Length\" unit=\"%s\"",
                              i / 10, i % 10, i + 16777216, i % 10, kinds[kind < 5 ? kind : 3],
                              kind == 3 ? "m/s" : "m");
      if (kind == 0 || kind == 2 || kind == 4)
        g_string_append_printf (text, " start=\"%.17g\"", 0.001 * (double) i);
      if (kind == 3)
        g_string_append_printf (text, " derivative=\"%u\"", i);
      g_string_append (text, "/>\n    </ScalarVariable>\n");
      if (kind == 1 || kind == 3)
        {
          g_string_append_printf (
              kind == 1 ? outputs : derivatives,
              "      <Unknown index=\"%u\" dependencies=\"%u %u %u %u %u\" "
              "dependenciesKind=\"dependent dependent constant fixed dependent\"/>\n",
              i + 1, first, first + 2, first + 4, first + 5, first + 6);
          g_string_append_printf (initial, "      <Unknown index=\"%u\"/>\n", i + 1);
        }
    }
  g_string_append_printf (text,
                          "  </ModelVariables>\n  <ModelStructure>\n    <Outputs>\n%s"
                          "    </Outputs>\n    <Derivatives>\n%s    </Derivatives>\n"
                          "    <InitialUnknowns>\n%s    </InitialUnknowns>\n"
                          "  </ModelStructure>\n</fmiModelDescription>\n",
                          outputs->str, derivatives->str, initial->str);
  bytes = g_string_free_to_bytes (text);
  file.bytes = bytes;
  zip = weir_fmu_archive_write (&file, 1, NULL);
  return zip;
}

static void
read_fmu (gpointer data, guint64 n)
{
  for (guint64 i = 0; i < n; i++)
    {
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      g_autoptr (WeirFmuArchive) archive = weir_fmu_archive_new (data, "bench.fmu", NULL);
      g_autoptr (WeirFmuDescription) d = weir_fmu_description_read (archive, diagnostics);

      if (weir_diagnostics_get_size (diagnostics) > 0)
        g_error ("%s", weir_diagnostics_get (diagnostics, 0)->text);
      bench_sink = (double) d->n_states;
    }
}

static void
measure_description (const BenchRow *row, BenchResult *result)
{
  g_autoptr (GBytes) fmu = make_fmu (row->size), half = make_fmu (row->size / 2);
  g_autoptr (WeirFmuArchive) archive = weir_fmu_archive_new (fmu, "bench.fmu", NULL);
  BenchVariant variants[2] = { { read_fmu, fmu, 0, 0, 0 }, { read_fmu, half, 0, 0, 0 } };

  bench_sample (variants, 2);
  result->value = variants[0].median * 1e-6;
  result->best_value = variants[0].best * 1e-6;
  result->reference = variants[1].median * 1e-6;
  result->best_reference = variants[1].best * 1e-6;
  result->note = g_strdup_printf ("%.1f MiB; the reference has half as many",
                                  (double) weir_fmu_archive_get_file_size (archive, 0) / (1 << 20));
}

const BenchRow bench_description_rows[] = {
  { "fmu-description", "import an FMU of 10 000 variables", "ms", BENCH_VALUE_AT_MOST, 100,
    measure_description, 10000 },
  { 0 },
};
