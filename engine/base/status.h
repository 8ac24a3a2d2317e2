/* Outcomes of numerical work inside the loop, and the error domain of everything outside it.
 *
 * A calculation, a right-hand side or an event handler reports through WeirStatus: no allocation,
 * no GError. The sentence that explains a failure is kept by the context
 * (system/context/context.h).
 */
#pragma once

#include <glib.h>

#include "base/visibility.h"

WEIR_BEGIN_DECLS

typedef enum {
  WEIR_OK = 0,
  WEIR_PENDING,     /* a lazy calculation demanded a value that is not ready; it is called again */
  WEIR_FAILED,      /* the calculation cannot give a value; see weir_context_get_failure() */
  WEIR_TERMINATE,   /* an event handler asks the run to end here */
  WEIR_DID_NOTHING, /* an event handler found nothing to do: nothing is applied, counted or
                       invalidated */
} WeirStatus;

typedef enum {
  WEIR_ERROR_INVALID,   /* the model or the request makes no sense */
  WEIR_ERROR_NOT_FOUND, /* a name or path that does not exist */
  WEIR_ERROR_MISMATCH,  /* a context, checkpoint or value of the wrong shape */
  WEIR_ERROR_FAILED,    /* a calculation, solver or run failed */
  WEIR_ERROR_FILE,      /* a file cannot be read, written or understood */
} WeirError;

#define WEIR_ERROR (weir_error_quark ())

/* The domain of the errors of the engine. */
GQuark weir_error_quark (void);

WEIR_END_DECLS
