/* What the files of a master share: cosim.c exchanges, steps.c is steps under way, participant.c is
 * one unit and what it sees, abstract.c is its values that are no numbers, feeding.c is what
 * becomes of its inputs between instants, control.c is how long steps are, absence.c is who takes
 * part, start.c begins, iterate.c repeats steps, cosim-state.c saves and loads.
 *
 * Of a participant its task reads and writes everything but what is said to be the owner's; between
 * the task's start and its end nobody else touches it, but for y_new, which those that come after
 * it read.
 */
#pragma once

#include "base/tasks.h"
#include "cosim/cosim.h"
#include "system/layout/units.h"
#include "system/structure/unit-maker.h"

G_BEGIN_DECLS

typedef struct _WeirParticipant WeirParticipant;
typedef struct _WeirIteration WeirIteration;

/* weir_cosim_plan_activity() */
typedef struct {
  guint unit;
  double from, until; /* s */
  WeirUnitActivity activity;
} WeirAbsence;

/* An input port of a unit. */
typedef struct {
  WeirInput in;
  gboolean is_abstract;
  guint offset, size;               /* in u; of an abstract value: its number among those, and 0 */
  GArray *feeds;                    /* WeirFeed: what its value follows from */
  guint64 *units;                   /* bits: the units among those */
  gboolean from_rest;               /* a state of the rest, or time, is among those */
  gboolean is_window;               /* it is an output of a unit as it is: */
  guint window_unit, window_offset; /* in y_new, or among abstract outputs */
  WeirGroup window_group;
  WeirUnitInputUse use;
  /* As the type and the list have it: */
  enum {
    WEIR_PORT_AT_INSTANT, /* the value of the communication instant */
    WEIR_PORT_WINDOW,     /* the unit's new output */
    WEIR_PORT_EVALUATED,  /* in the participant's context */
  } kind;
  gboolean is_overridden; /* fixed against its wire, so that none of that counts; the owner's */
} WeirInputPort;

struct _WeirParticipant {
  WeirCosim *cosim; /* borrowed */
  WeirUnitInfo info;
  guint i;
  char *path;
  gpointer instance;    /* NULL until the run begins */
  WeirInputPort *ports; /* n_inputs */
  guint64 *units;       /* bits: those that feed it */
  gboolean from_rest;
  GArray *fed;           /* WeirInputPlace: inputs of the rest that it feeds */
  double *u, *y, *y_new; /* y: at the end of the last step that has ended; y_new: of the last */
  double *y_trial;       /* what others see of it while steps are repeated; the owner's */
  GVariant **abstract_u, **abstract_y, **abstract_y_new, **abstract_y_trial; /* the same */
  gboolean is_shaped; /* some input is not just held */
  double *known;      /* u at the instant where the step begins, and at the two before; if shaped */
  gint64 known_at[3]; /* which instants those are */
  guint n_known;      /* of them, 0 to 3 */
  double *slopes;     /* of the step: first, second powers; if shaped */
  GBytes *started;    /* the instance where the step began, while steps are repeated; the owner's */
  /* Where lengths of steps are controlled (control.c), the owner's: */
  double *past;       /* outputs at the two ends of steps before that of y */
  gint64 past_at[3];  /* instants of y and of those */
  guint n_past;       /* of them, 1 to 3 */
  double *supposed;   /* of the inputs, where the last step ended: n_u */
  gint8 *orders;      /* with which readers go on from an output; -1: nobody reads it */
  double *parameters; /* as the instance has them */
  guint n_parameter_values;
  gboolean is_cached; /* the instance computes with caches */

  /* As the type and the list have it: */
  guint *before; /* units that precede it */
  guint n_before;
  gboolean awaits_rest, is_before_rest;
  WeirContext *context;    /* where ports are evaluated; NULL: none are */
  GArray *given_sources;   /* WeirSource: those of such ports that are as at the instant */
  GArray *arrived_sources; /* and those that are as the rest arrives */
  GArray *window_feeds;    /* WeirFeed: and those that are new outputs */

