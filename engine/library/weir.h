/* libweir: all of it.
 *
 * A program that builds a diagram of leaf systems and library blocks, or reads a model file, and
 * runs it, evaluates it, clones, saves and loads its values, audits its declarations and verifies
 * its cache. Two things are apart throughout: a WeirSystem is structure, immutable and shared, a
 * WeirContext is values, one thread's at a time; evaluating needs both.
 *
 *   own leaf systems     leaf.h declares, calc.h reads, kernel.h for element-wise formulas
 *   diagrams             diagram.h composes, system.h and layout.h tell what there is, block.h
 *                        makes the library's blocks, model-file.h reads models
 *   values               context.h sets and reads, eval.h and value-list.h compute, checkpoint.h
 *                        saves and loads
 *   runs                 simulator.h, recorder.h and results.h, trouble.h
 *   co-simulation        unit.h declares parts that make their own steps, cosim.h schedules them
 *   checks               audit.h and verify.h, diagnostic.h
 *   other solvers        ode.h, in plain C types
 *
 * What the interface consists of: opaque types; index structs of one number (types.h); structs of
 * values. Those of a program's own making that may grow (WeirSimulatorOptions, WeirVerifyResult,
 * WeirAuditResult, WeirTrigger) are set by a function of the library and hold room for what comes;
 * those that the library hands out by pointer grow at their end. Nothing else of the engine's
 * memory is to be seen.
 */
#pragma once

#include "analysis/audit.h"
#include "analysis/verify.h"
#include "base/diagnostic.h"
#include "base/status.h"
#include "cosim/cosim.h"
#include "cosim/inner.h"
#include "library/block.h"
#include "library/model-file.h"
#include "library/ode.h"
#include "sim/master.h"
#include "sim/recorder.h"
#include "sim/results.h"
#include "sim/simulator.h"
#include "sim/trouble.h"
#include "system/context/context.h"
#include "system/evaluation/calc.h"
#include "system/evaluation/checkpoint.h"
#include "system/evaluation/eval.h"
#include "system/evaluation/value-list.h"
#include "system/layout/layout.h"
#include "system/structure/diagram.h"
#include "system/structure/kernel.h"
#include "system/structure/leaf.h"
#include "system/structure/system.h"
#include "system/structure/types.h"
#include "system/structure/unit.h"
#include "version.h"
