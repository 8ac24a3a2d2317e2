/* What the files of the inspector share.
 *
 * inspector.c decides which fields there are; inspector-field.c is one field's widgets, but for
 * its slider (inspector-slider.c) and how it is given to a study (inspector-study.c);
 * inspector-edit.c reads a field's text from the model and writes it there.
 */
#pragma once

#include "panels/inspector.h"

G_BEGIN_DECLS

struct _WeirInspector {
  GtkWidget parent;
  WeirDocument *document;
  gulong changed_handler;
  GtkWidget *box;
  GtkWidget *help;   /* label at the foot */
  GPtrArray *fields; /* WeirField */
  GArray *blocks;    /* guint32: those selected; none = settings */
  guint shape;       /* of the fields made, to tell when they must be made anew */
  guint drag;        /* counts uses of sliders, for one undo step each */
  gboolean updating;
};

typedef enum {
  WEIR_FIELD_NAME,
  WEIR_FIELD_DESCRIPTION,
  WEIR_FIELD_PARAMETER,
  WEIR_FIELD_VARIABLE, /* of the model */
  WEIR_FIELD_SETTING,
  WEIR_FIELD_TITLE,
  WEIR_FIELD_UNIT,  /* a setting of a Subsystem that is a unit of co-simulation */
  WEIR_FIELD_START, /* a parameter of the FMU that a block names */
} WeirFieldKind;

/* It lives as long as its widget. */
typedef struct {
  WeirInspector *inspector; /* NULL once it is no longer shown */
  WeirFieldKind kind;
  WeirParameterSpec spec; /* of a parameter or setting; its texts are static. No default: a name
                             that was added to a Subsystem or the model and can be removed */
  guint32 owner; /* of a promoted parameter: the block inside that has it; 0 = those selected */
  char *caption;
  char *details;       /* what it means, its range and default */
  GString *start;      /* of a parameter of an FMU: what it was when it was asked last */
  gboolean has_tuning; /* its value may be changed while running */

  GtkWidget *group;     /* all of it */
  GtkWidget *widget;    /* GtkEntry, GtkDropDown, GtkSwitch or GtkTextView: what takes the value */
  GtkWidget *slider;    /* or NULL */
  GtkWidget *range;     /* where the slider ends, in words; if there is one */
  GtkWidget *limits[2]; /* entries: its lower and upper end */
  double typed[2];      /* the range that was typed, as it is shown; 0, 0: none */
  GtkWidget *reset, *promote; /* buttons, or NULL */
  GtkWidget *evaluated;       /* what an expression comes to */
  GtkWidget *problem;         /* what is wrong with what is typed */
} WeirField;

/* inspector-field.c */
WeirField *weir_field_new (WeirInspector *inspector, WeirFieldKind kind,
                           const WeirParameterSpec *spec, const char *prefix, guint32 owner);
/* Of what it is for people; that of an FMU's parameter is the file's word. */
const char *weir_field_get_label (const WeirField *self);
void weir_field_enter (WeirField *self);  /* what is typed there */
void weir_field_update (WeirField *self); /* shows what the model has */

/* inspector-slider.c */
void weir_field_add_slider (WeirField *self); /* with its range below it */
/* It shows what the field does; hidden where that is no number. */
void weir_field_update_slider (WeirField *self);

/* inspector-study.c */
/* Its row is dragged by @caption, and the menu of its entry has "Vary in Study". */
void weir_field_add_study (WeirField *self, GtkWidget *caption);

/* inspector-edit.c */
/* Shows what the field with the focus means. NULL: none has it. */
void weir_inspector_explain (WeirInspector *self, const char *text);
void weir_inspector_explain_error (WeirInspector *self, const GError *error);
/* Its block is no longer shown; but what has the focus hears that it loses it only after that. */
gboolean weir_field_is_gone (const WeirField *self);
/* Blocks that a field is about: GArray of guint32. (transfer full) */
GArray *weir_field_list_blocks (const WeirField *self);
/* Key of block metadata: a parameter that the Subsystem around shows as its own. */
extern const WeirMetadataKey weir_key_promoted;
void weir_field_show_problem (WeirField *self, const char *text);
void weir_field_show_error (WeirField *self, const GError *error);
/* Borrowed; NULL if the blocks have different ones. */
const char *weir_field_get_text (const WeirField *self);
gboolean weir_field_is_default (const WeirField *self);
gboolean weir_field_is_promoted (const WeirField *self);
/* "= 0.5 (plant.k = 2)" of an expression; NULL of a plain value. (transfer full) */
char *weir_field_dup_evaluated (const WeirField *self);
/* Whether @entered would be taken: in the kind and range of the parameter, and sensible to the
 * block. @text: (out) (transfer full) what the model would keep. */
gboolean weir_field_check (const WeirField *self, const char *entered, char **text, GError **error);
/* Writes it as one undo step; NULL = the default. @merge_key: as weir_document_edit(). TRUE:
 * nothing was to be written, since the model has it already, though perhaps in other words. */
gboolean weir_field_commit (WeirField *self, const char *entered, const char *merge_key);
/* Adds "k = 2" to the Subsystem shown, or to the model. */
gboolean weir_inspector_add_name (WeirInspector *self, const char *entered, GError **error);
/* Whether the Subsystem shown is a unit of co-simulation. */
void weir_inspector_set_unit (WeirInspector *self, gboolean is_unit);
void weir_field_set_promoted (WeirField *self, gboolean promoted);

G_END_DECLS
