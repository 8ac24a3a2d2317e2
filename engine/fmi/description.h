/* What an FMU says of itself: its modelDescription.xml and terminalsAndIcons.xml, of FMI 2.0
 * and 3.0.
 *
 * One shape for both versions. What the file only implies is filled in: defaults by causality, what
 * a declared type says, names for what is numbered. Variables are numbered from 0 in the order of
 * the file, and all else refers to them by that number. Files that break rules are read as far as
 * one can: the problem is told with its line, and what stands in its place is the cautious choice
 * (dependencies that cannot be understood are "on everything").
 *
 * Codes: FMU01 the archive cannot be read; FMU02 it has no description; FMU03 a version that is not
 * known; FMU04 something needed is missing or wrong; FMU05 a value is not understood; FMU06 an
 * element is not known; FMU07 no mode is offered; FMU08 a name is given twice; FMU09 a value
 * reference is given twice; FMU10 causality, variability and initial do not go together; FMU11 a
 * start value is missing, superfluous, or of the wrong number; FMU12 a unit or type is not defined;
 * FMU13 a variable that is referred to does not exist; FMU14 the structure of the model is not
 * whole; FMU15 dependencies and their kinds differ in number; FMU16 minimum, maximum, nominal and
 * start contradict each other; FMU17 dimensions make no sense or are too large; FMU18 time is not
 * declared once; FMU19 a library for this machine is missing; FMU20 a clock is incomplete; FMU21 a
 * name breaks the naming convention; FMU22 an integer that no double holds; FMU23 an enumeration is
 * incomplete; FMU24 a terminal is damaged; FMU28 texts are no ports. And those of base/xml.h.
 *
 * Thread: *any*, immutable.
 */
#pragma once

#include "base/diagnostic.h"
#include "fmi/archive.h"
#include "fmi/kinds.h"

G_BEGIN_DECLS

#define WEIR_FMU_DESCRIPTION_FILE "modelDescription.xml"
#define WEIR_FMU_NONE G_MAXUINT /* no variable, no type */

/* --- What it consists of --------------------------------------------------------------------- */

/* Who offers what in one mode. Flags that a version does not know are FALSE there. */
typedef struct {
  gboolean is_offered;
  const char *identifier; /* of the library and of functions with a prefix */
  gboolean needs_execution_tool;
  gboolean only_once_per_process;
  gboolean can_get_and_set_state;
  gboolean can_serialize_state;
  gboolean has_directional_derivatives;
  gboolean has_adjoint_derivatives;
  gboolean has_element_dependencies;
  gboolean has_evaluate_discrete_states;
  /* Model exchange. */
  gboolean needs_completed_step;
  /* Co-simulation. */
  gboolean can_vary_step;
  gboolean can_interpolate_inputs; /* 2.0 */
  gboolean can_run_asynchronously; /* 2.0 */
  gboolean has_intermediate_update;
  gboolean might_return_early;
  gboolean can_return_early_after_update;
  gboolean has_event_mode;
  double fixed_step; /* s; NAN: none */
  guint max_output_derivative_order;
  int input_smoothness; /* recommended */
} WeirFmuModeInfo;

enum { WEIR_FMU_N_BASE_UNITS = 8 }; /* kg, m, s, A, K, mol, cd, rad */

typedef struct {
  const char *name;
  double factor, offset; /* value in it = factor * value in the unit + offset; */
  gboolean is_inverse;   /* or factor / value in the unit */
} WeirFmuDisplayUnit;

typedef struct {
  const char *name;
  gboolean has_base; /* else nothing is known of it but its name */
  int exponents[WEIR_FMU_N_BASE_UNITS];
  double factor, offset; /* value in base units = factor * value + offset */
  const WeirFmuDisplayUnit *display_units;
  guint n_display_units;
  int line;
} WeirFmuUnit;

typedef struct {
  const char *name, *description;
  gint64 value;
} WeirFmuItem;

typedef struct {
  WeirFmuInterval interval;
  gboolean can_be_deactivated, has_fractions;
  guint priority;       /* G_MAXUINT: none */
  double period, shift; /* s; NAN: not said */
  guint64 resolution;   /* ticks in a second; 0: not said */
  guint64 period_ticks, shift_ticks;
} WeirFmuClock;

