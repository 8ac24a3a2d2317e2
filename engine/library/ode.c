/* A model as a right-hand side. See ode.h. */
#include "library/ode.h"

#include <math.h>
#include <string.h>

#include "library/model-file.h"
#include "system/evaluation/eval.h"

struct _WeirOde {
  WeirSystem *system;
  WeirContext *context;
  WeirLayout *layout; /* borrowed */
  char **names;       /* NULL-terminated */
};

/* The first error as one line, or @text. */
static void
put_message (const WeirDiagnostics *diagnostics, const char *text, char *message, size_t size)
{
  g_autofree char *line = NULL;

  if (message == NULL || size == 0)
    return;
  for (guint i = 0;
       diagnostics != NULL && line == NULL && i < weir_diagnostics_get_size (diagnostics); i++)
    if (weir_diagnostics_get (diagnostics, i)->severity == WEIR_SEVERITY_ERROR)
      line = weir_diagnostic_to_string (weir_diagnostics_get (diagnostics, i));
  g_strlcpy (message, line != NULL ? line : text, size);
}

static gboolean
initialize (WeirOde *self, char *message, size_t size)
{
  WeirSimulatorOptions options;
  g_autoptr (WeirSimulator) simulator = NULL;
  g_autoptr (GError) error = NULL;

  weir_simulator_options_init (&options);
  options.solver = "euler"; /* never steps */
  simulator = weir_simulator_new (self->system, self->context, &options, &error);
  if (simulator != NULL && weir_simulator_initialize (simulator, &error))
    return TRUE;
  put_message (NULL, error->message, message, size);
  return FALSE;
}

/* The first change of time and state, together and alone, keeps for good what it puts out of date:
 * that allocates here and not in a solver's hands. */
static void
make_masks (WeirOde *self)
{
  g_autofree double *x = g_new0 (double, 2 * weir_ode_get_n (self) + 1);
  double t = weir_ode_get_start (self, x);

  weir_ode_rhs (t, x, x + weir_ode_get_n (self), self);
  weir_ode_rhs (nextafter (t, INFINITY), x, x + weir_ode_get_n (self), self);
}

WeirOde *
weir_ode_open (const char *file, char *message, size_t size)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModelFile) model = weir_model_file_open (file, diagnostics);
  WeirOde *self;
  guint n;

  if (model == NULL)
    {
      put_message (diagnostics, "the model cannot be read", message, size);
      return NULL;
    }
  self = g_new0 (WeirOde, 1);
  self->system = weir_system_ref (weir_model_file_get_system (model));
  self->layout = weir_system_get_layout (self->system);
  self->context = weir_system_create_context (self->system);
  n = weir_layout_get_n_states (self->layout);
  self->names = g_new0 (char *, n + 1);
  for (guint i = 0; i < n; i++)
    self->names[i] = weir_layout_dup_state_name (self->layout, i);
  if (initialize (self, message, size))
    {
      make_masks (self);
      return self;
    }
  weir_ode_close (self);
  return NULL;
}

void
weir_ode_close (WeirOde *self)
{
  if (self == NULL)
    return;
  weir_context_free (self->context);
  weir_system_unref (self->system);
  g_strfreev (self->names);
  g_free (self);
}

size_t
weir_ode_get_n (const WeirOde *self)
{
  return weir_layout_get_n_states (self->layout);
}

const char *
weir_ode_get_name (const WeirOde *self, size_t i)
{
  return i < weir_ode_get_n (self) ? self->names[i] : NULL;
}

int
weir_ode_find_block (const WeirOde *self, const char *path, size_t *offset, size_t *n)
{
  gsize length = strlen (path);

  *offset = *n = 0;
  for (guint i = 0; i < weir_layout_get_n_slices (self->layout); i++)
    {
      WeirStateSlice slice = weir_layout_get_slice (self->layout, i);
      g_autofree char *owner = weir_layout_dup_path (self->layout, slice.node);

      if (length > 0
          && (strncmp (owner, path, length) != 0
              || (owner[length] != '\0' && owner[length] != '.')))
        continue;
      if (*n == 0)
        *offset = slice.offset;
      *n += (size_t) slice.nq + slice.nv + slice.nz;
    }
  return *n > 0 ? 0 : 1;
}

double
weir_ode_get_start (const WeirOde *self, double *x)
{
  size_t n = weir_ode_get_n (self);

  if (n > 0)
    memcpy (x, weir_context_get_state (self->context), n * sizeof *x);
  return weir_context_get_time (self->context);
}

int
weir_ode_rhs (double t, const double *x, double *xdot, void *ode)
{
  WeirOde *self = ode;

  return weir_eval_rhs (self->system, self->context, t, x, xdot) == WEIR_OK ? 0 : 1;
}

const char *
weir_ode_get_failure (const WeirOde *self)
{
  return weir_context_get_failure (self->context);
}
