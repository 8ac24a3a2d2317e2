/* The parameters of a model in one index, by role: what each is called, what it is worth, where the
 * names in it were found, and where a running context keeps it.
 *
 * A path is resolved once, to an entry and an element of it; after that a parameter is set by its
 * slot. Thread: *immutable*.
 */
#pragma once

#include "model/tree/model.h"
#include "model/tree/patch.h"
#include "system/structure/system.h"

G_BEGIN_DECLS

typedef enum {
  WEIR_PARAMETER_TUNABLE,  /* of a block, and can change while it runs: has a slot */
  WEIR_PARAMETER_INITIAL,  /* a value of state at the start */
  WEIR_PARAMETER_DISCRETE, /* changes at events only */
  WEIR_PARAMETER_CONSTANT, /* shapes its block */
  WEIR_PARAMETER_VARIABLE, /* of a Subsystem or the model: others are computed from it */
} WeirParameterRole;

const char *weir_parameter_role_get_name (WeirParameterRole role);

typedef struct {
  char *path; /* "plant.spring.k"; "g" of the model */
  WeirParameterRole role;
  const char *text; /* as written, or the type's default; NULL: it stands in a text of equations */
  double *value; /* in the parameter's unit; NULL if it has none, which completion reports. NAN: an
                    element for which no initial value is given */
  guint size;
  char *unit;                 /* or NULL */
  guint32 block;              /* the owner's id; 0 = the model */
  const char *leaf_parameter; /* of a tunable one: its name in the leaf; else NULL */
  char *origin;    /* "k is plant.k, g is g": what the names in the text mean; NULL = no names */
  const char *own; /* the block's own text, where an outer level's value wins over it; else NULL */
  gboolean is_hidden; /* "plant.Initial(x)": for those who ask */
  gboolean has_slot;
  WeirNode node;
  WeirParameter slot;
} WeirParameterEntry;

typedef struct _WeirParameters WeirParameters;

/* @system: completed from @model, for slots; may be NULL. (transfer full) */
WeirParameters *weir_parameters_new (WeirModel *model, WeirSystem *system);
/* Those of one block, without slots. Looks at what is around it only. (transfer full) */
WeirParameters *weir_parameters_new_of_block (WeirModel *model, guint32 block);
void weir_parameters_free (WeirParameters *self);
guint weir_parameters_get_size (const WeirParameters *self);
/* By role, then by path. (transfer none) */
const WeirParameterEntry *weir_parameters_get (const WeirParameters *self, guint i);
/* The entry that a path such as "plant.k" or "plant.k[3]" names, and which element, from 0; all of
 * them: G_MAXUINT. NULL if there is none. (transfer none) */
const WeirParameterEntry *weir_parameters_find (const WeirParameters *self, const char *path,
                                                guint *element);

/* Of the values that a running context keeps (leaf_parameter), those that are others in @after than
 * in @before, however the model comes to them: by a text that was edited, or a name that was. Those
 * that are not allowed are left out. Costs what the edits cost where nobody else can name what they
 * change. @known: (inout) the parameters of @before, or NULL; then those of @after, or NULL. */
typedef void (*WeirTunedFunc) (const WeirParameterEntry *entry, gpointer data);
void weir_model_visit_tuned (WeirModel *before, WeirModel *after, WeirParameters **known,
                             WeirTunedFunc func, gpointer data);

/* Adds to @patch, of @model, the text @value for the parameter that a path such as
 * "plant.pendulum.length" names: of a block, or of the equations that it holds or extends. A patch
 * takes one for each block. FALSE and @error: a sentence. */
gboolean weir_patch_assign (WeirPatch *patch, WeirModel *model, const char *path, const char *value,
                            GError **error);
/* @model with that. (transfer full) */
WeirModel *weir_model_assign (WeirModel *model, const char *path, const char *value,
                              GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirParameters, weir_parameters_free)

G_END_DECLS
