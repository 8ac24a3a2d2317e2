/* An FMU for model exchange as a leaf system, whose states join those of the whole model.
 *
 * What the description declares becomes what the leaf declares. Inputs, outputs and parameters are
 * ports and parameters of the same names; integers, Booleans and enumerations are doubles, strings
 * and binaries at ports abstract values, of which those at inputs are latched as below. Outputs
 * that depend on the same are one cache entry, whose slices the ports show; event indicators are a
 * witness whose change of domain (above zero, or not) is an event. Dependencies are prerequisites:
 * none listed at all is everything; a state that is an output is read from the states themselves.
 *
 * All that the FMU hides, its discrete states above all, is one abstract state, the *epoch*, which
 * every entry depends on: a counter that each event and each completed step writes anew. A context
 * finds its instance of the FMU through it, and clones share the instance: an epoch that is not the
 * one the instance is in is gone back to by the FMU's own saved state. Where the FMU has none, a
 * context that falls behind fails with a sentence. Inputs and parameters that change at events only
 * are latched: where they differ from the latch when a step begins, an event follows.
 *
 * What an audit has proven (audit.h) is added to what is declared; an FMU that does not give the
 * same again is not cached.
 *
 * Clocks tick in events: those that are inputs with times of their own when the file or the FMU
 * says; those that are triggered when the signal at their port goes up to the next whole number, or
 * beyond; and those that are outputs are ports that count their ticks. What a clock clocks is told
 * to the FMU and taken from it while the clock ticks, and held between.
 *
 * Before a run begins (epoch 0), values are those of an instance in initialization mode.
 *
 * Thread: *any* for the system; contexts of one instance take turns.
 */
#pragma once

#include "fmi/audit.h"
#include "fmi/instance.h"
#include "system/structure/system.h"
#include "system/structure/unit.h"

G_BEGIN_DECLS

typedef struct {
  const char *folder;      /* where the FMU has been unpacked, and is trusted; or NULL: then */
  WeirFmuArchive *archive; /* is unpacked when it is first to run, if it is trusted by then */
  const char *name;        /* for messages: "ball.fmu" */
  const char *checksum;    /* of the archive; enters the fingerprint. NULL: the token is it */
  WeirFmuOptions instance;
  const WeirFmuStart *starts; /* those of structural parameters: as the description has them */
  guint n_starts;
  const WeirFmuVerdict *verdict; /* NULL: it has not been audited */
  int place;                     /* of a unit, in the list of them ... */
  WeirUnitActivity activity;     /* ... and how it begins */
} WeirFmuLeafOptions;

/* Whether the variable is a port or a parameter of the leaf: of a type that doubles hold, and not
 * clocked. */
gboolean weir_fmu_leaf_has (const WeirFmuDescription *description, const WeirFmuVariable *variable);
/* Whether it is a port of a text or of bytes, as abstract values of the type "s" or "ay": one of
 * them, not clocked. */
gboolean weir_fmu_leaf_has_text_port (const WeirFmuVariable *variable);
/* That type. Static. */
const char *weir_fmu_text_get_type (WeirFmuType type);
/* Whether it is a port: those are, and what is clocked, and triggered clocks. */
gboolean weir_fmu_leaf_has_port (const WeirFmuDescription *description,
                                 const WeirFmuVariable *variable);

/* No binary is run yet, nor by weir_system_create_context(). NULL and @error, WEIR_ERROR_INVALID:
 * the FMU is of a kind that cannot be run so, or a start makes no sense. (transfer full) */
WeirSystem *weir_fmu_leaf_new (const WeirFmuDescription *description,
                               const WeirFmuLeafOptions *options, GError **error);

G_END_DECLS
