/* A field's text in the model, and back. See inspector-private.h. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "model/completion/completion.h"
#include "model/tree/fmu-parameters.h"
#include "panels/entered.h"
#include "panels/inspector-private.h"

const WeirMetadataKey weir_key_promoted = { "promoted", WEIR_METADATA_BOOLEAN };

gboolean
weir_field_is_gone (const WeirField *self)
{
  return self->inspector == NULL;
}

GArray *
weir_field_list_blocks (const WeirField *self)
{
  GArray *blocks = g_array_new (FALSE, FALSE, sizeof (guint32));

  if (self->kind == WEIR_FIELD_SETTING || self->kind == WEIR_FIELD_TITLE
      || self->kind == WEIR_FIELD_VARIABLE)
    return blocks;
  if (self->owner != 0)
    g_array_append_val (blocks, self->owner);
  else
    g_array_append_vals (blocks, self->inspector->blocks->data, self->inspector->blocks->len);
  return blocks;
}

/* --- What is said of it ---------------------------------------------------------------------- */

void
weir_inspector_explain (WeirInspector *self, const char *text)
{
  gtk_label_set_text (GTK_LABEL (self->help),
                      text != NULL ? text : _ ("Point at a value to read what it means."));
  if (text != NULL)
    gtk_widget_remove_css_class (self->help, "dim-label");
  else
    gtk_widget_add_css_class (self->help, "dim-label");
}

void
weir_inspector_explain_error (WeirInspector *self, const GError *error)
{
  weir_inspector_explain (self, weir_error_say (error));
}

/* --- Reading --------------------------------------------------------------------------------- */

static const char *
get_start (const WeirField *self, const WeirBlock *block)
{
  g_autofree char *text = weir_block_dup_fmu_parameter (block, &self->spec);

  g_string_assign (self->start, text);
  return self->start->str;
}

static const char *
get_text_of (const WeirField *self, const WeirBlock *block)
{
  const char *text;

  switch (self->kind)
    {
    case WEIR_FIELD_NAME:
      return weir_block_get_name (block);
    case WEIR_FIELD_DESCRIPTION:
      text = weir_metadata_get_text (weir_block_get_metadata (block), "", weir_key_description);
      return text != NULL ? text : "";
    case WEIR_FIELD_UNIT:
      text = weir_block_get_unit_setting (block, self->spec.name);
      return text != NULL ? text : self->spec.default_text;
    case WEIR_FIELD_START:
      return get_start (self, block);
    case WEIR_FIELD_PARAMETER:
    case WEIR_FIELD_VARIABLE:
    case WEIR_FIELD_SETTING:
    case WEIR_FIELD_TITLE:
    default:
      text = weir_block_get_parameter (block, self->spec.name);
      return text != NULL ? text : self->spec.default_text;
    }
}

const char *
weir_field_get_text (const WeirField *self)
{
  WeirModel *model = weir_document_get_model (self->inspector->document);
  g_autoptr (GArray) blocks = weir_field_list_blocks (self);
  const char *text = NULL;

  if (self->kind == WEIR_FIELD_TITLE)
    {
      text = weir_model_get_title (model);
      return text != NULL ? text : "";
    }
  if (self->kind == WEIR_FIELD_SETTING)
    {
      text = weir_model_get_setting (model, self->spec.name);
      return text != NULL ? text : self->spec.default_text;
    }
  if (self->kind == WEIR_FIELD_VARIABLE)
    {
      text = weir_model_get_variable (model, self->spec.name);
      return text != NULL ? text : "";
    }
  for (guint i = 0; i < blocks->len; i++)
    {
      const WeirBlock *block = weir_model_find_block (model, g_array_index (blocks, guint32, i),
                                                      NULL);
      const char *here = block != NULL ? get_text_of (self, block) : "";

      if (text != NULL && !g_str_equal (text, here))
        return NULL;
      text = here;
    }
  return text != NULL ? text : "";
}

gboolean
weir_field_is_default (const WeirField *self)
{
  const char *text = weir_field_get_text (self);

  return text != NULL && g_strcmp0 (text, self->spec.default_text) == 0;
}

