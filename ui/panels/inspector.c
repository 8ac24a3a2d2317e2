/* WeirInspector. See inspector.h.
 *
 * The fields are made anew when another block is shown or its type changes; any other change of the model
 * rewrites their texts, except in a field that is being typed in.
 */
#include "panels/inspector.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "blocks/registry.h"
#include "model/settings.h"
#include "sim/simulator.h"

struct _WeirInspector {
  GtkWidget parent;
  WeirDocument *document;
  gulong changed_handler;
  GtkWidget *box;
  GPtrArray *fields; /* Field */
  guint32 block;     /* 0: settings */
  guint n_selected;
  gboolean updating;
};

G_DEFINE_FINAL_TYPE (WeirInspector, weir_inspector, GTK_TYPE_WIDGET)

typedef enum { FIELD_NAME, FIELD_PARAMETER, FIELD_SETTING, FIELD_TITLE } FieldKind;

typedef struct {
  WeirInspector *inspector;
  FieldKind kind;
  WeirParameterSpec spec; /* of a parameter or setting; its texts are static */
  GtkWidget *widget;      /* GtkEntry or GtkDropDown */
  GtkWidget *problem;     /* label under it */
} Field;

/* The solver is a choice among those that exist. */
static const char *solver_names[32];

/* --- The model's side ------------------------------------------------------------------------------ */

static WeirBlock *
get_block (WeirInspector *self, GArray *place)
{
  return self->block == 0 ? NULL
                          : weir_model_find_block (weir_document_get_model (self->document),
                                                   self->block, place);
}

static const char *
get_text (const Field *field)
{
  WeirInspector *self = field->inspector;
  WeirModel *model = weir_document_get_model (self->document);
  WeirBlock *block = get_block (self, NULL);
  const char *text = NULL;

  switch (field->kind)
    {
    case FIELD_NAME:
      return block == NULL ? "" : weir_block_get_name (block);
    case FIELD_PARAMETER:
      text = block == NULL ? NULL : weir_block_get_parameter (block, field->spec.name);
      break;
    case FIELD_SETTING:
      text = weir_model_get_setting (model, field->spec.name);
      break;
    case FIELD_TITLE:
      text = weir_model_get_title (model);
      return text != NULL ? text : "";
    default:
      break;
    }
  return text != NULL ? text : field->spec.default_text;
}

static void
show_problem (Field *field, const char *text)
{
  gtk_label_set_text (GTK_LABEL (field->problem), text != NULL ? text : "");
  gtk_widget_set_visible (field->problem, text != NULL);
  if (text != NULL)
    gtk_widget_add_css_class (field->widget, "error");
  else
    gtk_widget_remove_css_class (field->widget, "error");
  gtk_accessible_update_state (GTK_ACCESSIBLE (field->widget), GTK_ACCESSIBLE_STATE_INVALID,
                               text != NULL ? GTK_ACCESSIBLE_INVALID_TRUE
                                            : GTK_ACCESSIBLE_INVALID_FALSE,
                               -1);
}

/* A name's rules need the diagram, so the patch itself is the check. */
static gboolean
check_text (const Field *field, const char *text, GError **error)
{
  if (field->kind == FIELD_NAME)
    {
      if (*text == '\0' || strchr (text, '.') != NULL)
        {
          g_set_error_literal (error, WEIR_ERROR, WEIR_ERROR_INVALID,
                               _ ("A name is not empty and has no “.”."));
          return FALSE;
        }
      return TRUE;
    }
  if (field->kind == FIELD_TITLE)
    return TRUE;
  return weir_parameter_spec_check (&field->spec, text, error);
}

