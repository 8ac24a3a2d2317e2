/* Settings and the preferences window. See settings.h. */
#include "gui/host/settings.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "config.h"
#include "native/native.h"

/* As in the schema. */
#define DEFAULT_AUTOSAVE_INTERVAL 5 /* s */
#define DEFAULT_STEPS_AT_ONCE 10

GSettings *
weir_settings_get (void)
{
  static GSettings *settings;
  static gboolean is_known;

  if (!is_known)
    {
      GSettingsSchemaSource *source = g_settings_schema_source_get_default ();
      g_autoptr (GSettingsSchema)
          schema = source == NULL
                       ? NULL
                       : g_settings_schema_source_lookup (source, WEIR_APPLICATION_ID, TRUE);

      /* One of an earlier version lacks keys. */
      if (schema != NULL && g_settings_schema_has_key (schema, "native-code"))
        settings = g_settings_new_full (schema, NULL, NULL);
      is_known = TRUE;
    }
  return settings;
}

guint
weir_settings_get_autosave_interval (void)
{
  return weir_settings_get () != NULL
             ? g_settings_get_uint (weir_settings_get (), "autosave-interval")
             : DEFAULT_AUTOSAVE_INTERVAL;
}

guint
weir_settings_get_steps_at_once (void)
{
  return weir_settings_get () != NULL ? g_settings_get_uint (weir_settings_get (), "steps-at-once")
                                      : DEFAULT_STEPS_AT_ONCE;
}

gboolean
weir_settings_get_instant (void)
{
  return weir_settings_get () == NULL
         || g_settings_get_boolean (weir_settings_get (), "instant-results");
}

void
weir_settings_set_instant (gboolean is_instant)
{
  if (weir_settings_get () != NULL && weir_settings_get_instant () != is_instant)
    g_settings_set_boolean (weir_settings_get (), "instant-results", is_instant);
}

static void
apply_color_scheme (GSettings *settings)
{
  static const AdwColorScheme schemes[] = { ADW_COLOR_SCHEME_DEFAULT, ADW_COLOR_SCHEME_FORCE_LIGHT,
                                            ADW_COLOR_SCHEME_FORCE_DARK };

  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      schemes[g_settings_get_enum (settings, "color-scheme")]);
}

/* Runs that have begun keep what they have. */
static void
apply_native_code (GSettings *settings)
{
  weir_native_set_on (g_settings_get_boolean (settings, "native-code"));
}

void
weir_settings_apply (void)
{
  GSettings *settings = weir_settings_get ();

  if (settings == NULL)
    return;
  g_signal_connect (settings, "changed::color-scheme", G_CALLBACK (apply_color_scheme), NULL);
  apply_color_scheme (settings);
  if (!weir_native_is_on ())
    return; /* the environment says so, or the machine */
  g_signal_connect (settings, "changed::native-code", G_CALLBACK (apply_native_code), NULL);
  apply_native_code (settings);
}

/* --- The window ------------------------------------------------------------------------------ */

static AdwPreferencesGroup *
group_new (GtkWidget *page, const char *title)
{
  GtkWidget *group = adw_preferences_group_new ();

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), title);
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), ADW_PREFERENCES_GROUP (group));
  return ADW_PREFERENCES_GROUP (group);
}

static GtkWidget *
add_row (AdwPreferencesGroup *group, const char *title, const char *subtitle, GtkWidget *control)
{
  GtkWidget *row = adw_action_row_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  gtk_widget_set_valign (control, GTK_ALIGN_CENTER);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), control);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), control);
  gtk_accessible_update_property (GTK_ACCESSIBLE (control), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
                                  -1);
  adw_preferences_group_add (group, row);
  return row;
}

static void
add_switch (AdwPreferencesGroup *group, const char *key, const char *title, const char *subtitle)
{
  GtkWidget *control = gtk_switch_new ();

  add_row (group, title, subtitle, control);
  g_settings_bind (weir_settings_get (), key, control, "active", G_SETTINGS_BIND_DEFAULT);
}