gboolean
weir_field_is_promoted (const WeirField *self)
{
  WeirModel *model = weir_document_get_model (self->inspector->document);
  g_autoptr (GArray) blocks = weir_field_list_blocks (self);

  for (guint i = 0; i < blocks->len; i++)
    {
      const WeirBlock *block = weir_model_find_block (model, g_array_index (blocks, guint32, i),
                                                      NULL);
      gboolean promoted = FALSE;

      if (block == NULL
          || !weir_metadata_get_boolean (weir_block_get_metadata (block), self->spec.name,
                                         weir_key_promoted, &promoted)
          || !promoted)
        return FALSE;
    }
  return blocks->len > 0;
}

/* --- Checking -------------------------------------------------------------------------------- */

/* What the type of @block finds wrong with this value, beyond its kind and range. */
static gboolean
check_block (const WeirField *self, const WeirBlock *block, const char *text, GError **error)
{
  const WeirBlockType *type = weir_registry_find (weir_block_get_type_name (block));
  g_autoptr (WeirBlock) changed = weir_block_with_parameter (block, self->spec.name, text);
  const WeirArguments *arguments = weir_block_get_arguments (changed);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();

  if (type == NULL || type->check == NULL || arguments == NULL)
    return TRUE;
  type->check (arguments, diagnostics, weir_block_get_name (block), weir_block_get_id (block), 0);
  for (guint i = 0; i < weir_diagnostics_get_size (diagnostics); i++)
    {
      const WeirDiagnostic *diagnostic = weir_diagnostics_get (diagnostics, i);

      if (diagnostic->severity == WEIR_SEVERITY_ERROR)
        {
          g_autofree char *sentence = weir_message_translate (diagnostic->message);

          g_set_error_literal (error, WEIR_ERROR, WEIR_ERROR_INVALID, sentence);
          return FALSE;
        }
    }
  return TRUE;
}

/* What the FMU finds wrong with it. */
static gboolean
check_start (const WeirField *self, WeirModel *model, const char *text, GError **error)
{
  g_autoptr (GArray) blocks = weir_field_list_blocks (self);

  for (guint i = 0; i < blocks->len; i++)
    {
      const WeirBlock *block = weir_model_find_block (model, g_array_index (blocks, guint32, i),
                                                      NULL);
      g_autoptr (WeirBlock) changed = NULL;

      if (block == NULL || weir_block_get_fmu_parameters (block) == NULL)
        continue;
      changed = weir_block_with_fmu_parameter (block, &self->spec, text, error);
      if (changed == NULL)
        return FALSE;
    }
  return TRUE;
}

/* Whether @text, an expression, has a value where @block is. */
static gboolean
check_expression (const WeirField *self, WeirModel *model, const GArray *ids,
                  const WeirBlock *block, const char *text, GError **error)
{
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (WeirBlock) changed = weir_block_with_parameter (block, self->spec.name, text);
  g_autoptr (WeirModel) after = NULL;
  g_autofree char *value = NULL;

  weir_patch_set_block (patch, (WeirPlace) { (const guint32 *) (gpointer) ids->data, ids->len },
                        changed);
  after = weir_model_apply (model, patch, NULL, error);
  value = after == NULL ? NULL
                        : weir_model_evaluate_parameter (after, weir_block_get_id (block),
                                                         self->spec.name, NULL, error);
  return value != NULL;
}

static void
append_origin (const WeirNamedValue *value, gpointer data)
{
  GString *text = data;
  g_autofree char *number = weir_value_to_string (value->value, value->size);

  if (value->origin != NULL)
    g_string_append_printf (text, "%s%s = %s", text->len > 0 ? ", " : "", value->origin, number);
}

/* The names that a text takes from around it; NULL if there are none. */
static char *
dup_origins (WeirModel *model, guint32 block)
{
  g_autoptr (WeirArguments) arguments = weir_model_dup_arguments (model, block);
  const WeirBlockType *type = arguments != NULL ? weir_arguments_get_type (arguments) : NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  if (type != NULL && type->visit_values != NULL)
    type->visit_values (arguments, append_origin, text);
  return text->len > 0 ? g_strdup_printf ("(%s)", text->str) : NULL;
}

