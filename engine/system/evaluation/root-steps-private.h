/* What the two methods of root-private.h share. */
#pragma once

#include "system/evaluation/root-private.h"

G_BEGIN_DECLS

/* The Jacobian at z, where r is known, by differences. FALSE: there is no value nearby. */
gboolean weir_root_calc_jacobian (WeirRoot *self);

/* Are the residuals @r at @z small beside what they are residuals of? To half the digits: of a
 * solution at which the Jacobian is singular, no more can be had. */
gboolean weir_root_is_solved (const WeirRoot *self, const double *z, const double *r);

G_END_DECLS
