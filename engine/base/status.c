/* The error domain of the engine. */
#include "base/status.h"

G_DEFINE_QUARK (weir - error - quark, weir_error)
