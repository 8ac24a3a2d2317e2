/* Completion in three steps: instances and wires (completion-instances.c, completion-wires.c),
 * sizes (completion-sizes.c), systems (completion-build.c). Everything here lives during one call.
 */
#pragma once

#include "base/arena.h"
#include "equations/expressions/unit.h"
#include "model/completion/completion.h"
#include "model/tree/model-private.h"
#include "fmi/description.h"
#include "network/network.h"

G_BEGIN_DECLS

typedef struct _WeirInstance WeirInstance;
typedef struct _WeirBindings WeirBindings;
typedef struct _WeirLeaves WeirLeaves;
typedef struct _WeirInstancePort WeirInstancePort;

/* The leaf of a network. */
typedef struct {
  WeirInstance *home; /* the diagram that it stands in */
  WeirSystem *system; /* owned; NULL with errors */
  guint number;       /* of the child, in the diagram that is being built */
} WeirNetworkLeaf;

/* A port that a diagram has for a signal of a part whose network's leaf stands further out. */
typedef struct {
  WeirInstancePort *port;
  gboolean is_input;       /* of the part: the diagram has an output */
  const WeirInstance *via; /* the Subsystem within that has it too; NULL: the part is of this one */
  guint inner, number;     /* of @via's port and of the diagram's own */
} WeirTap;

struct _WeirInstancePort {
  WeirInstance *owner;
  const char *name;
  guint declared;         /* size that the block insists on; 0 = takes what comes */
  guint size;             /* 0 = not known; of an abstract value 1 */
  const char *type;       /* of an abstract value, "s" or "ay"; NULL: numbers. What a Subsystem, an
                             In or an Out has is that of its source */
  const char *mime_type;  /* NULL: any */
  const char *unit_text;  /* as the block or the model writes it; NULL = not written anywhere */
  gboolean has_unit;      /* given, or that of what comes in */
  gboolean is_unit_given; /* to this port */
  WeirUnit unit;

  /* Of an input. */
  guint mark, depth;        /* of the search for loops: where it is on the stack */
  WeirInstancePort *source; /* the output wired to it, of the same diagram; NULL = none */
  const WeirWire *wire;
  WeirInstancePort *next; /* the next input with the same source */

  /* Of an output. */
  WeirInstancePort *consumers; /* first of the inputs wired to it */
};

/* One block of the model, or the whole model as the Subsystem at the top. Blocks with errors keep
 * their place, so that everything else can still be checked. */
struct _WeirInstance {
  WeirInstance *parent;      /* NULL at the top */
  const WeirBlock *block;    /* NULL at the top */
  WeirDiagram *diagram;      /* of the top and of Subsystems: as it runs, owned */
  char *path;                /* "" at the top */
  WeirArena *arena;          /* of the top: all instances with their paths and ports are in it */
  const char *folder;        /* of the top: where the model's file is, borrowed, or NULL */
  guint64 n_numbers;         /* of the top: that the leaves built so far keep */
  const WeirBlockType *type; /* NULL: unknown, or a Subsystem */
  const WeirArguments *arguments; /* NULL: do not parse, or a Subsystem */
  WeirArguments *evaluated;       /* the same, owned, of a block with expressions */
  gboolean gives_starts; /* of a diagram: it or one around it gives blocks values at the start */
  GArray *starts;        /* of WeirOuterStart: what outer levels give; NULL = nothing */
  gboolean are_ports_known;
  gboolean is_grounded;   /* commented out: takes what comes, and gives zeros */
  gboolean is_in, is_out; /* In and Out; @outer is their port of the Subsystem around them */
  gboolean is_pin;        /* Pin, whose @terminal is a pin of the Subsystem around it too */
  WeirTerminal terminal;
  guint part;               /* of a part: its number among the parts + 1; else 0 */
  WeirNetworkLeaf *network; /* that it is of, borrowed; NULL: it is no part, or has errors */
  GPtrArray *networks;      /* of a diagram: of WeirNetworkLeaf, owned; NULL = none */
  GArray *taps;             /* of WeirTap; NULL = none; while systems are built */
  WeirInstancePort *outer;
  WeirInstancePort *inputs, *outputs;
  guint n_inputs, n_outputs;
  GPtrArray *children; /* of WeirInstance, owned, in order of id; NULL without a diagram */

