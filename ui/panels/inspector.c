/* WeirInspector. See inspector.h.
 *
 * The fields are made anew when other blocks are shown, their types change, or parameters inside a
 * Subsystem are promoted; any other change of the model rewrites their texts.
 */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "blocks/library/registry.h"
#include "model/tree/fmu-parameters.h"
#include "model/tree/settings.h"
#include "model/tree/unit-settings.h"
#include "panels/inspector-private.h"
#include "widgets/pieces.h"
#include "widgets/tooltips.h"

#define MAX_TOGETHER                                                                               \
  500 /* blocks whose parameters are shown as one: beyond, selecting would get slow */
#define HELP_LINES 5
#define MAX_OF_FMU 200 /* parameters of an FMU that have fields */

G_DEFINE_FINAL_TYPE (WeirInspector, weir_inspector, GTK_TYPE_WIDGET)

/* --- Which fields there are ------------------------------------------------------------------ */

static WeirBlock *
get_block (WeirInspector *self, guint i)
{
  return weir_model_find_block (weir_document_get_model (self->document),
                                g_array_index (self->blocks, guint32, i), NULL);
}

static const WeirBlockType *
get_type (const WeirBlock *block)
{
  return block == NULL ? NULL : weir_registry_find (weir_block_get_type_name (block));
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

/* Of a block, with what leads to its help. */
static void
add_heading (WeirInspector *self, const char *text)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *label = gtk_label_new (text);
  GtkWidget *button = weir_icon_button_new ("help-about-symbolic", "win.help",
                                            _ ("Help on this block (F1)"));

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (label, "heading");
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "weir-small");
  gtk_widget_set_valign (button, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), button);
  gtk_box_append (GTK_BOX (self->box), box);
}

static void
add_field (WeirInspector *self, WeirFieldKind kind, const WeirParameterSpec *spec,
           const char *prefix, guint32 owner)
{
  WeirField *field = weir_field_new (self, kind, spec, prefix, owner);

  gtk_box_append (GTK_BOX (self->box), field->group);
  g_ptr_array_add (self->fields, field);
}

/* The parameter of the same name that another type has, if a value of one suits the other. */
static gboolean
has_same (const WeirBlockType *type, const WeirParameterSpec *spec)
{
  for (guint i = 0; type != NULL && i < type->n_parameters; i++)
    {
      const WeirParameterSpec *other = &type->parameters[i];

      if (g_str_equal (other->name, spec->name) && other->kind == spec->kind
          && g_strcmp0 (other->unit, spec->unit) == 0 && other->minimum == spec->minimum
          && other->maximum == spec->maximum && other->choices == spec->choices)
        return TRUE;
    }
  return FALSE;
}

static void
add_common_parameters (WeirInspector *self)
{
  const WeirBlockType *type = get_type (get_block (self, 0));

  for (guint i = 0; type != NULL && i < type->n_parameters; i++)
    {
      gboolean is_common = TRUE;

      for (guint b = 1; b < self->blocks->len && is_common; b++)
        is_common = has_same (get_type (get_block (self, b)), &type->parameters[i]);
      if (is_common)
        add_field (self, WEIR_FIELD_PARAMETER, &type->parameters[i], NULL, 0);
    }
}

typedef void (*PromotedFunc) (WeirInspector *self, const WeirBlock *block,
                              const WeirParameterSpec *spec, guint *sum);

typedef struct {
  WeirInspector *inspector;
  PromotedFunc func;
  guint *sum;
} PromotedSearch;

static gboolean
search_promoted (WeirBlock *block, gpointer data)
{
  PromotedSearch *search = data;
  const WeirBlockType *type = get_type (block);

  for (guint i = 0; type != NULL && i < type->n_parameters; i++)
    {
      gboolean promoted = FALSE;

      if (weir_metadata_get_boolean (weir_block_get_metadata (block), type->parameters[i].name,
                                     weir_key_promoted, &promoted)
          && promoted)
        search->func (search->inspector, block, &type->parameters[i], search->sum);
    }
  return TRUE;
}

