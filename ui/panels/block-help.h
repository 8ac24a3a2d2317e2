/* Pages of the help about block types, made from the registry: what a block does, its ports and its
 * parameters; and one that lists them all. They are read like the pages that are written
 * (help/help.h): "block:Gain", and "blocks". In the language of the window. Thread: *main*.
 */
#pragma once

#include "help/help.h"

G_BEGIN_DECLS

#define WEIR_BLOCK_HELP_PREFIX "block:"
#define WEIR_BLOCK_HELP_ALL "blocks"

typedef struct _WeirBlockHelp WeirBlockHelp;

/* @examples: files of models, char *: pages name those that have a block of the type. NULL if @id
 * names no such page. (transfer full) */
WeirBlockHelp *weir_block_help_new (const char *id, const GPtrArray *examples);
void weir_block_help_free (WeirBlockHelp *self);
/* Borrowed. */
const WeirHelpPage *weir_block_help_get_page (const WeirBlockHelp *self);

/* Ids of the pages ("block:Gain") of which the title or else the text holds every word, those of
 * the title first. (transfer full) */
GPtrArray *weir_block_help_search (const char *words);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirBlockHelp, weir_block_help_free)

G_END_DECLS