  gboolean is_queued; /* its output sizes are to be computed again; */
  WeirInstance *next; /* after it, those of that one; NULL = it is the last */
  guint n_updates;
  gboolean is_doubtful; /* it, or something that it depends on, has an error: sizes mean nothing */
  gboolean has_too_many_ports; /* to be numbered: no system can be built */
  gboolean is_misnamed;        /* its name is bad, or that of another block */
  WeirSystem *system;          /* owned; NULL until built, and with errors */
  guint number; /* of the child, or of an In of the input, in the diagram that is being built */
};

/* A value at the start that an outer level gives. */
typedef struct {
  const char *name; /* within the block: "initial", "Initial(x)"; borrowed */
  char *text;
  guint depth; /* of the level; 0 = the model */
} WeirOuterStart;

/* Gives the texts of a block that lack names what is around it. */
void weir_instance_look_around (WeirInstance *self, WeirBindings *bindings);

/* Of an FMU block, the ports that its file tells of: of WeirPortSpec, whose names stay. FALSE after
 * reporting why there are none. @folder: of the model, or NULL. */
gboolean weir_instance_list_fmu_ports (const WeirInstance *self, const char *folder,
                                       GArray **inputs, GArray **outputs,
                                       WeirDiagnostics *diagnostics);
/* What its file says; NULL: it is no FMU block, or none that can be read. (transfer none) */
const WeirFmuDescription *weir_instance_find_fmu_description (const WeirInstance *self,
                                                              const char *folder);
/* Its leaf; a warning if it is not to be run yet. NULL and @error. (transfer full) */
WeirSystem *weir_instance_build_fmu (const WeirInstance *self, const char *folder,
                                     WeirDiagnostics *diagnostics, GError **error);

static inline int
weir_instance_get_line (const WeirInstance *self)
{
  return self->block != NULL ? self->block->line : 0;
}

static inline guint32
weir_instance_get_id (const WeirInstance *self)
{
  return self->block != NULL ? self->block->id : 0;
}

/* What is to be known of all instances. */
typedef struct {
  WeirModel *model;
  WeirArena *arena;
  WeirBindings *bindings;
  WeirDiagnostics *diagnostics;
  WeirChecks checks;
  GHashTable
      *used; /* set of names: values at the start that outer levels give and some block takes */
  const GArray *path; /* of guint32: only these blocks are made; NULL = all */
} WeirCompleting;

void weir_instance_free (WeirInstance *self);
/* The instance of the whole model and all within it. (transfer full) */
/* The block of that id in a Subsystem whose children are all there; NULL if there is none. */
WeirInstance *weir_instance_find_child (const WeirInstance *self, guint32 id);
WeirInstance *weir_instance_new_top (WeirModel *model, WeirBindings *bindings, WeirChecks checks,
                                     WeirDiagnostics *diagnostics);
/* The same of a block and the Subsystems around it alone, without wires: all that its parameters
 * may depend on. Other blocks that wires or values at the start would need are not missed. NULL in
 * @block if there is no such block. (transfer full) */
WeirInstance *weir_instance_new_path (WeirModel *model, WeirBindings *bindings, guint32 id,
                                      WeirInstance **block, WeirDiagnostics *diagnostics);

/* Is this meant for a block within? */
static inline gboolean
weir_name_is_start (const char *name)
{
  return strchr (name, '.') != NULL;
}

/* Does a Subsystem, or the model (NULL), give values at the start for blocks within it? */
gboolean weir_instance_gives_starts (const WeirCompleting *completing, const WeirInstance *level);
/* What outer levels give a block at the start. */
void weir_instance_find_starts (WeirInstance *self, const WeirCompleting *completing);
/* The text of a parameter with what outer levels give instead of @text; NULL if they give nothing.
 * (transfer full) */
char *weir_instance_dup_start_text (const WeirInstance *self, const char *parameter,
                                    const char *text);