static void
add_promoted (WeirInspector *self, const WeirBlock *block, const WeirParameterSpec *spec,
              G_GNUC_UNUSED guint *sum)
{
  add_field (self, WEIR_FIELD_PARAMETER, spec, weir_block_get_name (block),
             weir_block_get_id (block));
}

static void
sum_promoted (G_GNUC_UNUSED WeirInspector *self, const WeirBlock *block,
              const WeirParameterSpec *spec, guint *sum)
{
  *sum = *sum * 31 + weir_block_get_id (block);
  *sum = *sum * 31 + g_str_hash (spec->name) + g_str_hash (weir_block_get_name (block));
}

static void
foreach_promoted (WeirInspector *self, const WeirBlock *subsystem, PromotedFunc func, guint *sum)
{
  PromotedSearch search = { self, func, sum };

  if (weir_block_get_diagram (subsystem) != NULL)
    weir_diagram_foreach_block (weir_block_get_diagram (subsystem), search_promoted, &search);
}

/* Names and defaults of the fields of its inputs are among what it depends on. */
static guint
sum_unit (const WeirBlock *block)
{
  g_auto (GStrv) inputs = weir_block_dup_inputs (block);
  const char *of_all = weir_block_get_unit_setting (block, WEIR_UNIT_INPUTS);
  guint sum = 1 + (of_all != NULL ? g_str_hash (of_all) : 0);

  for (guint i = 0; inputs[i] != NULL; i++)
    sum = sum * 31 + g_str_hash (inputs[i]);
  return sum;
}

/* What the fields depend on besides the ids of the blocks. */
static guint
get_shape (WeirInspector *self)
{
  WeirModel *model = weir_document_get_model (self->document);
  const char *name;
  guint shape = 1;

  for (guint i = 0; self->blocks->len == 0 && i < weir_model_get_n_variables (model); i++)
    {
      weir_model_get_variable_at (model, i, &name, NULL);
      shape = shape * 31 + g_str_hash (name);
    }

  for (guint i = 0; i < MIN (self->blocks->len, MAX_TOGETHER); i++)
    {
      const WeirBlock *block = get_block (self, i);

      shape = shape * 31 + (block != NULL ? g_str_hash (weir_block_get_type_name (block)) : 0);
      if (block == NULL || self->blocks->len > 1)
        continue;
      foreach_promoted (self, block, sum_promoted, &shape);
      shape = shape * 31 + g_direct_hash (weir_block_get_fmu_parameters (block));
      if (weir_block_is_unit (block))
        shape += sum_unit (block);
      for (guint k = 0;
           weir_block_get_diagram (block) != NULL && k < weir_block_get_n_parameters (block); k++)
        {
          weir_block_get_parameter_at (block, k, &name, NULL);
          shape = shape * 31 + g_str_hash (name);
        }
    }
  return shape;
}

static void
name_entered (GtkEntry *entry, WeirInspector *self)
{
  g_autofree char *text = g_strdup (gtk_editable_get_text (GTK_EDITABLE (entry)));
  g_autoptr (GError) error = NULL;

  gtk_widget_remove_css_class (GTK_WIDGET (entry), "error");
  if (weir_inspector_add_name (self, text, &error))
    return; /* the fields are others now */
  gtk_widget_add_css_class (GTK_WIDGET (entry), "error");
  weir_inspector_explain_error (self, error);
}

/* A name that expressions further in may use. */
static void
add_free_field (WeirInspector *self, WeirFieldKind kind, const char *name)
{
  WeirParameterSpec spec = { .name = g_intern_string (name),
                             .label = g_intern_string (name),
                             .kind = WEIR_VALUE_VECTOR,
                             .minimum = -INFINITY,
                             .maximum = INFINITY };

  spec.help = kind == WEIR_FIELD_VARIABLE
                  ? N_ ("Expressions of all blocks may use this name")
                  : N_ ("Expressions of the blocks inside may use this name");
  add_field (self, kind, &spec, NULL, 0);
}

