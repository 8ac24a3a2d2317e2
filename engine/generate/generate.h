/* A model as C that needs nothing but a C compiler and its mathematics library.
 *
 * What blocks compute is their own text (texts.h); what is made here is which of it, in which
 * order, from and to which place of the instance. So a run of the generated program is, with the
 * same solver and step, the run of the model to the bit. What cannot be said so is a diagnostic
 * that names the block and the reason. Thread: *any*.
 */
#pragma once

#include "base/diagnostic.h"
#include "model/tree/model.h"
#include "sim/simulator.h"
#include "system/structure/system.h"

G_BEGIN_DECLS

/* Files, by their names. */
typedef struct _WeirGenerated WeirGenerated;

/* @prefix: of all names; what is not fit for a C name in it becomes fit. @options: of runs; solvers
 * that generated code has are euler, heun, rk4 and dormand-prince. @ports: what is recorded, paths
 * of outputs and inputs. NULL and @diagnostics where something cannot be generated. (transfer full)
 */
WeirGenerated *weir_generate (WeirSystem *root, const char *prefix,
                              const WeirSimulatorOptions *options, const char *const *ports,
                              WeirDiagnostics *diagnostics);
void weir_generated_free (WeirGenerated *self);

guint weir_generated_get_n_files (const WeirGenerated *self);
const char *weir_generated_get_name (const WeirGenerated *self, guint i);
const char *weir_generated_get_text (const WeirGenerated *self, guint i);
/* Writes them into @folder, which is made if it is not there. FALSE and @error. */
gboolean weir_generated_write (const WeirGenerated *self, const char *folder, GError **error);
/* Whether runs of generated code have that solver. */
gboolean weir_generate_has_solver (const char *solver);
/* Why blocks of that type are never written as C, in English, to be translated; NULL: they are. */
const char *weir_generate_find_obstacle (const char *type);

/* What the ports and parameters of a system made of @model are in: texts by path. (transfer full)
 */
GHashTable *weir_generate_list_units (WeirModel *model, WeirSystem *system);
/* Writes the model as an FMU of FMI @version, 2 or 3, to @path: co-simulation with the solver of
 * @options, model exchange without one; @units: of variables; or NULL; its sources, and a library
 * for this machine where there is a compiler. @note: (out) (transfer full) why there is none, or
 * NULL. FALSE with @diagnostics or
 * @error. */
gboolean weir_generate_fmu (WeirSystem *root, const char *prefix,
                            const WeirSimulatorOptions *options, const char *const *ports,
                            GHashTable *units, guint version, double stop_time, const char *path,
                            char **note, WeirDiagnostics *diagnostics, GError **error);

/* Whether a run of the generated code is the run of the model. */
typedef struct {
  gboolean is_identical;
  guint64 n_compared; /* recorded numbers */
  char *where;        /* the first difference, a sentence; or NULL */
} WeirGenerateVerdict;

/* Generates, compiles (with the environment's CC and CFLAGS, or cc -O0), runs both to @stop_time
 * and compares what is recorded. FALSE with @diagnostics or @error if it does not come to that. */
gboolean weir_generate_verify (WeirSystem *root, const WeirSimulatorOptions *options,
                               const char *const *ports, double stop_time,
                               WeirGenerateVerdict *verdict, WeirDiagnostics *diagnostics,
                               GError **error);
void weir_generate_verdict_clear (WeirGenerateVerdict *verdict);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirGenerated, weir_generated_free)

G_END_DECLS
