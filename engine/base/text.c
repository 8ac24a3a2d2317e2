/* Sentences in the language of whoever shows them. See text.h. */
#include "base/text.h"

static WeirTranslator translator; /* set before there are other threads */

void
weir_set_translator (WeirTranslator function)
{
  translator = function;
}

const char *
weir_translate_count (const char *one, const char *many, gulong n)
{
  if (translator != NULL && *one != '\0') /* catalogues have their head under that */
    return translator (one, many, n);
  return many == NULL || n == 1 ? one : many;
}

const char *
weir_translate (const char *text)
{
  return weir_translate_count (text, NULL, 1);
}
