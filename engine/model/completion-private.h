/* Completion in three steps: instances and wires (completion-instances.c, completion-wires.c),
 * sizes (completion-sizes.c), systems (completion-build.c). Everything here lives during one call.
 */
#pragma once

#include "equations/expressions/unit.h"
#include "model/completion.h"
#include "model/model-private.h"

G_BEGIN_DECLS

typedef struct _WeirInstance WeirInstance;
typedef struct _WeirBindings WeirBindings; /* bindings-private.h */
typedef struct _WeirLeaves WeirLeaves;     /* derived-private.h */
typedef struct _WeirInstancePort WeirInstancePort;

struct _WeirInstancePort {
  WeirInstance *owner;
  const char *name;
  guint declared;         /* size that the block insists on; 0 = takes what comes */
  guint size;             /* 0 = not known */
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
  WeirInstance *parent;           /* NULL at the top */
  const WeirBlock *block;         /* NULL at the top */
  WeirDiagram *diagram;           /* of the top and of Subsystems: as it runs, owned */
  char *path;                     /* "" at the top */
  const char *folder;             /* of the top: where the model's file is, borrowed, or NULL */
  guint64 n_numbers;              /* of the top: that the leaves built so far keep */
  const WeirBlockType *type;      /* NULL: unknown, or a Subsystem */
  const WeirArguments *arguments; /* NULL: do not parse, or a Subsystem */
  WeirArguments *evaluated;       /* the same, owned, of a block with expressions */
  gboolean gives_starts; /* of a diagram: it or one around it gives blocks values at the start */
  GArray *starts;        /* of WeirOuterStart: what outer levels give; NULL = nothing */
  gboolean are_ports_known;
  gboolean is_grounded;   /* commented out: takes what comes, and gives zeros */
  gboolean is_in, is_out; /* In and Out; @outer is their port of the Subsystem around them */
  WeirInstancePort *outer;
  WeirInstancePort *inputs, *outputs;
  guint n_inputs, n_outputs;
  GPtrArray *children; /* of WeirInstance, owned, in order of id; NULL without a diagram */

  gboolean is_queued; /* its output sizes are to be computed again */
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
  WeirBindings *bindings;
  WeirDiagnostics *diagnostics;
  WeirChecks checks;
  GHashTable
      *used; /* set of names: values at the start that outer levels give and some block takes */
} WeirCompleting;

void weir_instance_free (WeirInstance *self);
/* The instance of the whole model and all within it. (transfer full) */
WeirInstance *weir_instance_new_top (WeirModel *model, WeirBindings *bindings, WeirChecks checks,
                                     WeirDiagnostics *diagnostics);

/* Is this meant for a block within? */
gboolean weir_name_is_start (const char *name);
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
/* Sizes of all ports to a fixed point; NET03. */
void weir_instance_find_sizes (WeirInstance *top, WeirDiagnostics *diagnostics);
/* The unit of every signal, as far as it is known; with @diagnostics UNI01, UNI03, UNI04. */
void weir_instance_find_units (WeirInstance *top, WeirDiagnostics *diagnostics);
/* The sentences of the model about dependencies; DEP01, DEP02. */
void weir_model_check_assertions (WeirModel *model, WeirSystem *system, WeirBindings *bindings,
                                  WeirDiagnostics *diagnostics);
/* Systems from the leaves up; NET02, NET03, NET04, PAR02. */
/* @leaves: systems that need not be built again. @solves_loops: algebraic loops are no error. */
void weir_instance_build (WeirInstance *top, WeirLeaves *leaves, gboolean solves_loops,
                          WeirDiagnostics *diagnostics);

/* Hints about a system that could be built: SEM01 a discrete block whose delay is no whole period,
 * SEM02 one whose output is not held, as what comes in changes between ticks. */
void weir_instance_find_hints (const WeirInstance *top, WeirDiagnostics *diagnostics);

G_END_DECLS
