/* What went wrong in a run, or what its blocks say of it, as data: why it failed, where what it
 * gives stopped making sense, what ended it.
 *
 * A sentence for people, and beside it what a window can lead to and act upon: the block, the value
 * or state, the time, and settings or blocks that may help. Immutable once a simulator lists it.
 *
 * Thread: *any*.
 */
#pragma once

#include "base/diagnostic.h"
#include "base/message.h"
#include "base/visibility.h"
#include "system/layout/layout.h"

WEIR_BEGIN_DECLS

typedef enum {
  WEIR_TROUBLE_OTHER,
  WEIR_TROUBLE_NOT_FINITE, /* a value became infinite, or not a number, from operands that were */
  WEIR_TROUBLE_RAN_AWAY,   /* a state grew beyond all bounds */
  WEIR_TROUBLE_NO_VALUE,   /* a calculation or a handler refused to give a value */
  WEIR_TROUBLE_LOOP,       /* an algebraic loop has no solution, or none was found */
  WEIR_TROUBLE_STEP,       /* no step meets the tolerance, or the run stalls */
  WEIR_TROUBLE_EVENTS,     /* events chatter, pile up, or follow from each other without end */
  WEIR_TROUBLE_LIMIT,      /* a limit that was set was reached */
  WEIR_TROUBLE_CROSSINGS,  /* zero crossings may have been missed */
  WEIR_TROUBLE_NOTE,       /* a block has something to say; a hint, or a warning */
  WEIR_TROUBLE_END,        /* a block or unit ended the run before its time; a hint */
} WeirTroubleKind;

typedef enum {
  WEIR_REMEDY_MAX_STEP,           /* a longest step of value */
  WEIR_REMEDY_STEP,               /* a step of value, of a method that keeps its step */
  WEIR_REMEDY_SOLVER,             /* another solver */
  WEIR_REMEDY_RELATIVE_TOLERANCE, /* another tolerance: value */
  WEIR_REMEDY_ABSOLUTE_TOLERANCE,
  WEIR_REMEDY_MAX_STEPS, /* a larger limit: value, 0 = none */
  WEIR_REMEDY_STOP_TIME, /* an end before it: value */
  WEIR_REMEDY_GUESS,     /* a Guess block where the loop is cut: at the trouble's block and port */
} WeirRemedyKind;

/* What may help against a trouble. */
typedef struct {
  WeirRemedyKind kind;
  double value;       /* of the setting, in SI units; NAN: it has none */
  const char *solver; /* its name; else NULL. Static */
} WeirRemedy;

#define WEIR_MAX_REMEDIES 4

/* What went wrong in a run, and what may help; or what a block said of it. */
typedef struct {
  WeirTroubleKind kind;
  WeirSeverity severity; /* an error ended the run, a warning did not */
  double time;           /* s */
  WeirNode node;         /* of the layout of the run; the root: the whole model */
  WeirEntry entry;       /* whose value it is about; WEIR_NO_INDEX: none */
  guint element;         /* of that value */
  double value;          /* of the element or state, where there is one */
  guint state;           /* of the whole vector, or whose derivative it is; G_MAXUINT: none */
  char *path;            /* of the block: "plant.pendulum"; "" for the whole model */
  char *subject;         /* the port, state or other value of it, "y"; NULL: none */
  WeirMessage *message;  /* one sentence, with block and time */
  const char *text;      /* of it, in English */
  guint n_remedies;      /* the most promising first */
  WeirRemedy remedies[WEIR_MAX_REMEDIES];
} WeirTrouble;

/* Of the whole model, about no value. @message is taken over. (transfer full) */
WeirTrouble *weir_trouble_new (WeirTroubleKind kind, WeirSeverity severity, double time,
                               WeirMessage *message);
WeirTrouble *weir_trouble_ref (WeirTrouble *self);
void weir_trouble_unref (WeirTrouble *self);

/* Says what it is about; the path and subject follow. @entry may be WEIR_NO_INDEX, @state
 * G_MAXUINT; @node is then what counts. */
void weir_trouble_set_place (WeirTrouble *self, const WeirLayout *layout, WeirNode node,
                             WeirEntry entry, guint element, guint state);
/* Beyond WEIR_MAX_REMEDIES they are left out. */
void weir_trouble_add_remedy (WeirTrouble *self, WeirRemedyKind kind, double value,
                              const char *solver);

/* The setting of a model that the remedy changes ("max-step", "solver", ...), or NULL where it is a
 * block that it adds. Static. */
const char *weir_remedy_get_setting (const WeirRemedy *self);
/* What that setting would be: "0.001", "cvode-bdf"; NULL where there is none. (transfer full) */
char *weir_remedy_dup_setting_value (const WeirRemedy *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirTrouble, weir_trouble_unref)

WEIR_END_DECLS