static void
add_name_entry (WeirInspector *self, const char *label)
{
  GtkWidget *entry = gtk_entry_new ();

  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), _ ("New name, such as k = 2"));
  weir_set_tooltip (entry, _ ("New name, such as k = 2"));
  gtk_entry_set_icon_from_icon_name (GTK_ENTRY (entry), GTK_ENTRY_ICON_PRIMARY,
                                     "list-add-symbolic");
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  g_signal_connect (entry, "activate", G_CALLBACK (name_entered), self);
  gtk_box_append (GTK_BOX (self->box), entry);
}

static void
add_variables (WeirInspector *self)
{
  WeirModel *model = weir_document_get_model (self->document);

  add_text (self, _ ("Variables"), "heading");
  for (guint i = 0; i < weir_model_get_n_variables (model); i++)
    {
      const char *name;

      weir_model_get_variable_at (model, i, &name, NULL);
      add_free_field (self, WEIR_FIELD_VARIABLE, name);
    }
  add_name_entry (self, _ ("New variable"));
}

static void
add_own_names (WeirInspector *self, const WeirBlock *subsystem)
{
  for (guint i = 0; i < weir_block_get_n_parameters (subsystem); i++)
    {
      const char *name;

      weir_block_get_parameter_at (subsystem, i, &name, NULL);
      add_free_field (self, WEIR_FIELD_PARAMETER, name);
    }
  add_name_entry (self, _ ("New parameter"));
}

static void
unit_toggled (GtkCheckButton *button, WeirInspector *self)
{
  weir_inspector_set_unit (self, gtk_check_button_get_active (button));
}

/* How one input of a unit is fed; else as all of them are. */
static void
add_unit_input (WeirInspector *self, const WeirBlock *block, const char *port)
{
  WeirParameterSpec spec = *weir_unit_settings_find_spec (WEIR_UNIT_INPUTS);
  const char *of_all = weir_block_get_unit_setting (block, WEIR_UNIT_INPUTS);
  g_autofree char *name = g_strconcat (WEIR_UNIT_INPUTS ".", port, NULL);

  spec.name = g_intern_string (name);
  spec.label = g_intern_string (port);
  spec.default_text = of_all != NULL ? g_intern_string (of_all) : spec.default_text;
  add_field (self, WEIR_FIELD_UNIT, &spec, _ ("Input"), 0);
}

static void
add_unit (WeirInspector *self, const WeirBlock *block)
{
  GtkWidget *button = gtk_check_button_new_with_label (_ ("Unit of co-simulation"));
  g_auto (GStrv) inputs = weir_block_dup_inputs (block);
  guint n;
  const WeirParameterSpec *specs = weir_unit_settings_get_specs (&n);

  gtk_check_button_set_active (GTK_CHECK_BUTTON (button), weir_block_is_unit (block));
  weir_set_tooltip (
      button, _ ("The Subsystem makes steps of its own, with a solver of its own, and exchanges "
                 "values with the rest at communication instants only"));
  g_signal_connect (button, "toggled", G_CALLBACK (unit_toggled), self);
  gtk_box_append (GTK_BOX (self->box), button);
  for (guint i = 0; i < n && weir_block_is_unit (block); i++)
    {
      add_field (self, WEIR_FIELD_UNIT, &specs[i], NULL, 0);
      for (guint k = 0; g_str_equal (specs[i].name, WEIR_UNIT_INPUTS) && inputs[k] != NULL; k++)
        add_unit_input (self, block, inputs[k]);
    }
}

/* With what leads to the pages that the FMU brings with it. */
static void
add_fmu (WeirInspector *self, const WeirBlock *block)
{
  const GArray *parameters = weir_block_get_fmu_parameters (block);
  guint n = parameters != NULL ? parameters->len : 0;

  if (weir_block_has_fmu_pages (block))
    {
      GtkWidget *button = gtk_button_new_with_label (_ ("Pages of the FMU…"));

      gtk_label_set_wrap (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (button))), TRUE);
      weir_set_tooltip (button, _ ("What its maker says of it, in the web browser"));
      gtk_widget_set_halign (button, GTK_ALIGN_START);
      gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.fmu-pages");
      gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "u", weir_block_get_id (block));
      gtk_box_append (GTK_BOX (self->box), button);
    }
  for (guint i = 0; i < MIN (n, MAX_OF_FMU); i++)
    {
      const WeirParameterSpec *spec = &g_array_index (parameters, WeirParameterSpec, i);

      if (i == 0 || (spec->is_initial && !spec[-1].is_initial))
        add_text (self, spec->is_initial ? _ ("States at the start") : _ ("Parameters of the FMU"),
                  "heading");
      add_field (self, WEIR_FIELD_START, spec, NULL, 0);
    }
  if (n > MAX_OF_FMU)
    {
      g_autofree char *rest = g_strdup_printf (
          ngettext ("And %u more, which is set by name among the start values.",
                    "And %u more, which are set by name among the start values.", n - MAX_OF_FMU),
          n - MAX_OF_FMU);

      add_text (self, rest, "dim-label");
    }
}

