/* The settings of a Subsystem that is a unit of co-simulation: one list, for files and the window.
 *
 * Each is a text under a name (weir_block_get_unit_setting()); where a unit has none, the default
 * text holds, which is as the model's settings have it where they have the like.
 *
 * Thread: *any*.
 */
#pragma once

#include "blocks/library/registry.h"
#include "model/tree/model.h"
#include "system/structure/unit.h"

G_BEGIN_DECLS

/* In the order in which people meet them. */
const WeirParameterSpec *weir_unit_settings_get_specs (guint *n);
const WeirParameterSpec *weir_unit_settings_find_spec (const char *name); /* NULL if unknown */

/* The number that holds in @block; the default's where its text is none that the setting takes.
 * @name: of a setting that is a number. */
double weir_block_get_unit_number (const WeirBlock *block, const char *name);
/* What an input is between two instants, "hold", "linear", "quadratic"; or "delayed": held, and
 * always as at the last instant. By the setting "inputs.PORT", else "inputs". */
#define WEIR_UNIT_INPUTS "inputs"
const char *weir_block_get_unit_input (const WeirBlock *block, const char *port);
/* Whether it takes part in a run. */
#define WEIR_UNIT_TAKES_PART "takes-part"
WeirUnitActivity weir_block_get_unit_activity (const WeirBlock *block);
/* The solver that it chooses; NULL = the model's. Static. */
const char *weir_block_get_unit_solver (const WeirBlock *block);

/* Which settings of the model tell how units exchange values: those that an edit of the order or
 * the schedule changes. */
#define WEIR_SETTING_COMMUNICATION_STEP "communication-step"
#define WEIR_SETTING_SCHEDULE "schedule"
#define WEIR_SETTING_REST_PLACE "rest-place"

G_END_DECLS