/* What variables of a declared type have in common, and what each variable has of it. */
typedef struct {
  WeirFmuType type;
  const char *quantity, *unit, *display_unit, *mime_type; /* NULL: not said */
  double min, max, nominal;                               /* NAN: not said */
  gboolean is_relative; /* a difference: the unit's offset does not count */
  gboolean is_unbounded;
  guint64 max_size;         /* bytes, of a binary; 0: not said */
  const WeirFmuItem *items; /* of an enumeration */
  guint n_items;
  const WeirFmuClock *clock; /* NULL: it is none */
} WeirFmuTraits;

typedef struct {
  const char *name, *description;
  WeirFmuTraits traits;
  int line;
} WeirFmuDeclaredType;

typedef struct {
  guint64 size;   /* at the start */
  guint variable; /* a structural parameter that gives it; WEIR_FMU_NONE: it is fixed */
} WeirFmuDimension;

typedef struct {
  const char *name, *description, *display_unit;
} WeirFmuAlias;

/* A start value that is no number: a string with its NUL, which is not counted, or bytes. */
typedef struct {
  const char *data;
  gsize size;
} WeirFmuText;

typedef struct {
  const char *name, *description;
  guint32 reference; /* what the functions know it by */
  WeirFmuCausality causality;
  WeirFmuVariability variability;
  WeirFmuInitial initial;
  WeirFmuTraits traits; /* with what the declared type says */
  guint declared_type;  /* or WEIR_FMU_NONE */
  guint alias_of; /* 2.0: the first variable with its reference and type; WEIR_FMU_NONE: it is */

  const WeirFmuDimension *dimensions;
  guint n_dimensions;
  gsize size; /* elements at the start, row by row; 1: a scalar */

  const double *start;            /* numbers, Booleans (0, 1); NULL: none */
  const WeirFmuText *start_texts; /* strings, binaries; NULL: none */
  guint n_start;                  /* size, or 1 for all elements, or 0 */

  guint derivative_of; /* the state whose derivative it is, or WEIR_FMU_NONE */
  guint derivative;    /* the derivative of this state, or WEIR_FMU_NONE */
  guint previous;      /* the value of this clocked state before, or WEIR_FMU_NONE */
  const guint *clocks; /* variables at whose ticks alone it changes */
  guint n_clocks;
  const WeirFmuAlias *aliases; /* 3.0: more names */
  guint n_aliases;
  gboolean can_be_reinitialized; /* a state that jumps at events */
  gboolean can_be_set_often;     /* several times at one instant */
  gboolean has_intermediate_update;
  int line;
} WeirFmuVariable;

/* An unknown of the structure and what it depends on. */
typedef struct {
  guint variable;
  const guint *dependencies; /* variables; NULL: all knowns, whatever their number says */
  guint n_dependencies;      /* 0 of those that are there: none */
  const guint8 *kinds;       /* WeirFmuDependencyKind of each; NULL: WEIR_FMU_DEPENDENT_KIND */
  int line;
} WeirFmuUnknown;

/* The lists of the structure, in the order of the file. */
typedef enum {
  WEIR_FMU_OUTPUTS,
  WEIR_FMU_DERIVATIVES,
  WEIR_FMU_CLOCKED_STATES,
  WEIR_FMU_INITIAL_UNKNOWNS,
  WEIR_FMU_EVENT_INDICATORS, /* 3.0; of 2.0 there is only the number */
  WEIR_FMU_N_UNKNOWNS,
} WeirFmuUnknowns;

typedef struct {
  double start_time, stop_time, tolerance, step; /* s; NAN: not said */
} WeirFmuExperiment;

typedef struct {
  const char *name, *description;
} WeirFmuLogCategory;

typedef struct {
  guint variable;
  const char *name; /* of the member; NULL: none */
  const char *kind; /* "signal", "inflow", "outflow", or another word */
} WeirFmuTerminalMember;

