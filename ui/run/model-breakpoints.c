/* Breakpoints as metadata of a model. See model-breakpoints.h. */
#include "run/model-breakpoints.h"

GArray *
weir_model_dup_breakpoints (WeirModel *model)
{
  const char *text = weir_metadata_get_text (weir_model_get_metadata (model), "",
                                             weir_key_breakpoints);

  return text != NULL ? weir_breakpoint_list_parse (text, NULL) : weir_breakpoint_list_new ();
}

void
weir_document_set_breakpoints (WeirDocument *document, const GArray *list, const char *label)
{
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autofree char *text = list->len > 0 ? weir_breakpoint_list_to_text (list) : NULL;

  weir_patch_set_metadata (patch, weir_key_breakpoints, text);
  weir_document_edit (document, patch, label, "breakpoints", NULL);
}