  gint64 begins, ends;     /* instants; ends: -1 while no step is under way. The owner's */
  gboolean is_late;        /* its step has not been started, as it awaits the rest. The owner's */
  gboolean is_abandoned;   /* the owner's */
  WeirUnitActivity active; /* of the step */
  gboolean begins_anew;    /* before the step; */
  gboolean was_off;        /* the step before made nothing; the owner's */
  double t, t_end;         /* s; of the step */
  gboolean has_stepped, is_skipped;
  GError *error;
  WeirCosimStep step;
  guint64 log_first;   /* record of the change log, and when, before which the step could begin; */
  gint64 log_first_at; /* us, monotonic; the owner's */
  gint64 took;         /* us; the step, with all that was made of it again */
};

struct _WeirCosim {
  WeirMaster master;
  WeirSystem *root;     /* borrowed */
  WeirContext *context; /* borrowed */
  WeirLayout *layout;   /* borrowed */
  WeirParticipant **units;
  guint n;
  guint *list; /* n + 1 */
  gboolean has_rest;
  WeirStepSchedulingType type;
  gboolean is_planned; /* the participants know type and list: */
  WeirStepSchedulingType planned_type;
  WeirIteration *iteration; /* NULL: steps are not repeated */
  guint n_threads;
  WeirTasks *tasks;                              /* by unit */
  const gint *cancel;                            /* NULL: nobody can */
  double relative_tolerance, absolute_tolerance; /* to which repeated steps agree */
  double start, step, longest;                   /* s; the longest step of units; 0: step */
  gint64 most;   /* steps are at most so many communication steps; 1: always one */
  gint64 length; /* and so many as the last ones allow: a power of two */
  double communication_tolerance;
  WeirCosimStatistics statistics;
  WeirUnitWork *work; /* by unit */
  GArray *absences;   /* WeirAbsence, as they were said */
  GArray *late;       /* guint: those whose tasks wait for the rest; in the order of the list */
};

/* participant.c */
WeirParticipant *weir_participant_new (WeirCosim *cosim, const WeirUnitInfo *info, guint i,
                                       GError **error);
/* With ports that know all units. */
void weir_participant_look (WeirParticipant *self);
void weir_participant_free (WeirParticipant *self);
/* Makes the instance if there is none. */
gboolean weir_participant_make (WeirParticipant *self, GError **error);
/* Takes up the type and the list. @place: by unit, where it stands; the rest's at n. */
void weir_participant_plan (WeirParticipant *self, const guint *place);
/* At the beginning of a step, before the rest advances: what is as at the instant. */
gboolean weir_participant_take_given (WeirParticipant *self, GError **error);
/* When the rest has arrived. */
void weir_participant_take_arrived (WeirParticipant *self);
/* Values of the parameters that were changed, and whether to use caches. */
gboolean weir_participant_take_parameters (WeirParticipant *self, gboolean all, GError **error);
void weir_participant_note_parameters (WeirParticipant *self);
/* Must it wait for what unit @a (or WEIR_COSIM_REST) gives, where that stands before it? Not if all
 * that comes from there is marked as delayed. */
gboolean weir_participant_awaits (const WeirParticipant *self, guint a);
/* The task: the rest of the inputs, the step, the outputs. */
void weir_participant_step (gpointer participant);
/* Writes @y, and @abstract (nullable), into the root's context. TRUE: it was something else. */
gboolean weir_participant_write (WeirParticipant *self, const double *y, GVariant *const *abstract);

/* abstract.c */
void weir_participant_init_abstract (WeirParticipant *self);
void weir_participant_clear_abstract (WeirParticipant *self);
/* Lets go of *@to, and takes a reference of @from (nullable). */
void weir_abstract_set (GVariant **to, GVariant *from);
/* All abstract outputs. */
void weir_participant_copy_abstract (const WeirParticipant *self, GVariant **to,
                                     GVariant *const *from);
gboolean weir_participant_is_abstract_same (const WeirParticipant *self, GVariant *const *a,
                                            GVariant *const *b);