char *
weir_field_dup_evaluated (const WeirField *self)
{
  WeirModel *model = weir_document_get_model (self->inspector->document);
  g_autoptr (GArray) blocks = weir_field_list_blocks (self);
  const char *text = weir_field_get_text (self);
  g_autofree char *value = NULL;
  g_autofree char *uses = NULL;

  if (self->kind != WEIR_FIELD_PARAMETER || blocks->len != 1 || text == NULL)
    return NULL;
  if (self->spec.kind == WEIR_VALUE_TEXT)
    return dup_origins (model, g_array_index (blocks, guint32, 0));
  if (!weir_parameter_spec_is_expression (&self->spec, text))
    return NULL;
  value = weir_model_evaluate_parameter (model, g_array_index (blocks, guint32, 0), self->spec.name,
                                         &uses, NULL);
  if (value == NULL)
    return NULL;
  return uses != NULL && *uses != '\0' ? g_strdup_printf ("= %s (%s)", value, uses)
                                       : g_strdup_printf ("= %s", value);
}

/* Equations with a mistake are kept, as they are typed over some time; other values are not. */
static gboolean
is_kept_anyway (const WeirField *self)
{
  return self->kind == WEIR_FIELD_PARAMETER && self->spec.kind == WEIR_VALUE_TEXT
         && self->spec.characters == NULL;
}

static gboolean
check (const WeirField *self, const char *entered, gboolean deeply, char **text, GError **error)
{
  WeirModel *model = weir_document_get_model (self->inspector->document);
  g_autoptr (GArray) blocks = NULL;
  WeirParameterSpec spec = self->spec;

  *text = NULL;
  if (spec.default_text == NULL)
    spec.default_text = "0"; /* stands for what an expression comes to */
  switch (self->kind)
    {
    case WEIR_FIELD_NAME:
      /* The other rules of names need the diagram: the patch itself is the check. */
      if (*entered == '\0' || strchr (entered, '.') != NULL)
        {
          g_set_error_literal (error, WEIR_ERROR, WEIR_ERROR_INVALID,
                               _ ("A name is not empty and has no “.”."));
          return FALSE;
        }
      break;
    case WEIR_FIELD_PARAMETER:
    case WEIR_FIELD_VARIABLE:
    case WEIR_FIELD_SETTING:
    case WEIR_FIELD_UNIT:
    case WEIR_FIELD_START:
      *text = weir_entered_to_text (&spec, entered, error);
      if (*text == NULL
          || (!weir_parameter_spec_is_expression (&spec, *text)
              && !weir_parameter_spec_check (&spec, *text, error)))
        {
          g_clear_pointer (text, g_free);
          return FALSE;
        }
      if (self->kind == WEIR_FIELD_START && !check_start (self, model, *text, error))
        {
          g_clear_pointer (text, g_free);
          return FALSE;
        }
      blocks = weir_field_list_blocks (self);
      for (guint i = 0; deeply && self->kind == WEIR_FIELD_PARAMETER && i < blocks->len; i++)
        {
          g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));
          const WeirBlock *block = weir_model_find_block (model, g_array_index (blocks, guint32, i),
                                                          ids);
          gboolean is_expression = weir_parameter_spec_is_expression (&self->spec, *text);

          if (block != NULL
              && !(is_expression ? check_expression (self, model, ids, block, *text, error)
                                 : check_block (self, block, *text, error)))
            {
              g_clear_pointer (text, g_free);
              return FALSE;
            }
        }
      return TRUE;
    case WEIR_FIELD_TITLE:
    case WEIR_FIELD_DESCRIPTION:
    default:
      break;
    }
  *text = g_strdup (entered);
  return TRUE;
}

gboolean
weir_field_check (const WeirField *self, const char *entered, char **text, GError **error)
{
  return check (self, entered, TRUE, text, error);
}

