/* An FMU of the tests, of either version (FMI_VERSION 2 or 3): a model is a struct of plain data
 * and the functions declared here; the functions of the standard stand in frame-functions.h, which
 * a model includes at its end. The struct is the FMU's whole state: saved and made into bytes by
 * copying it.
 *
 * Like FMUs of other tools they compute when asked, if something has been set since. In
 * co-simulation they step by Euler's method in steps of 1/1024, with their own events, so that an
 * importer of model exchange that does the same must come to the same bits.
 */
#pragma once

#include <fmi/abi.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INNER_STEP (1.0 / 1024)
#define TEXT_BYTES 64

typedef enum {
  F32,
  F64,
  I8,
  U8,
  I16,
  U16,
  I32,
  U32,
  I64,
  U64,
  BOOL,
  STRING,
  BINARY,
  CLOCK,
} Type;

typedef struct {
  size_t n;
  uint8_t bytes[TEXT_BYTES];
} Binary;

/* Where a variable lies; at NULL: there is none. */
typedef struct {
  Type type;
  void *at;
  size_t n;
} Place;

typedef enum {
  CREATED,
  CONFIGURING,
  INITIALIZING,
  EVENT,
  CONTINUOUS,
  STEPPING,
  TERMINATED,
} Mode;

/* A model's first member. */
typedef struct {
  double time;
  Mode mode;
  bool is_stepped, uses_events, must_calculate;
} Frame;

typedef struct Model Model;

/* What a model defines, besides struct Model, TOKEN, N_STATES and N_INDICATORS; and STATES (m),
 * SLOPES (m) and INDICATORS (m), where those are not x, xdot and, if there are none, x again. */
static void set_start (Model *m);
static Place find (Model *m, uint32_t ref);
/* From time, states and inputs to all else. */
static WeirFmiStatus calculate (Model *m);
/* In event mode: the states' jumps, the next event. */
static WeirFmiStatus update (Model *m, WeirFmi2EventInfo *info);
/* d unknown / d known; false: not offered. */
static bool differentiate (Model *m, uint32_t unknown, uint32_t known, double *factor);

static void say (const char *category, const char *format, ...)
    __attribute__ ((format (printf, 2, 3)));
