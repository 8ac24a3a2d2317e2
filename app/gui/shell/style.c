/* The style sheet of the windows. See gui.h.
 *
 * What the theme has no name for, and the theme's colours of problems in place of its own: a
 * warning is of one colour on the diagram, which is drawn with the palette, and in every list.
 */
#include "gui/shell/gui.h"

#include "widgets/look.h"

/* Rows and toggles leave room for what they are about. */
static const char rules[] =
    "weir-cache columnview > listview > row > cell { padding: 3px 6px; }"
    "weir-cache columnview > header > button { padding: 4px 6px; }"
    "weir-cache columnview switch, weir-cache columnview switch > slider"
    " { min-height: 14px; }"
    "weir-cache columnview switch > slider { min-width: 14px; }"
    "weir-cache columnview switch { margin: 0; }"
    "row.weir-pointed { background: alpha(@accent_bg_color, .15); }"
    "button.weir-curve { padding: 1px 6px; min-height: 20px; background: none; }"
    "button.weir-curve:hover { background: alpha(currentColor, .07); }"
    "button.weir-curve:not(:checked) label { opacity: .55; }"
    "weir-scopes button.image-button { padding: 1px; min-height: 24px; min-width: 24px; }"
    "weir-plot:focus-visible, .weir-plot:focus-visible { outline: 2px solid alpha(@accent_color, "
    ".5);"
    " outline-offset: -2px; }"
    "button.weir-plot-tool { padding: 2px 0; min-height: 24px; min-width: 20px; font-size: 85%; }"
    "weir-figures columnview > listview > row > cell { padding: 2px 6px; }"
    "weir-figures columnview > header > button { padding: 3px 6px; }"
    "stackswitcher.weir-pages > button { padding: 2px 5px; font-size: 93%; min-width: 28px; "
    "min-height: 24px; }"
    "weir-outline listview > row { padding: 3px 6px; margin: 0 6px; min-height: 20px; }"
    "weir-outline treeexpander:drop(active) { border-radius: 6px;"
    " box-shadow: inset 0 0 0 2px @accent_bg_color; }"
    "button.weir-card { padding: 10px; }"
    ".weir-picture { border-radius: 6px; }"
    "textview.weir-text, textview.weir-text > text { background: none; }"
    "textview.weir-text { background: alpha(currentColor, .1); border-radius: 6px; min-height: "
    "34px;"
    " outline: 0 solid transparent; }"
    "textview.weir-text:focus-within { outline: 2px solid alpha(@accent_color, .5);"
    " outline-offset: -2px; }"
    "textview.weir-text.error { outline: 2px solid alpha(@error_color, .5); outline-offset: "
    "-2px; }"
    "label.weir-help { padding: 6px 12px; min-height: 6em; }"
    "scale.weir-slider { padding: 4px 6px; }"
    "entry.weir-limit { min-height: 18px; padding: 0 4px; background: none; font-size: smaller;"
    "  color: alpha(currentColor, .7); }"
    "entry.weir-limit:focus-within { color: inherit; }"
    "button.weir-small { padding: 0 3px; min-height: 20px; min-width: 20px; }"
    "button.weir-small > image { -gtk-icon-size: 12px; }"
    "box.weir-breadcrumb > button { padding: 1px 9px; min-height: 24px; }"
    "button.weir-strip { padding: 0 6px; min-height: 0; font-weight: normal; }"
    "button.weir-crumb { font-weight: normal; }"
    "box.weir-code { background: alpha(currentColor, .07); border-radius: 6px; padding: 3px 3px 3px"
    " 12px; }"
    "box.weir-code label { padding: 6px 0; }"
    "label.weir-note { background: alpha(@accent_bg_color, .15); border-radius: 6px;"
    " padding: 9px 12px; }"
    "weir-help-view:focus { outline: none; }"
    ".weir-presenter { font-size: 150%; }"
    ".weir-presenter .heading { font-size: 115%; }"
    ".weir-presenter .weir-caption { min-height: 3.2em; }"
    ".weir-hint { color: @weir_hint_color; }";

static void
add_color (GString *css, const char *name, WeirColor color)
{
  GdkRGBA rgba = { (float) color.r, (float) color.g, (float) color.b, (float) color.a };
  g_autofree char *text = gdk_rgba_to_string (&rgba);

  g_string_append_printf (css, "@define-color %s %s;", name, text);
}

static void
load (GtkCssProvider *provider)
{
  const WeirPalette *palette = weir_look_get_palette ();
  g_autoptr (GString) css = g_string_new (rules);

  add_color (css, "error_color", palette->error);
  add_color (css, "warning_color", palette->warning);
  add_color (css, "weir_hint_color", palette->hint);
  gtk_css_provider_load_from_data (provider, css->str, (gssize) css->len);
}

void
weir_style_apply (void)
{
  g_autoptr (GtkCssProvider) provider = gtk_css_provider_new ();

  load (provider);
  weir_look_follow (provider, G_CALLBACK (load));
  gtk_style_context_add_provider_for_display (gdk_display_get_default (),
                                              GTK_STYLE_PROVIDER (provider),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
}