static void
commit (Field *field, const char *text)
{
  WeirInspector *self = field->inspector;
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (GArray) place = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (WeirBlock) changed = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *label = NULL;
  WeirBlock *block = get_block (self, place);

  if (g_str_equal (text, get_text (field)))
    {
      show_problem (field, NULL);
      return;
    }
  if (!check_text (field, text, &error))
    {
      show_problem (field, error->message);
      return;
    }
  switch (field->kind)
    {
    case FIELD_NAME:
      changed = weir_block_with_name (block, text);
      label = g_strdup_printf (_ ("Rename to %s"), text);
      break;
    case FIELD_PARAMETER:
      changed = weir_block_with_parameter (block, field->spec.name, text);
      label = g_strdup_printf (_ ("Change %s of %s"), _ (field->spec.label),
                               weir_block_get_name (block));
      break;
    case FIELD_SETTING:
      weir_patch_set_setting (patch, field->spec.name, text);
      label = g_strdup_printf (_ ("Change %s"), _ (field->spec.label));
      break;
    case FIELD_TITLE:
    default:
      weir_patch_set_title (patch, text);
      label = g_strdup (_ ("Change Title"));
      break;
    }
  if (changed != NULL)
    weir_patch_set_block (patch,
                          (WeirPlace) { (const guint32 *) (gpointer) place->data, place->len },
                          changed);
  if (weir_document_edit (self->document, patch, label, NULL, &error))
    show_problem (field, NULL);
  else
    show_problem (field, error->message);
}

/* --- Fields ------------------------------------------------------------------------------------ */

static void
entry_changed (GtkEditable *editable, Field *field)
{
  g_autoptr (GError) error = NULL;

  if (field->inspector->updating)
    return;
  if (check_text (field, gtk_editable_get_text (editable), &error))
    show_problem (field, NULL);
  else
    show_problem (field, error->message);
}

static void
entry_activated (GtkEditable *editable, Field *field)
{
  g_autofree char *text = g_strdup (gtk_editable_get_text (editable));

  commit (field, text);
}

static void
entry_left (GtkEventControllerFocus *controller, Field *field)
{
  if (field->inspector->updating) /* it only goes because its block does */
    return;
  entry_activated (
      GTK_EDITABLE (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (controller))), field);
}

/* Escape puts the committed text back. */
static gboolean
entry_key (G_GNUC_UNUSED GtkEventControllerKey *controller, guint key, G_GNUC_UNUSED guint code,
           G_GNUC_UNUSED GdkModifierType state, Field *field)
{
  if (key != GDK_KEY_Escape)
    return GDK_EVENT_PROPAGATE;
  gtk_editable_set_text (GTK_EDITABLE (field->widget), get_text (field));
  show_problem (field, NULL);
  return GDK_EVENT_STOP;
}

static void
choice_changed (GtkDropDown *drop_down, G_GNUC_UNUSED GParamSpec *pspec, Field *field)
{
  guint selected = gtk_drop_down_get_selected (drop_down);

  if (!field->inspector->updating && selected != GTK_INVALID_LIST_POSITION)
    commit (field, field->spec.choices[selected]);
}

static void
update_field (Field *field)
{
  const char *text = get_text (field);

  if (GTK_IS_DROP_DOWN (field->widget))
    {
      for (guint i = 0; field->spec.choices[i] != NULL; i++)
        if (g_str_equal (field->spec.choices[i], text))
          gtk_drop_down_set_selected (GTK_DROP_DOWN (field->widget), i);
      return;
    }
  if (g_str_equal (gtk_editable_get_text (GTK_EDITABLE (field->widget)), text))
    return;
  gtk_editable_set_text (GTK_EDITABLE (field->widget), text);
  show_problem (field, NULL);
}

static void
parameter_entered (GtkEventControllerMotion *controller, G_GNUC_UNUSED double x, G_GNUC_UNUSED double y,
                   WeirInspector *self)
{
  GtkWidget *group = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (controller));

  g_signal_emit_by_name (self, "parameter-pointed", self->block,
                         g_object_get_data (G_OBJECT (group), "weir-parameter"));
}

static void
parameter_left (G_GNUC_UNUSED GtkEventControllerMotion *controller, WeirInspector *self)
{
  g_signal_emit_by_name (self, "parameter-pointed", self->block, NULL);
}

