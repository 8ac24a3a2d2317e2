/* Abstract states that stand for something which only this process has.
 *
 * The value of such a state (leaf.h) is all that the calculations of the leaf see, and clones share
 * it; but in a file it would say nothing. A leaf that holds one says here what is written in its
 * place when a context is saved (evaluation/checkpoint.h), and what value that is read back as.
 */
#pragma once

#include "system/structure/leaf.h"

G_BEGIN_DECLS

typedef struct {
  /* What is saved for @value, of any type; NULL and @error where it cannot be. (transfer floating)
   */
  GVariant *(*save) (GVariant *value, GError **error);
  /* The value, of the state's type, that @saved stands for; NULL and @error where it is damaged, or
   * what it needs cannot be had. @data: of the leaf. (transfer floating) */
  GVariant *(*load) (gconstpointer data, GVariant *saved, GError **error);
} WeirAbstractKeeping;

/* @state: an abstract one of the leaf. @keeping: lives for good. */
void weir_leaf_set_keeping (WeirLeafBuilder *b, WeirGroup state,
                            const WeirAbstractKeeping *keeping);

G_END_DECLS
