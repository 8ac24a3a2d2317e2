/* Completion: from a model to a system that can run, with every problem found on the way.
 *
 * Each Subsystem becomes a diagram, each other block a leaf; a block's path in the layout is its
 * path in the model ("plant.sum"). Sizes are propagated along the wires. All problems are reported
 * at once; with an error there is no system. Thread: *any*.
 *
 * Codes: NET01 input wired twice, NET02 unconnected input, NET03 sizes differ, NET04 algebraic
 * loop, NET06 dangling wire, NET07 unknown port, NET08 unknown block type, NET09 bad name, NET10
 * more values than memory may hold, NET11 a wire from texts or bytes to something else, PAR01
 * parameters that define each other, PAR02 bad parameter text, PAR03 unknown parameter, PAR04
 * unknown name in an expression, PAR05 bad name of a variable, PAR06 an expression without a
 * number, PAR07 how a file was read, UNI01 unknown unit, UNI02 a parameter in a unit of another
 * dimension, UNI03 a wire between units, UNI04 inputs of one block in different units, COS01 a unit
 * of co-simulation that cannot be one, COS02 a bad setting of one, MET01 metadata of another type
 * than they say, DEP01 a dependency that must not be (or must and is not), DEP02 a sentence about
 * dependencies that makes no sense, SET01 bad run setting, SET02 one that there is not, FMU25 an
 * FMU block without an FMU that can be read, FMU26 one that is not trusted, FMU27 one that an audit
 * has found to be not as it declares, FMU30 structural parameters that make no sense, FMU31
 * elements of arrays that nothing is given for, FMU32 terminals of FMUs that are wired otherwise
 * than their matching rule says; subject, where wires would mend it: the terminal. What blocks of
 * equations add is told by their own layer (equations/compile/equations.h). The subject of NET01 to
 * NET03 and NET11 is the input, of NET07 the port, of PAR and UNI the parameter, if it is one, of
 * SET01, SET02 and COS02 the setting; NET04 has its wires.
 */
#pragma once

#include "blocks/library/registry.h"
#include "model/tree/derived.h"
#include "model/tree/model.h"
#include "system/structure/system.h"

G_BEGIN_DECLS

/* The warning that a part of the model holds a program that is not trusted: it cannot be run. */
#define WEIR_UNTRUSTED_CODE "FMU26"

/* What is checked beyond what a system needs in order to be built at all; that is
 * always reported. */
typedef enum {
  WEIR_CHECKS_NONE = 0,
  WEIR_CHECKS_COMPONENTS = 1 << 0,   /* warnings and hints about blocks, wires, metadata */
  WEIR_CHECKS_UNITS = 1 << 1,        /* across wires, and within equations */
  WEIR_CHECKS_DEPENDENCIES = 1 << 2, /* the model's assertions */
  WEIR_CHECKS_ALL = (1 << 3) - 1,
} WeirChecks;

/* NULL if @diagnostics has errors. (transfer full) */
WeirSystem *weir_model_check (WeirModel *model, WeirChecks checks, WeirDiagnostics *diagnostics);
/* With all checks. (transfer full) */
WeirSystem *weir_model_complete (WeirModel *model, WeirDiagnostics *diagnostics);

/* What is recorded without --log: the path of every scope input ("Scope.in1"), then every output of
 * the root. NULL-terminated. (transfer full) */
char **weir_model_dup_recorded_ports (WeirModel *model);

/* The sizes of signals where they are known: a table from the id of a wire (GUINT_TO_POINTER) to
 * its size. Wires anywhere in the model. The table is kept with the model (derived.h) and must not
 * be changed. (transfer full) */
GHashTable *weir_model_dup_signal_sizes (WeirModel *model);

/* The paths of blocks that break rules on purpose ("cache lab"). NULL-terminated.
 * (transfer full) */
char **weir_model_dup_diagnostic_blocks (WeirModel *model);

/* What the text of a parameter comes to, as text: "0.5" of "k/4". @uses: (out) (nullable) what its
 * names mean there: "plant.k = 2, g = 9.81". NULL and @error if it has no value. Looks at what is
 * around the block only. (transfer full) both */
char *weir_model_evaluate_parameter (WeirModel *model, guint32 block, const char *parameter,
                                     char **uses, GError **error);

