/* WeirLabTests: the tests of the lab that analyse the model in a thread of their own, with the run
 * settings of the document: the bisection, the audit, the proof of corrections. One of
 * each goes on at a time. (Verification has to do with runs; the runner has it.)
 *
 * Thread: *main*.
 */
#pragma once

#include "gui/host/part.h"
#include "lab/lab-panel.h"

G_BEGIN_DECLS

#define WEIR_TYPE_LAB_TESTS (weir_lab_tests_get_type ())
G_DECLARE_FINAL_TYPE (WeirLabTests, weir_lab_tests, WEIR, LAB_TESTS, WeirPart)

/* Starts @test, or stops the one that goes on. The lab shows that it goes on and what it finds; if
 * the model was edited meanwhile, nothing. What an audit finds is marked where dependencies are
 * shown, too. */
void weir_lab_tests_switch (WeirLabTests *self, WeirLabTest test, gboolean on);
gboolean weir_lab_tests_is_going_on (WeirLabTests *self, WeirLabTest test);

G_END_DECLS