/* Before the instance begins or steps: its inputs; afterwards: its outputs. */
void weir_participant_tell_abstract (WeirParticipant *self);
gboolean weir_participant_get_abstract (WeirParticipant *self, GVariant **values, GError **error);
/* Writes the value of a unit's output, if it is another. TRUE: it was. */
gboolean weir_abstract_put (WeirContext *context, WeirNode node, WeirGroup group, GVariant *value);

/* feeding.c */
void weir_participant_init_feeding (WeirParticipant *self);
void weir_participant_clear_feeding (WeirParticipant *self);
/* A step begins with @u for what its inputs are at the instant. */
void weir_participant_note_known (WeirParticipant *self, const double *u);
/* All inputs of the step are known: makes u what they begin with, and tells the instance how they
 * go on. */
void weir_participant_shape (WeirParticipant *self);

/* iterate.c: the steps that end at instant @k, made until they agree. */
gboolean weir_cosim_iterate (WeirCosim *self, gint64 k, GError **error);
void weir_iteration_free (WeirIteration *self);

/* control.c: what a unit needs for that, once all know their ports. */
void weir_participant_init_control (WeirParticipant *self);
/* FALSE and @error: steps of this schedule are not controlled. */
gboolean weir_cosim_can_control (const WeirCosim *self, GError **error);
/* How many communication steps its step from instant @k on is. */
gint64 weir_cosim_choose_length (const WeirCosim *self, const WeirParticipant *unit, gint64 k);
/* Makes the steps that begin at @k, all units', as short as they have to be. @is_done: FALSE where
 * they cannot be made again: nothing has been done. */
gboolean weir_cosim_try_steps (WeirCosim *self, gint64 k, gboolean *is_done, GError **error);
/* Inputs that come from the rest are those of an instant: how far are they from what was supposed?
 */
void weir_cosim_judge_inputs (WeirCosim *self, const WeirParticipant *unit);
/* Steps have ended at @k; y is still what it was before. */
void weir_cosim_judge_steps (WeirCosim *self, gint64 k);
void weir_participant_note_past (WeirParticipant *self, gint64 k);

/* list.c: makes the participants know the type and the list. */
void weir_cosim_plan (WeirCosim *self);

/* steps.c: waits for every step that was started. FALSE: some do not end. */
gboolean weir_cosim_settle (WeirCosim *self);
/* Waits for the unit's task. FALSE: it does not end though it was told to. */
gboolean weir_cosim_wait_for (WeirCosim *self, WeirParticipant *unit);
/* Communication instants are @step apart, from @start on. */
void weir_cosim_set_grid (WeirCosim *self, double start, double step);
double weir_cosim_get_time (const WeirCosim *self, gint64 k);
/* Its step that begins ends at instant @k. */
void weir_cosim_set_end (WeirCosim *self, WeirParticipant *unit, gint64 k);
void weir_cosim_start_step (WeirCosim *self, WeirParticipant *unit);
/* Sets @error to what went wrong in steps, all of it. FALSE; TRUE if nothing did. */
gboolean weir_cosim_check (WeirCosim *self, double t, GError **error);

/* absence.c: what the step of the unit that begins at t is to be. */
void weir_cosim_choose_activity (WeirCosim *self, WeirParticipant *unit, double t);
/* In the task: before the step, and what it gives instead. FALSE: it cannot begin anew. */
gboolean weir_participant_come_back (WeirParticipant *self, GError **error);
void weir_participant_hold_outputs (WeirParticipant *self);

/* start.c: the outputs at the start, in the order in which they depend on each other. */
gboolean weir_cosim_start (WeirCosim *self, GError **error);

/* inner.c: a WeirUnitMaker. */
WeirSystem *weir_inner_unit_make (WeirSystem *system, const WeirUnitRequest *request,
                                  GError **error);

/* cosim-state.c */
GVariant *weir_cosim_save (WeirMaster *master, GError **error);
gboolean weir_cosim_can_load (WeirMaster *master, GVariant *saved, GError **error);
gboolean weir_cosim_load (WeirMaster *master, double start, double step, GVariant *saved,
                          GError **error);

G_END_DECLS
