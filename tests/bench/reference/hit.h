/* Reference of a cached read: an inline flag test and a load. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Reads the values of @index[0 .. n), each behind a test of its out-of-date bit. Returns the sum of
 * their bits. */
uint64_t reference_hits (const uint64_t *out_of_date, const double *values, const uint32_t *index,
                         size_t n);