static void
add_settings (WeirInspector *self)
{
  static const WeirParameterSpec title_spec = {
    .name = "title", .label = N_ ("Title"), .kind = WEIR_VALUE_TEXT, .default_text = ""
  };
  guint n;
  const WeirParameterSpec *specs = weir_settings_get_specs (&n);

  add_text (self, _ ("Run Settings"), "heading");
  add_field (self, WEIR_FIELD_TITLE, &title_spec, NULL, 0);
  for (guint i = 0; i < n; i++)
    add_field (self, WEIR_FIELD_SETTING, &specs[i], NULL, 0);
  add_variables (self);
}

static void
add_block (WeirInspector *self)
{
  static const WeirParameterSpec name_spec = {
    .name = "name",
    .label = N_ ("Name"),
    .kind = WEIR_VALUE_TEXT,
    .default_text = "",
    .help = N_ ("Part of the path of everything inside; has no “.”")
  };
  static const WeirParameterSpec description_spec = {
    .name = "description",
    .label = N_ ("Description"),
    .kind = WEIR_VALUE_TEXT,
    .default_text = "",
    .help = N_ ("What this block stands for, in your own words")
  };
  const WeirBlock *block = get_block (self, 0);
  const WeirBlockType *type = get_type (block);

  add_heading (self, type != NULL ? _ (type->title) : weir_block_get_type_name (block));
  add_text (self,
            type != NULL ? _ (type->summary)
                         : _ ("This type of block is not known here; it is kept as it is."),
            "dim-label");
  if (type != NULL && weir_block_type_get_advice (type) != NULL)
    add_text (self, _ (weir_block_type_get_advice (type)), "dim-label");
  add_field (self, WEIR_FIELD_NAME, &name_spec, NULL, 0);
  add_common_parameters (self);
  add_fmu (self, block);
  foreach_promoted (self, block, add_promoted, NULL);
  if (weir_block_get_diagram (block) != NULL)
    {
      add_own_names (self, block);
      add_unit (self, block);
    }
  add_field (self, WEIR_FIELD_DESCRIPTION, &description_spec, NULL, 0);
}

static void
add_blocks (WeirInspector *self)
{
  g_autofree char *many = g_strdup_printf (
      ngettext ("%u block selected", "%u blocks selected", self->blocks->len), self->blocks->len);

  add_text (self, many, "heading");
  if (self->blocks->len > MAX_TOGETHER)
    return;
  add_common_parameters (self);
  if (self->fields->len == 0)
    add_text (self, _ ("They have no parameters in common."), "dim-label");
}

static void
update_fields (WeirInspector *self)
{
  for (guint i = 0; i < self->fields->len; i++)
    weir_field_update (g_ptr_array_index (self->fields, i));
}

/* Entries that lose the focus by going must not commit. */
static void
forget_fields (WeirInspector *self)
{
  for (guint i = 0; i < self->fields->len; i++)
    ((WeirField *) g_ptr_array_index (self->fields, i))->inspector = NULL;
  g_ptr_array_set_size (self->fields, 0);
}

static void
rebuild (WeirInspector *self)
{
  GtkWidget *child;

  forget_fields (self);
  while ((child = gtk_widget_get_first_child (self->box)) != NULL)
    gtk_box_remove (GTK_BOX (self->box), child);
  weir_inspector_explain (self, NULL);
  self->shape = get_shape (self);
  if (self->blocks->len == 0)
    add_settings (self);
  else if (self->blocks->len == 1)
    add_block (self);
  else
    add_blocks (self);
  update_fields (self);
}