/* Tells when the pointer is on a parameter. */
static void
watch_pointer (WeirInspector *self, GtkWidget *group, const WeirParameterSpec *spec)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();

  g_object_set_data (G_OBJECT (group), "weir-parameter", (gpointer) spec->name);
  g_signal_connect (motion, "enter", G_CALLBACK (parameter_entered), self);
  g_signal_connect (motion, "leave", G_CALLBACK (parameter_left), self);
  gtk_widget_add_controller (group, motion);
}

static Field *
add_field (WeirInspector *self, FieldKind kind, const WeirParameterSpec *spec)
{
  Field *field = g_new0 (Field, 1);
  GtkWidget *group = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3), *label;
  g_autofree char *caption = NULL;

  field->inspector = self;
  field->kind = kind;
  field->spec = *spec;
  caption = spec->unit != NULL ? g_strdup_printf ("%s (%s)", _ (spec->label), spec->unit)
                               : g_strdup (_ (spec->label));
  label = gtk_label_new (caption);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "caption-heading");

  if (spec->kind == WEIR_VALUE_CHOICE)
    {
      field->widget = gtk_drop_down_new_from_strings (spec->choices);
      g_signal_connect (field->widget, "notify::selected", G_CALLBACK (choice_changed), field);
    }
  else
    {
      GtkEventController *focus = gtk_event_controller_focus_new ();
      GtkEventController *keys = gtk_event_controller_key_new ();

      field->widget = gtk_entry_new ();
      gtk_editable_set_width_chars (GTK_EDITABLE (field->widget), 8);
      g_signal_connect (field->widget, "changed", G_CALLBACK (entry_changed), field);
      g_signal_connect (field->widget, "activate", G_CALLBACK (entry_activated), field);
      g_signal_connect (focus, "leave", G_CALLBACK (entry_left), field);
      gtk_widget_add_controller (field->widget, focus);
      g_signal_connect (keys, "key-pressed", G_CALLBACK (entry_key), field);
      gtk_widget_add_controller (field->widget, keys);
    }
  if (spec->help != NULL)
    gtk_widget_set_tooltip_text (field->widget, _ (spec->help));
  gtk_accessible_update_property (GTK_ACCESSIBLE (field->widget), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  caption, -1);
  field->problem = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (field->problem), TRUE);
  gtk_label_set_xalign (GTK_LABEL (field->problem), 0);
  gtk_widget_add_css_class (field->problem, "caption");
  gtk_widget_add_css_class (field->problem, "error");
  gtk_widget_set_visible (field->problem, FALSE);

  if (kind == FIELD_PARAMETER)
    watch_pointer (self, group, spec);
  gtk_box_append (GTK_BOX (group), label);
  gtk_box_append (GTK_BOX (group), field->widget);
  gtk_box_append (GTK_BOX (group), field->problem);
  gtk_box_append (GTK_BOX (self->box), group);
  g_ptr_array_add (self->fields, field);
  return field;
}

static void
add_text (WeirInspector *self, const char *text, const char *css_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, css_class);
  gtk_box_append (GTK_BOX (self->box), label);
}

static void
update_fields (WeirInspector *self)
{
  self->updating = TRUE;
  for (guint i = 0; i < self->fields->len; i++)
    update_field (g_ptr_array_index (self->fields, i));
  self->updating = FALSE;
}

static void
add_settings (WeirInspector *self)
{
  guint n;
  const WeirParameterSpec *specs = weir_settings_get_specs (&n);

  for (guint i = 0; i < n; i++)
    {
      WeirParameterSpec spec = specs[i];

      if (g_str_equal (spec.name, "solver"))
        {
          spec.kind = WEIR_VALUE_CHOICE;
          spec.choices = solver_names;
        }
      add_field (self, FIELD_SETTING, &spec);
    }
}

