/* Reference of a refresh: every entry is tested, those out of date are computed through
 * a pointer. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct Refresh Refresh;

/* @n gains y_i = k u_i and @n copies of them. u_i is gain 0 of its group of @n / 100, or, not
 * grouped, constant i % 100. */
Refresh *reference_refresh_new (uint32_t n, bool grouped);
void reference_refresh_free (Refresh *self);

/* Changes what 1 % of the entries depend on to @value, and brings all entries up to date. */
void reference_refresh (Refresh *self, double value);
/* The copies. */
const double *reference_refresh_get (const Refresh *self);
