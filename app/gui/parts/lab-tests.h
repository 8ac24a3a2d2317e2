/* Studies: the tests of the lab that analyse the model in a thread of their own, with the run
 * settings of the document: the search for culprits, the audit, the proof of corrections. One of
 * each goes on at a time. (Verification has to do with runs; the runner has it.)
 *
 * Thread: *main*.
 */
#pragma once

#include "gui/shell/editor-private.h"

G_BEGIN_DECLS

/* Starts the study that @test is, or stops the one that goes on. The lab shows that it goes on and
 * what it finds; if the model was edited meanwhile, nothing. What an audit finds is marked where
 * dependencies are shown, too. */
void weir_editor_study (WeirEditor *self, WeirLabTest test, gboolean on);
/* Stops all; nothing is shown of them any more. */
void weir_editor_stop_studies (WeirEditor *self);

G_END_DECLS