static gboolean
get_scheme (GValue *value, GVariant *variant, G_GNUC_UNUSED gpointer data)
{
  const char *nick = g_variant_get_string (variant, NULL);

  g_value_set_uint (value, strcmp (nick, "light") == 0 ? 1 : strcmp (nick, "dark") == 0 ? 2 : 0);
  return TRUE;
}

static GVariant *
set_scheme (const GValue *value, G_GNUC_UNUSED const GVariantType *type,
            G_GNUC_UNUSED gpointer data)
{
  static const char *const nicks[] = { "system", "light", "dark" };

  return g_variant_new_string (nicks[MIN (g_value_get_uint (value), 2)]);
}

static void
add_scheme (AdwPreferencesGroup *group)
{
  const char *const names[] = { _ ("As the system"), _ ("Light"), _ ("Dark"), NULL };
  GtkWidget *row = adw_combo_row_new ();
  g_autoptr (GtkStringList) list = gtk_string_list_new (names);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _ ("Colors"));
  adw_combo_row_set_model (ADW_COMBO_ROW (row), G_LIST_MODEL (list));
  adw_preferences_group_add (group, row);
  g_settings_bind_with_mapping (weir_settings_get (), "color-scheme", row, "selected",
                                G_SETTINGS_BIND_DEFAULT, get_scheme, set_scheme, NULL, NULL);
}

GtkWidget *
weir_preferences_new (void)
{
  GtkWidget *window = adw_preferences_window_new (), *page = adw_preferences_page_new ();
  AdwPreferencesGroup *group;
  GtkWidget *interval, *steps;

  gtk_window_set_title (GTK_WINDOW (window), _ ("Preferences"));
  adw_preferences_window_set_search_enabled (ADW_PREFERENCES_WINDOW (window), FALSE);
  adw_preferences_page_set_title (ADW_PREFERENCES_PAGE (page), _ ("General"));
  adw_preferences_window_add (ADW_PREFERENCES_WINDOW (window), ADW_PREFERENCES_PAGE (page));
  if (weir_settings_get () == NULL)
    {
      group = group_new (page, _ ("Preferences"));
      adw_preferences_group_set_description (
          group, _ ("Weir is not installed whole: its settings schema is missing, so that nothing "
                    "can be changed here."));
      return window;
    }
  group = group_new (page, _ ("Appearance"));
  add_scheme (group);
  add_switch (group, "show-grid", _ ("Grid"), _ ("Shows a grid behind the diagram"));

  group = group_new (page, _ ("Runs"));
  steps = gtk_spin_button_new_with_range (2, 10000, 1);
  add_row (group, _ ("Steps at once"), _ ("What Ctrl+F8 makes, and Ctrl+F7 takes back"), steps);
  g_settings_bind (weir_settings_get (), "steps-at-once", steps, "value", G_SETTINGS_BIND_DEFAULT);

  add_switch (group, "instant-results", _ ("Instant results"),
              _ ("Curves follow values that are dragged or typed, where the last run took less "
                 "than a second"));
  add_switch (group, "native-code", _ ("Machine code"),
              _ ("Runs that begin from now on use code made for the model; switched off, they give "
                 "the same values, more slowly"));

  group = group_new (page, _ ("Files"));
  interval = gtk_spin_button_new_with_range (1, 60, 1);
  add_row (group, _ ("Keep unsaved changes every"),
           _ ("Seconds of editing that a crash may cost at most"), interval);
  g_settings_bind (weir_settings_get (), "autosave-interval", interval, "value",
                   G_SETTINGS_BIND_DEFAULT);
  add_switch (group, "reopen-files", _ ("Open again"),
              _ ("Starts with the models that were open when the program ended"));
  add_switch (group, "show-welcome", _ ("Welcome page"),
              _ ("Starts with templates, examples and recent models"));
  return window;
}
