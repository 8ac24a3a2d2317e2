/* The settings of a run that a model can hold: one list, for files, the command line and the
 * window.
 *
 * A setting is a text under a name, like a parameter of a block; where a model has none, the
 * default text holds. Settings with other names are kept and mean nothing here; completion warns
 * of them.
 *
 * Thread: *any*.
 */
#pragma once

#include "blocks/library/registry.h"
#include "model/tree/model.h"

G_BEGIN_DECLS

/* In the order in which people meet them. */
const WeirParameterSpec *weir_settings_get_specs (guint *n);
const WeirParameterSpec *weir_settings_find_spec (const char *name); /* NULL if unknown */
/* The one that was meant by @name, which there is not: called nearly so, or ending in it. NULL if
 * there is none. */
const WeirParameterSpec *weir_settings_find_alike (const char *name);

/* Is @text what the setting takes? @error: one sentence with the name. */
gboolean weir_settings_check (const WeirParameterSpec *spec, const char *text, GError **error);
/* The number that holds in @model, the default's where its text is none that the setting takes.
 * @name: of a setting that is a number. */
double weir_model_get_setting_number (const WeirModel *model, const char *name);
/* Of "record-beyond": results that do not fit are kept more rarely, rather than go to a file. */
gboolean weir_model_thins_results (const WeirModel *model);

G_END_DECLS