/* --- Writing --------------------------------------------------------------------------------- */

void
weir_field_show_problem (WeirField *self, const char *text)
{
  gtk_label_set_text (GTK_LABEL (self->problem), text != NULL ? text : "");
  gtk_widget_set_visible (self->problem, text != NULL);
  if (text != NULL)
    gtk_widget_add_css_class (self->widget, "error");
  else
    gtk_widget_remove_css_class (self->widget, "error");
  gtk_accessible_update_state (
      GTK_ACCESSIBLE (self->widget), GTK_ACCESSIBLE_STATE_INVALID,
      text != NULL ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
}

void
weir_field_show_error (WeirField *self, const GError *error)
{
  weir_field_show_problem (self, weir_error_say (error));
}

static gboolean
apply (WeirField *self, const WeirPatch *patch, const char *label, const char *merge_key)
{
  g_autoptr (GError) error = NULL;

  if (weir_document_edit (self->inspector->document, patch, label, merge_key, &error))
    return TRUE;
  weir_field_show_error (self, error);
  return FALSE;
}

static void
change_block (WeirField *self, WeirPatch *patch, guint32 id, const char *text)
{
  WeirModel *model = weir_document_get_model (self->inspector->document);
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  WeirBlock *block = weir_model_find_block (model, id, ids);
  WeirPlace place = { (const guint32 *) (gpointer) ids->data, ids->len };
  g_autoptr (WeirBlock) changed = NULL;

  if (block == NULL)
    return;
  if (self->kind == WEIR_FIELD_NAME)
    {
      weir_patch_rename_block (patch, model, place, id, text);
      return;
    }
  if (self->kind == WEIR_FIELD_DESCRIPTION)
    changed = weir_block_with_metadata (block, "", weir_key_description,
                                        *text != '\0' ? text : NULL);
  else if (self->kind == WEIR_FIELD_UNIT)
    changed = weir_block_with_unit_setting (block, self->spec.name, text);
  else if (self->kind == WEIR_FIELD_START)
    changed = weir_block_with_fmu_parameter (block, &self->spec, text, NULL);
  else
    changed = weir_block_with_parameter (block, self->spec.name, text);
  if (changed != NULL)
    weir_patch_set_block (patch, place, changed);
}

static char *
make_label (const WeirField *self, const GArray *blocks, const char *text)
{
  WeirModel *model = weir_document_get_model (self->inspector->document);
  WeirBlock *one = blocks->len == 1
                       ? weir_model_find_block (model, g_array_index (blocks, guint32, 0), NULL)
                       : NULL;

  switch (self->kind)
    {
    case WEIR_FIELD_NAME:
      return g_strdup_printf (_ ("Rename to %s"), text);
    case WEIR_FIELD_TITLE:
      return g_strdup (_ ("Change Title"));
    case WEIR_FIELD_DESCRIPTION:
    case WEIR_FIELD_PARAMETER:
    case WEIR_FIELD_VARIABLE:
    case WEIR_FIELD_SETTING:
    case WEIR_FIELD_UNIT:
    case WEIR_FIELD_START:
    default:
      if (one != NULL)
        return g_strdup_printf (_ ("Change %s of %s"), weir_field_get_label (self),
                                weir_block_get_name (one));
      if (blocks->len > 1)
        return g_strdup_printf (
            ngettext ("Change %s of %u block", "Change %s of %u blocks", blocks->len),
            weir_field_get_label (self), blocks->len);
      return g_strdup_printf (_ ("Change %s"), weir_field_get_label (self));
    }
}

gboolean
weir_field_commit (WeirField *self, const char *entered, const char *merge_key)
{
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (GArray) blocks = weir_field_list_blocks (self);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_autofree char *label = NULL;
  const char *old = weir_field_get_text (self);

  if (entered != NULL && !check (self, entered, !is_kept_anyway (self), &text, &error))
    {
      weir_field_show_error (self, error);
      return FALSE;
    }
  if (old != NULL && g_strcmp0 (text != NULL ? text : self->spec.default_text, old) == 0)
    {
      if (!is_kept_anyway (self))
        weir_field_show_problem (self, NULL);
      return TRUE;
    }
  if (self->kind == WEIR_FIELD_SETTING)
    weir_patch_set_setting (patch, self->spec.name, text);
  else if (self->kind == WEIR_FIELD_VARIABLE)
    weir_patch_set_variable (patch, self->spec.name, text);
  else if (self->kind == WEIR_FIELD_TITLE)
    weir_patch_set_title (patch, text);
  for (guint i = 0; i < blocks->len; i++)
    change_block (self, patch, g_array_index (blocks, guint32, i), text);
  label = make_label (self, blocks, text);
  if (!weir_patch_is_empty (patch) && apply (self, patch, label, merge_key)
      && !is_kept_anyway (self))
    weir_field_show_problem (self, NULL);
  return FALSE;
}

gboolean
weir_inspector_add_name (WeirInspector *self, const char *entered, GError **error)
{
  WeirModel *model = weir_document_get_model (self->document);
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_auto (GStrv) sides = g_strsplit (entered, "=", 2);
  g_autofree char *label = NULL;
  WeirBlock *block = NULL;

  if (g_strv_length (sides) != 2 || *g_strstrip (sides[0]) == '\0'
      || *g_strstrip (sides[1]) == '\0')
    {
      g_set_error_literal (error, WEIR_ERROR, WEIR_ERROR_INVALID,
                           _ ("A name and its value are written “k = 2”."));
      return FALSE;
    }
  label = g_strdup_printf (_ ("Add %s"), sides[0]);
  if (self->blocks->len == 0)
    weir_patch_set_variable (patch, sides[0], sides[1]);
  else
    block = weir_model_find_block (model, g_array_index (self->blocks, guint32, 0), ids);
  if (block != NULL)
    {
      g_autoptr (WeirBlock) changed = weir_block_with_parameter (block, sides[0], sides[1]);

      weir_patch_set_block (patch, (WeirPlace) { (const guint32 *) (gpointer) ids->data, ids->len },
                            changed);
    }
  return weir_document_edit (self->document, patch, label, NULL, error);
}

void
weir_inspector_set_unit (WeirInspector *self, gboolean is_unit)
{
  WeirModel *model = weir_document_get_model (self->document);
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  WeirBlock *block = weir_model_find_block (model, g_array_index (self->blocks, guint32, 0), ids);
  g_autoptr (WeirBlock) changed = NULL;
  g_autoptr (GError) error = NULL;

  if (block == NULL || weir_block_is_unit (block) == is_unit)
    return;
  changed = weir_block_with_unit (block, is_unit);
  weir_patch_set_block (patch, (WeirPlace) { (const guint32 *) (gpointer) ids->data, ids->len },
                        changed);
  if (!weir_document_edit (self->document, patch, is_unit ? _ ("Make Unit") : _ ("End Unit"), NULL,
                           &error))
    weir_inspector_explain_error (self, error);
}

void
weir_field_set_promoted (WeirField *self, gboolean promoted)
{
  WeirModel *model = weir_document_get_model (self->inspector->document);
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (GArray) blocks = weir_field_list_blocks (self);
  g_autofree char *label = g_strdup_printf (promoted ? _ ("Promote %s") : _ ("Do Not Promote %s"),
                                            weir_field_get_label (self));

  for (guint i = 0; i < blocks->len; i++)
    {
      g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));
      WeirBlock *block = weir_model_find_block (model, g_array_index (blocks, guint32, i), ids);
      g_autoptr (WeirBlock) changed = NULL;

      if (block == NULL)
        continue;
      changed = weir_block_with_metadata (block, self->spec.name, weir_key_promoted,
                                          promoted ? "true" : NULL);
      weir_patch_set_block (patch, (WeirPlace) { (const guint32 *) (gpointer) ids->data, ids->len },
                            changed);
    }
  if (!weir_patch_is_empty (patch))
    apply (self, patch, label, NULL);
}
