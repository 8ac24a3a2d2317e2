/* The table of parts. See parts.h. */
#include "gui/parts/parts.h"

/* The type of each, weir_NAME_get_type(). */
#define WEIR_PARTS(PART)                                                                           \
  PART (verify_part)                                                                               \
  PART (cache_views)                                                                               \
  PART (wire_values)                                                                               \
  PART (troubles)                                                                                  \
  PART (slow_part)                                                                                 \
  PART (presenting)                                                                                \
  PART (lesson_guide)                                                                              \
  PART (quiz)                                                                                      \
  PART (fmus)                                                                                      \
  PART (generate_part)                                                                             \
  PART (lab_tests)

#define DECLARE(name) GType weir_##name##_get_type (void);
WEIR_PARTS (DECLARE)

#define KIND(name) weir_##name##_get_type,
static const WeirPartKind kinds[] = { WEIR_PARTS (KIND) };

GResource *weir_parts_get_resource (void); /* made by glib-compile-resources */

const WeirPartKind *
weir_parts_get (guint *n)
{
  weir_parts_get_resource (); /* or it would not be linked in */
  *n = G_N_ELEMENTS (kinds);
  return kinds;
}