/* --- Following ------------------------------------------------------------------------------- */

static void
document_changed (WeirInspector *self)
{
  guint n = 0;

  for (guint i = 0; self->blocks->len <= MAX_TOGETHER && i < self->blocks->len; i++)
    if (get_block (self, i) != NULL)
      g_array_index (self->blocks, guint32, n++) = g_array_index (self->blocks, guint32, i);
  if (n < self->blocks->len && self->blocks->len <= MAX_TOGETHER)
    {
      g_array_set_size (self->blocks, n);
      rebuild (self);
    }
  else if (get_shape (self) != self->shape)
    rebuild (self);
  else
    update_fields (self);
}

void
weir_inspector_set_selected (WeirInspector *self, const guint32 *blocks, guint n_blocks)
{
  gboolean is_same;

  g_return_if_fail (WEIR_IS_INSPECTOR (self));

  is_same = n_blocks == self->blocks->len;
  for (guint i = 0; i < n_blocks && is_same; i++)
    is_same = g_array_index (self->blocks, guint32, i) == blocks[i];
  if (is_same)
    return;
  g_array_set_size (self->blocks, 0);
  g_array_append_vals (self->blocks, blocks, n_blocks);
  rebuild (self);
}

void
weir_inspector_enter (WeirInspector *self)
{
  g_return_if_fail (WEIR_IS_INSPECTOR (self));

  for (guint i = 0; i < self->fields->len; i++)
    {
      WeirField *field = g_ptr_array_index (self->fields, i);
      GtkStateFlags state = gtk_widget_get_state_flags (field->widget);

      if ((state & GTK_STATE_FLAG_FOCUS_WITHIN) != 0)
        {
          weir_field_enter (field);
          return; /* the fields may be others now */
        }
    }
}

void
weir_inspector_focus_first (WeirInspector *self)
{
  /* A block's parameters matter more than its name. */
  guint i = self->blocks->len == 1 && self->fields->len > 2 ? 1 : 0;

  if (i < self->fields->len)
    gtk_widget_grab_focus (((WeirField *) g_ptr_array_index (self->fields, i))->widget);
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
dispose (GObject *object)
{
  WeirInspector *self = WEIR_INSPECTOR (object);
  GtkWidget *child;

  if (self->fields != NULL)
    forget_fields (self);
  if (self->document != NULL)
    g_clear_signal_handler (&self->changed_handler, self->document);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_pointer (&self->fields, g_ptr_array_unref);
  g_clear_pointer (&self->blocks, g_array_unref);
  g_clear_object (&self->document);
  G_OBJECT_CLASS (weir_inspector_parent_class)->dispose (object);
}

static void
weir_inspector_class_init (WeirInspectorClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
  g_signal_new ("parameter-pointed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                NULL, G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_STRING);
}

static void
weir_inspector_init (WeirInspector *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *whole = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->fields = g_ptr_array_new ();
  self->blocks = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  weir_set_margins (self->box, 12, 12);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->box);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  self->help = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->help), TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->help), 0);
  gtk_label_set_yalign (GTK_LABEL (self->help), 0);
  gtk_label_set_lines (GTK_LABEL (self->help), HELP_LINES);
  gtk_label_set_ellipsize (GTK_LABEL (self->help), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (self->help, "caption");
  gtk_widget_add_css_class (self->help, "weir-help");
  weir_inspector_explain (self, NULL);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (whole), scrolled);
  gtk_box_append (GTK_BOX (whole), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (GTK_BOX (whole), self->help);
  gtk_widget_set_parent (whole, GTK_WIDGET (self));
}

void
weir_inspector_set_document (WeirInspector *self, WeirDocument *document)
{
  g_return_if_fail (WEIR_IS_INSPECTOR (self) && self->document == NULL);

  self->document = g_object_ref (document);
  self->changed_handler = g_signal_connect_swapped (document, "changed",
                                                    G_CALLBACK (document_changed), self);
  rebuild (self);
}