static void
rebuild (WeirInspector *self)
{
  static const WeirParameterSpec name_spec
      = { .name = "name", .label = N_ ("Name"), .kind = WEIR_VALUE_TEXT, .default_text = "",
          .help = N_ ("Part of the path of everything inside; has no “.”") };
  static const WeirParameterSpec title_spec
      = { .name = "title", .label = N_ ("Title"), .kind = WEIR_VALUE_TEXT, .default_text = "" };
  WeirBlock *block = get_block (self, NULL);
  const WeirBlockType *type
      = block == NULL ? NULL : weir_registry_find (weir_block_get_type_name (block));
  GtkWidget *child;

  self->updating = TRUE; /* entries that lose the focus by going must not commit */
  while ((child = gtk_widget_get_first_child (self->box)) != NULL)
    gtk_box_remove (GTK_BOX (self->box), child);
  g_ptr_array_set_size (self->fields, 0);
  self->updating = FALSE;

  if (block == NULL)
    {
      g_autofree char *many = NULL;

      if (self->n_selected > 1)
        {
          many = g_strdup_printf (
              ngettext ("%u block selected", "%u blocks selected",
                        self->n_selected),
              self->n_selected);
          add_text (self, many, "heading");
          return;
        }
      add_text (self, _ ("Run Settings"), "heading");
      add_field (self, FIELD_TITLE, &title_spec);
      add_settings (self);
    }
  else
    {
      add_text (self, type != NULL ? _ (type->title) : weir_block_get_type_name (block), "heading");
      add_text (self,
                type != NULL ? _ (type->summary)
                             : _ ("This type of block is not known here; it is kept as it is."),
                "dim-label");
      add_field (self, FIELD_NAME, &name_spec);
      for (guint i = 0; type != NULL && i < type->n_parameters; i++)
        add_field (self, FIELD_PARAMETER, &type->parameters[i]);
    }
  update_fields (self);
}

static void
document_changed (WeirInspector *self)
{
  if (self->block != 0 && get_block (self, NULL) == NULL)
    weir_inspector_set_selected (self, 0, 0);
  else
    update_fields (self);
}

void
weir_inspector_set_selected (WeirInspector *self, guint32 id, guint n_selected)
{
  g_return_if_fail (WEIR_IS_INSPECTOR (self));

  if (self->block == id && self->n_selected == n_selected)
    return;
  self->block = id;
  self->n_selected = n_selected;
  rebuild (self);
}

void
weir_inspector_focus_first (WeirInspector *self)
{
  /* A block's parameters matter more than its name. */
  guint i = self->block != 0 && self->fields->len > 1 ? 1 : 0;

  if (i < self->fields->len)
    gtk_widget_grab_focus (((Field *) g_ptr_array_index (self->fields, i))->widget);
}

/* --- Life -------------------------------------------------------------------------------------- */

static void
dispose (GObject *object)
{
  WeirInspector *self = WEIR_INSPECTOR (object);
  GtkWidget *child;

  self->updating = TRUE;
  if (self->document != NULL)
    g_clear_signal_handler (&self->changed_handler, self->document);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_pointer (&self->fields, g_ptr_array_unref);
  g_clear_object (&self->document);
  G_OBJECT_CLASS (weir_inspector_parent_class)->dispose (object);
}

static void
weir_inspector_class_init (WeirInspectorClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
  g_signal_new ("parameter-pointed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_STRING);
  for (guint i = 0; i < MIN (weir_solver_get_n (), G_N_ELEMENTS (solver_names) - 1); i++)
    solver_names[i] = weir_solver_get (i)->name;
}

static void
weir_inspector_init (WeirInspector *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->fields = g_ptr_array_new_with_free_func (g_free);
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  gtk_widget_set_margin_start (self->box, 12);
  gtk_widget_set_margin_end (self->box, 12);
  gtk_widget_set_margin_top (self->box, 12);
  gtk_widget_set_margin_bottom (self->box, 12);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->box);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_widget_set_parent (scrolled, GTK_WIDGET (self));
}

GtkWidget *
weir_inspector_new (WeirDocument *document)
{
  WeirInspector *self = g_object_new (WEIR_TYPE_INSPECTOR, NULL);

  self->document = g_object_ref (document);
  self->changed_handler
      = g_signal_connect_swapped (document, "changed", G_CALLBACK (document_changed), self);
  rebuild (self);
  return GTK_WIDGET (self);
}
