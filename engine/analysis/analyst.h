/* WeirAnalyst: answers questions about the linear behaviour of a model, and keeps what it found.
 *
 * An answer is made of stages, each a result with prerequisites: the operating point (the completed
 * model, how and where a run goes), the loop (that, and the points on wires), and what is computed
 * from its numbers: poles and zeros, frequency response, root locus; and, with the gain besides,
 * margins, closed loop, step and impulse. A stage whose prerequisites are what they were before, to
 * the bit, is taken as it was found. So a gain moves without a linearisation, and a parameter that
 * is not seen between the points costs one and nothing else.
 *
 * Thread: *owner*; an answer is immutable: *any*.
 */
#pragma once

#include "analysis/loop.h"
#include "analysis/operating-point.h"
#include "linear/margins.h"
#include "linear/sampling.h"
#include "linear/time-response.h"
#include "sim/simulator.h"

G_BEGIN_DECLS

typedef enum {
  WEIR_STAGE_POINT,
  WEIR_STAGE_LOOP,
  WEIR_STAGE_ROOTS,
  WEIR_STAGE_RESPONSE,
  WEIR_STAGE_LOCUS,
  WEIR_STAGE_MARGINS,
  WEIR_STAGE_CLOSED,
  WEIR_STAGE_STEP,
  WEIR_STAGE_IMPULSE,
  WEIR_STAGE_NORMS,
  WEIR_N_STAGES,
} WeirAnalystStage;

typedef struct {
  WeirSystem *system;
  WeirSimulatorOptions options;
  double at;                  /* s: where a run is by then; 0: the beginning */
  gboolean trims;             /* moved from there to where all derivatives are zero */
  const WeirTrimWish *wishes; /* n_wishes: what else that is to be like */
  guint n_wishes;
  const WeirAnalysisPoint *points;
  guint n_points;
  gboolean is_flipped; /* the sign is: T, or L */
  gboolean is_loop;    /* L: it is closed, and has margins */
  guint output, input; /* of several, the pair that is looked at */
  double gain;         /* times what is found there */
  double period;       /* s: in such steps, though it is continuous; 0: as it is */
  WeirSampling sampling;
  double prewarp;     /* rad/s: where they are right; 0: nowhere in particular */
  guint wanted;       /* 1 << WEIR_STAGE_...: those that are only computed when they are */
  const gint *cancel; /* (nullable) not 0: nobody waits any more */
} WeirLinearQuestion;

/* What is computed only when it is wanted. */
#define WEIR_STAGES_ON_DEMAND                                                                      \
  (1u << WEIR_STAGE_LOCUS | 1u << WEIR_STAGE_STEP | 1u << WEIR_STAGE_IMPULSE                       \
   | 1u << WEIR_STAGE_NORMS)

/* Of all inputs and outputs between the points, with the gain. */
typedef struct {
  gboolean is_whole;       /* of more than the pair that is looked at */
  double hinf, hinf_omega; /* the largest gain; INFINITY: unstable, or on the limit of it */
  double h2;               /* INFINITY: what is added comes out at once, or as before */
  GArray *hankel;          /* double, falling; none of what is unstable or has delays */
  GArray *zeros;           /* double complex: transmission zeros; NULL where there are delays */
} WeirLinearNorms;

/* Borrowed pointers into what the answer holds; NULL where there is no such thing. */
typedef struct {
  const WeirLoop *loop;     /* all pairs, no sign flipped, no gain */
  GPtrArray *notes;         /* char *: of operating point and loop */
  const WeirLinear *linear; /* the pair, its sign flipped if asked, without the gain, and without
                               what lies on no way */
  double gain;
  gboolean is_loop;
  gboolean is_resampled;        /* looked at in steps, though it is continuous */
  const GArray *poles, *zeros;  /* double complex; zeros: NULL where there are delays */
  const GArray *frequencies;    /* double, rad/s */
  const double complex *values; /* at each, without the gain; NAN at a pole */
  const double *phases;         /* degrees, continuous */
  const WeirLocus *locus;
  const WeirMargins *margins;             /* of gain times linear */
  const GArray *closed_poles;             /* the same; without those that delays make */
  const WeirTimeResponse *step, *impulse; /* of the closed loop, where it is one */
  const WeirLinearNorms *norms;           /* of what is no loop */
  double dc_gain;             /* with the gain, of the closed loop where it is one; INFINITY */
  guint n_hits, n_misses;     /* stages that were there, and that had to be computed */
  guint computed;             /* 1 << WEIR_STAGE_...: the latter */
  const WeirContext *context; /* the model at the operating point; NULL: of a loop from elsewhere */
  gpointer stages[WEIR_N_STAGES]; /* what holds all that */
} WeirLinearAnswer;

typedef struct _WeirAnalyst WeirAnalyst;

WeirAnalyst *weir_analyst_new (void);
void weir_analyst_free (WeirAnalyst *self);
/* FALSE: nothing is kept, everything is computed anew; answers are the same to the bit. */
void weir_analyst_set_keeping (WeirAnalyst *self, gboolean is_keeping);
/* NULL and @error: the model has no value there, no such port, an algebraic loop through the
 * points; or G_IO_ERROR_CANCELLED. (transfer full) */
WeirLinearAnswer *weir_analyst_ask (WeirAnalyst *self, const WeirLinearQuestion *question,
                                    GError **error);
/* What is found of a @loop that is there already. Of @question counts what follows its points; its
 * sign is as the loop's, and nothing is kept. Borrows @loop. NULL and @error: as above. (transfer
 * full) */
WeirLinearAnswer *weir_linear_answer_new (const WeirLoop *loop, const WeirLinearQuestion *question,
                                          GError **error);
void weir_linear_answer_free (WeirLinearAnswer *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirAnalyst, weir_analyst_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirLinearAnswer, weir_linear_answer_free)

G_END_DECLS
