/* Edits of a study taken back and made again: drafts as they were before each. What is typed on end
 * into one entry is one edit. See studies-page-private.h.
 */
#include "gui/pages/studies-page-private.h"

#define MOST_EDITS 100

static void
update_actions (WeirStudiesPage *self)
{
  weir_host_set_enabled (self->parent.host, "study-undo", self->before.length > 0);
  weir_host_set_enabled (self->parent.host, "study-redo", self->after.length > 0);
}

static void
clear_drafts (GQueue *drafts)
{
  g_queue_clear_full (drafts, (GDestroyNotify) weir_study_free);
}

void
weir_studies_history_begin (WeirStudiesPage *self, gpointer by)
{
  if (self->is_filling || (by != NULL && by == self->editing))
    return;
  self->editing = by;
  clear_drafts (&self->after);
  g_queue_push_head (&self->before, weir_study_copy (self->draft));
  if (self->before.length > MOST_EDITS)
    weir_study_free (g_queue_pop_tail (&self->before));
  update_actions (self);
}

void
weir_studies_history_clear (WeirStudiesPage *self)
{
  self->editing = NULL;
  clear_drafts (&self->after);
  clear_drafts (&self->before);
  if (self->parent.host != NULL)
    update_actions (self);
}

/* The draft becomes the first of @from, and is the first of @to. */
static void
go (WeirStudiesPage *self, GQueue *from, GQueue *to)
{
  WeirStudy *draft = g_queue_pop_head (from);

  if (draft == NULL)
    return;
  g_queue_push_head (to, weir_study_copy (self->draft));
  self->editing = NULL;
  weir_studies_form_set_draft (self, draft);
  weir_studies_files_update_name (self);
  weir_studies_page_preview (self);
  update_actions (self);
}

static void
undo (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  WeirStudiesPage *self = data;

  go (self, &self->before, &self->after);
}

static void
redo (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  WeirStudiesPage *self = data;

  go (self, &self->after, &self->before);
}

void
weir_studies_history_init (WeirStudiesPage *self)
{
  static const GActionEntry entries[] = {
    { .name = "study-undo", .activate = undo },
    { .name = "study-redo", .activate = redo },
  };

  g_queue_init (&self->after);
  g_queue_init (&self->before);
  weir_page_add_actions (&self->parent, entries, G_N_ELEMENTS (entries));
  update_actions (self);
}