/* What the types of blocks say of them (WeirBlockType.describe), with the values that outer levels
 * give: for each an empty line, its path, the text. (transfer full) */
char *weir_model_describe_blocks (WeirModel *model, WeirDescription what);

/* The checked parameter values of a block with its expressions evaluated, and with what its texts
 * find around it. NULL if they do not parse. (transfer full) */
WeirArguments *weir_model_dup_arguments (WeirModel *model, guint32 block);

/* The physical units of ports, where they are known, and of what parts of networks have beside:
 * "C1.v", "J1.flange.phi". */
typedef struct {
  char *path;        /* "plant.spring.force" */
  char *unit;        /* "N" */
  gboolean is_given; /* by the block or the model; else it follows from what comes in */
} WeirPortUnit;
/* Block by block, inputs first, other values last. (transfer full), of WeirPortUnit. */
GArray *weir_model_list_units (WeirModel *model);

/* The name of a recorded signal for people: of an input ("Scope.in1", "Scope.in1[2]") the port that
 * drives it ("Pendulum.theta"), of anything else the path itself. (transfer full) */
char *weir_model_dup_signal_name (WeirModel *model, const char *path);
/* Does a recorded signal change at updates only, and is held in between? */
gboolean weir_model_is_signal_held (WeirModel *model, const char *path);

/* Points for linear analysis that are saved with the model (weir_key_points): where, and the words.
 * (element-type WeirSavedPoint) (transfer full) */
typedef struct {
  char *path; /* of a port: "plant.y" */
  char *words;
} WeirSavedPoint;

GArray *weir_model_list_points (WeirModel *model);

/* A wire that a matching rule of terminals asks for. */
typedef struct {
  WeirWireEnd from, to; /* of one diagram */
  guint32 replaces;     /* the wire that is at @to; 0: none */
} WeirTerminalWire;

/* Those that are not there between a terminal of an FMU block and the one that it is joined with.
 * (element-type WeirTerminalWire) (transfer full) */
GArray *weir_model_list_terminal_wires (WeirModel *model, guint32 block, const char *terminal);

/* @aspects, in which two models differ (patch.h), with values that others may be computed from told
 * apart: a running system can take them over (parameters), or it cannot (structure). Looks at all
 * of both models where it must. */
WeirAspects weir_aspects_resolve (WeirAspects aspects, WeirModel *a, WeirModel *b);

/* --- What is derived from a model ----------------------------------------------------------------
 */

/* The completed system and what was found on the way. Survives looks and analysis points. */
typedef struct _WeirCompletion WeirCompletion;
extern WeirDerivedKind weir_derived_completion;
WeirSystem *
weir_completion_get_system (const WeirCompletion *self); /* NULL with errors. (transfer none) */
const WeirDiagnostics *
weir_completion_get_diagnostics (const WeirCompletion *self); /* (transfer none) */
/* Makes now what a completion of @model is to share with those of its edits: an edit that is made
 * while the first is under way shares it too. O(1). */
void weir_model_prepare_completion (WeirModel *model);
WeirCompletion *weir_completion_ref (WeirCompletion *self);
void weir_completion_unref (WeirCompletion *self);

/* What weir_model_dup_signal_sizes() gives: survives values and settings too, and names but those
 * of ports, which are structure. */
extern WeirDerivedKind weir_derived_signal_sizes;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirCompletion, weir_completion_unref)

/* A file with a program that a model holds. */
typedef struct {
  char *name;     /* of the file, without its folder */
  char *checksum; /* what trust is in (fmi/trust.h) */
} WeirForeignProgram;

/* Those of the model's blocks that are not trusted, each once. Nothing is run. (element-type
 * WeirForeignProgram) (transfer full) */
GPtrArray *weir_model_list_untrusted (WeirModel *model);
/* Whether there are any in its blocks, trusted or not. */
gboolean weir_model_has_foreign_programs (WeirModel *model);
/* For good, or for this process. FALSE and @error: it cannot be written down. */
gboolean weir_foreign_program_trust (const WeirForeignProgram *self, gboolean for_good,
                                     GError **error);
/* From here on programs that are trusted are audited (fmi/audit.h) when a model with them is
 * completed. */
void weir_foreign_program_allow_audits (void);

G_END_DECLS