/* What outer levels give for a parameter; NULL if nothing. */
const char *weir_instance_get_start (const WeirInstance *self, const char *parameter);
/* Values at the start that no block takes; PAR03. */
void weir_instance_check_starts (const WeirCompleting *completing, const WeirInstance *level);
/* The sources of all inputs of a diagram; NET01, NET06, NET07. */
void weir_instance_connect_wires (WeirInstance *self, WeirDiagnostics *diagnostics);
/* Whether what @output carries is what @input takes. */
gboolean weir_instance_port_fits (const WeirInstancePort *input, const WeirInstancePort *output);
/* Sizes of all ports to a fixed point, and what they carry; NET03, NET11. */
void weir_instance_find_sizes (WeirInstance *top, WeirDiagnostics *diagnostics);
/* Wires between terminals of FMUs that contradict their matching rules; FMU32. */
void weir_instance_check_terminals (const WeirInstance *top, WeirDiagnostics *diagnostics);
/* The unit of every signal, as far as it is known; with @diagnostics UNI01, UNI03, UNI04. */
void weir_instance_find_units (WeirInstance *top, WeirDiagnostics *diagnostics);
/* The sentences of the model about dependencies; DEP01, DEP02. */
void weir_model_check_assertions (WeirModel *model, WeirSystem *system, WeirBindings *bindings,
                                  WeirDiagnostics *diagnostics);
/* Systems from the leaves up; NET02, NET03, NET04, PAR02. */
/* @leaves: systems that need not be built again. @solves_loops: algebraic loops are no error. */
void weir_instance_build (WeirInstance *top, const WeirModel *model, WeirLeaves *leaves,
                          gboolean solves_loops, WeirDiagnostics *diagnostics);

/* Is it a Subsystem that is to be a unit of co-simulation? */
gboolean weir_instance_is_unit (const WeirInstance *self);
/* The unit's leaf in place of its system; COS01, COS02. */
void weir_instance_make_unit (WeirInstance *self, const WeirModel *model,
                              WeirDiagnostics *diagnostics);
/* Of a block that is no Subsystem; COS01. */
void weir_instance_check_no_unit (const WeirInstance *self, WeirDiagnostics *diagnostics);

/* Parts whose text is another by now, or was not understood: PRT01 that of a file, PRT02 a default
 * of a built-in one, PRT03 what a built-in one computes, PRT04 a file, PRT05 a text of the model.
 */
void weir_model_check_parts (WeirModel *model, WeirDiagnostics *diagnostics);
/* The leaves of all networks, each with the diagram where it is to stand: LIN01, LIN02, LIN03, and
 * what the equations lack. */
void weir_instance_build_networks (WeirInstance *top, WeirDiagnostics *diagnostics);
/* Of a diagram: is there a leaf for each of its parts? */
gboolean weir_instance_are_networks_built (const WeirInstance *self);
/* The port of the leaf that stands for a signal of a part. */
WeirInput weir_instance_port_find_input (const WeirInstancePort *port);
WeirOutput weir_instance_port_find_output (const WeirInstancePort *port);
/* Lists the taps of a diagram, after those of the Subsystems within it. */
void weir_instance_find_taps (WeirInstance *self);
/* NULL if the diagram has none for the port. */
const WeirTap *weir_instance_find_tap (const WeirInstance *self, const WeirInstancePort *port);
char *weir_tap_dup_name (const WeirTap *tap, const WeirInstance *within); /* (transfer full) */

/* Hints about a system that could be built: SEM01 a discrete block whose delay is no whole period,
 * SEM02 one whose output is not held, as what comes in changes between ticks. */
void weir_instance_find_hints (const WeirInstance *top, WeirDiagnostics *diagnostics);

/* --- Names in parameters (bindings.c) ------------------------------------------------------- */

/* Names in parameters: what "2*k" means where it stands.
 *
 * A parameter that is a number or a vector may be an expression over other parameters. A name means
 * the parameter of that name of the block itself; else that of the Subsystem around it, and so on
 * outwards; else the model's variable. A parameter's own name never means itself but the next one
 * outwards, so that "k = k" hands a value down. Everything is evaluated at most once; values that
 * go round in a circle are named.
 *
 * A value may have a unit: 5 "cm", or a name alone whose value has one. It is converted to the unit
 * of the parameter that it is for.
 *
 * Codes: PAR01 cycle, PAR02 does not parse, PAR04 unknown name, PAR05 bad name of a variable, PAR06
 * no number, UNI01 unknown unit, UNI02 a unit of another dimension. Lives during one completion.
 */
