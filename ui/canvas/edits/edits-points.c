/* What an editor does to the analysis points of a wire. See edits.h. */
#include <glib/gi18n-lib.h>

#include "canvas/edits/edits.h"

WeirPointKinds
weir_site_get_points (WeirSite site, guint32 wire)
{
  WeirDiagram *diagram = weir_site_get_diagram (site);
  WeirWire *found = diagram != NULL ? weir_diagram_find_wire (diagram, wire) : NULL;

  return found != NULL ? weir_wire_get_points (found, diagram) : 0;
}

/* What stands at the end of the wire goes to where its points are from now on. */
WeirEdit *
weir_edit_set_points (WeirSite site, guint32 wire, WeirPointKinds kinds)
{
  WeirDiagram *diagram = weir_site_get_diagram (site);
  WeirWire *found = diagram != NULL ? weir_diagram_find_wire (diagram, wire) : NULL;
  WeirWireEnd end = found != NULL ? weir_wire_get_to (found) : (WeirWireEnd) { 0 };
  WeirBlock *last = end.block != 0 ? weir_diagram_find_block (diagram, end.block) : NULL;
  const char *port = NULL;
  WeirBlock *block = found != NULL ? weir_wire_find_point_block (found, diagram, &port) : NULL;
  g_autoptr (WeirBlock) changed = NULL;
  WeirEdit *edit;

  if (block == NULL || weir_wire_get_points (found, diagram) == kinds)
    return NULL;
  edit = weir_edit_new (g_strdup (_ ("Change analysis point")));
  if (last != NULL && last != block && weir_block_get_points (last, end.port) != 0)
    {
      g_autoptr (WeirBlock) cleared = weir_block_with_points (last, end.port, 0);

      weir_edit_put_block (edit, site, cleared);
    }
  changed = weir_block_with_points (block, port, kinds);
  weir_edit_put_block (edit, site, changed);
  return weir_edit_finish (edit);
}