/* A group of ports that are connected together. */
typedef struct {
  const char *name, *matching_rule, *kind, *description;
  guint parent; /* the terminal that it is in, which stands before it; WEIR_FMU_NONE: none */
  const WeirFmuTerminalMember *members;
  guint n_members;
  int line;
} WeirFmuTerminal;

typedef struct _WeirFmuDescriptionPrivate WeirFmuDescriptionPrivate;

/* To be read only. */
typedef struct {
  int version;              /* 2 or 3 */
  const char *version_text; /* "3.0.1" */
  const char *name;         /* of the model */
  const char *token;        /* guid or instantiation token */
  const char *description, *author, *model_version, *copyright, *license, *tool,
      *date; /* or NULL */
  gboolean has_structured_names;
  WeirFmuModeInfo modes[WEIR_FMU_N_MODES];

  const WeirFmuVariable *variables;
  guint n_variables;
  guint time; /* the independent variable, or WEIR_FMU_NONE */
  const WeirFmuUnit *units;
  guint n_units;
  const WeirFmuDeclaredType *types;
  guint n_types;
  const WeirFmuUnknown *unknowns[WEIR_FMU_N_UNKNOWNS];
  guint n_unknowns[WEIR_FMU_N_UNKNOWNS];
  gsize n_states, n_indicators; /* elements at the start */
  WeirFmuExperiment experiment;
  const WeirFmuLogCategory *log_categories;
  guint n_log_categories;
  const WeirFmuTerminal *terminals;
  guint n_terminals;

  WeirFmuDescriptionPrivate *private;
} WeirFmuDescription;

/* --- Functions ------------------------------------------------------------------------------- */

/* Reads the description in @archive. Problems go to @diagnostics, which may name files within the
 * archive ("ball.fmu/modelDescription.xml"). NULL if one of them is an error. (transfer full) */
WeirFmuDescription *weir_fmu_description_read (WeirFmuArchive *archive,
                                               WeirDiagnostics *diagnostics);
/* The same of bytes. @terminals: of terminalsAndIcons.xml, or NULL. @name: of the first file in
 * diagnostics. (transfer full) */
WeirFmuDescription *weir_fmu_description_read_bytes (GBytes *bytes, GBytes *terminals,
                                                     const char *name,
                                                     WeirDiagnostics *diagnostics);
WeirFmuDescription *weir_fmu_description_ref (WeirFmuDescription *self);
void weir_fmu_description_unref (WeirFmuDescription *self);

/* A structural parameter, and what it is to be. */
typedef struct {
  guint variable;
  double value;
} WeirFmuSizing;

/* The same FMU with other values of structural parameters, which are the starts of those variables
 * in it: its arrays have other sizes. Starts stay by their indices; elements that the file has none
 * for start with 0. @self: as its file has it. NULL and @error, a sentence: a value makes no sense.
 * (transfer full) */
WeirFmuDescription *weir_fmu_description_resize (WeirFmuDescription *self,
                                                 const WeirFmuSizing *sizings, guint n,
                                                 GError **error);
/* As the file has it; itself where no structural parameter was given another value. (transfer none)
 */
const WeirFmuDescription *weir_fmu_description_get_base (const WeirFmuDescription *self);

/* Whether @archive holds the libraries that this machine needs: a warning for each mode that it
 * does not. */
void weir_fmu_description_check_libraries (const WeirFmuDescription *self,
                                           const WeirFmuArchive *archive,
                                           WeirDiagnostics *diagnostics);
/* "binaries/linux64/ball.so": where the library of a mode that is offered lies. (transfer full) */
char *weir_fmu_description_dup_library (const WeirFmuDescription *self, WeirFmuMode mode);

/* "names, pictures, …": inputs and outputs that are arrays of texts or bytes, or clocked ones,
 * which no wire carries; NULL: there are none. (transfer full) */
char *weir_fmu_description_dup_texts (const WeirFmuDescription *self);

/* A variable by name, aliases among that, or WEIR_FMU_NONE. */
guint weir_fmu_description_find (const WeirFmuDescription *self, const char *name);
/* A unit by name, or WEIR_FMU_NONE. */
guint weir_fmu_description_find_unit (const WeirFmuDescription *self, const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirFmuDescription, weir_fmu_description_unref)

G_END_DECLS
