/* What an FMU declares, against what it does.
 *
 * Of model exchange an instance in a worker is brought to several points. At each every known
 * (time, states, continuous inputs) is changed alone, by several sizes: an unknown that comes out
 * with other bits though its file does not list that known depends on it after all, which is
 * proven. So does one whose directional derivative is not zero there, by the FMU's own word.
 * Whether the same point gives the same bits again, also in another order of calls, and whether a
 * restored state is the saved one, is looked at too. That something is declared right is never
 * proven: the verdict says at how many points nothing else was seen. Of co-simulation some steps
 * are made, and made again from a state that was saved before.
 *
 * The verdict is kept by the FMU's checksum in the user's folder of state, so that an FMU is
 * audited once. Auditing runs its program: only one that is trusted is audited, and only in a
 * program that is there to run models (weir_fmu_audit_allow()).
 *
 * Thread: *any*; a verdict is *immutable*.
 */
#pragma once

#include "fmi/description.h"
#include "fmi/instance.h"

G_BEGIN_DECLS

/* A value at the start, instead of the description's. */
typedef struct {
  const char *variable; /* a parameter, an input or a state */
  const double *values;
  guint n_values;   /* one for all elements, or one each */
  WeirFmuText text; /* of a string or a binary, instead; NULL: numbers */
} WeirFmuStart;

/* An unknown depends on a known that its file does not list. */
typedef struct {
  guint unknown; /* a variable */
  guint known;   /* a state or an input; WEIR_FMU_NONE: time */
} WeirFmuEdge;

typedef struct {
  gint n_refs; /* atomic */
  guint n_points;
  gboolean repeats;       /* the same point gives the same bits */
  gboolean ignores_order; /* also if values are asked for in another order */
  gboolean restores;      /* what is restored is what was saved; TRUE where it offers none */
  gboolean repeats_steps; /* co-simulation: brought back it makes the same steps, to the bit */
  const WeirFmuEdge *edges;
  guint n_edges;
} WeirFmuVerdict;

#define WEIR_FMU_AUDIT_LIMIT 2 /* s, for a call */

/* Runs it in a worker. @folder: where it has been unpacked. @starts: of scalar parameters. NULL and
 * @error: it fails before anything can be said. (transfer full) */
WeirFmuVerdict *weir_fmu_audit (const WeirFmuDescription *description, const char *folder,
                                const char *name, const WeirFmuStart *starts, guint n_starts,
                                GError **error);
/* Does it, brought back, make the same steps? FALSE also where it cannot be found out. */
gboolean weir_fmu_audit_steps (const WeirFmuDescription *description, const char *folder,
                               const char *name, const WeirFmuStart *starts, guint n_starts);

/* Nothing is found yet. (transfer full) */
WeirFmuVerdict *weir_fmu_verdict_new (void);
void weir_fmu_verdict_unref (WeirFmuVerdict *self);
/* A sentence, or several; NULL: nothing was found. (transfer full) */
WeirMessage *weir_fmu_verdict_describe (const WeirFmuVerdict *self,
                                        const WeirFmuDescription *description);

/* From here on FMUs that are trusted are audited when they are first met. */
void weir_fmu_audit_allow (void);
/* The verdict that is kept; else, where that is allowed and it is trusted, that of an audit made
 * now, which is kept. NULL: there is none. (transfer full) */
WeirFmuVerdict *weir_fmu_verdict_find (const WeirFmuDescription *description,
                                       WeirFmuArchive *archive, const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirFmuVerdict, weir_fmu_verdict_unref)

G_END_DECLS