typedef struct _WeirBinding WeirBinding;

/* One named value. */
struct _WeirBinding {
  const WeirInstance *owner; /* NULL = the model */
  char *path;                /* "plant.spring.k", "g" */
  const char *name;          /* the last of it */
  const char *text;
  const WeirParameterSpec *spec; /* NULL: of a Subsystem or the model */
  enum { WEIR_BINDING_NEW, WEIR_BINDING_OPEN, WEIR_BINDING_DONE, WEIR_BINDING_FAILED } state;
  double *value; /* once done */
  guint size;
  gboolean has_unit;
  WeirUnit unit;
  GPtrArray *uses;     /* of WeirBinding: what its names mean; NULL = a plain value */
  gboolean is_named;   /* a value that a text of the owner names */
  gboolean is_tunable; /* of those: has a slot in the leaf */
  char *named_text;    /* owned; then @text */
};

WeirBindings *weir_bindings_new (WeirModel *model, WeirDiagnostics *diagnostics);
void weir_bindings_free (WeirBindings *self);
WeirModel *weir_bindings_get_model (const WeirBindings *self); /* (transfer none) */

/* The value that parameter @name of @owner has; NULL if it has no number, which is
 * reported once. */
const WeirBinding *weir_bindings_evaluate (WeirBindings *self, const WeirInstance *owner,
                                           const char *name);
/* What @name means outside of @owner: of the Subsystem around it, and so on; NULL if there is no
 * such name, or it has no number. */
const WeirBinding *weir_bindings_find_outside (WeirBindings *self, const WeirInstance *owner,
                                               const char *name);
/* Has @owner, which gives the parameter no value, one from around it (spec->outer)? */
gboolean weir_bindings_is_outer (WeirBindings *self, const WeirInstance *owner,
                                 const WeirParameterSpec *spec);
/* What is called much like @name there; NULL if nothing is. (transfer none) */
const char *weir_bindings_find_alike (const WeirBindings *self, const WeirInstance *owner,
                                      const char *name);
/* "plant, the model's variables": where that looks. (transfer full) */
WeirMessage *weir_bindings_describe_scopes (const WeirInstance *owner);
/* A value that a text of @owner names itself, or takes from @meant. */
void weir_bindings_add_named (WeirBindings *self, const WeirInstance *owner,
                              const WeirNamedValue *value, const WeirBinding *meant);
/* Every variable of the model, whether or not it is used. */
void weir_bindings_check_variables (WeirBindings *self);

/* Every binding that has been looked at, in order of path. (transfer container), of WeirBinding. */
GPtrArray *weir_bindings_list (WeirBindings *self);
/* Does the value of @binding depend on @other, however indirectly? */
gboolean weir_binding_depends_on (const WeirBinding *binding, const WeirBinding *other);

/* Calls @visit for every instance of the model, outermost first, then @finish while all of them
 * live. What goes wrong is not reported. */
void weir_model_visit_bindings (WeirModel *model,
                                void (*visit) (const WeirInstance *instance, WeirBindings *bindings,
                                               gpointer data),
                                void (*finish) (WeirBindings *bindings, gpointer data),
                                gpointer data);

/* --- Leaves (leaves.c) --------------------------------------------------------------------------
 */

/* The leaf systems of the last completion by type, parameters and sizes: survives every edit,
 * because its keys are all that a leaf is made of. */
extern WeirDerivedKind weir_derived_leaves;

/* Leaf systems that were built before. Thread: *any*. */
void weir_leaves_unref (WeirLeaves *self);
/* NULL if there is none. (transfer full) */
WeirSystem *weir_leaves_find (WeirLeaves *self, const char *type, const WeirTexts *parameters,
                              const guint *sizes, guint n_sizes);
void weir_leaves_add (WeirLeaves *self, const char *type, WeirTexts *parameters, const guint *sizes,
                      guint n_sizes, WeirSystem *system);
/* How many were added since the model was read. */
guint weir_leaves_get_n_added (WeirLeaves *self);
/* Forgets what has been neither added nor found since the last sweep. */
void weir_leaves_sweep (WeirLeaves *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirBindings, weir_bindings_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirLeaves, weir_leaves_unref)

G_END_DECLS
