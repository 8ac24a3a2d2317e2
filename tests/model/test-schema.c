/* The tables of the format (engine/model/files/schema.c) against the schema that is published
 * (data/weir.xsd): libxml2's validator and ours see the same elements and must refuse the same
 * files, good ones, ones with a value of every kind changed, and ones whose trees were mutated.
 */
#include <libxml/parser.h>
#include <libxml/xmlschemas.h>
#include <string.h>

#include "../seeds.h"
#include "../fuzz/mutate.h"
#include "model/files/xml-private.h"

typedef struct {
  xmlSAXHandler validating; /* libxml2's, and its data */
  void *validator;
  gboolean is_refused; /* by libxml2 */
  WeirSchemaCheck check;
  WeirMessage *breach; /* the first that we found */
} Both;

static xmlSchema *schema;

static void
take (Both *both, WeirMessage *breach)
{
  if (both->breach == NULL)
    both->breach = breach;
}

static void
start (void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int n_namespaces,
       const xmlChar **namespaces, int n_attributes, int n_defaulted, const xmlChar **attributes)
{
  Both *both = data;

  both->validating.startElementNs (both->validator, name, prefix, uri, n_namespaces, namespaces,
                                   n_attributes, n_defaulted, attributes);
  if (both->breach == NULL)
    take (both, weir_schema_check_start (&both->check, (const char *) name, (const char *) uri,
                                         (const char *const *) attributes, (guint) n_attributes));
}

static void
end (void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
  Both *both = data;

  both->validating.endElementNs (both->validator, name, prefix, uri);
  if (both->breach == NULL)
    take (both, weir_schema_check_close (&both->check));
}

static void
text (void *data, const xmlChar *characters, int length)
{
  Both *both = data;

  both->validating.characters (both->validator, characters, length);
  if (both->breach == NULL)
    take (both, weir_schema_check_text (&both->check, (const char *) characters, (gsize) length));
}

static void
note_error (void *data, xmlError *error)
{
  Both *both = data;

  if (error->domain == XML_FROM_SCHEMASV)
    both->is_refused = TRUE;
}

static void
ignore_error (G_GNUC_UNUSED void *data, G_GNUC_UNUSED xmlError *error)
{
}

/* Whether it is refused; -1 where it is not XML. */
static int
check_file (const char *file, gsize size)
{
  static const xmlSAXHandler handlers = {
    .initialized = XML_SAX2_MAGIC,
    .startElementNs = start,
    .endElementNs = end,
    .characters = text,
    .ignorableWhitespace = text,
    .serror = (xmlStructuredErrorFunc) ignore_error,
  };
  Both both = { .is_refused = FALSE };
  xmlSchemaValidCtxt *context = xmlSchemaNewValidCtxt (schema);
  xmlSAXHandler *validating = NULL;
  xmlSchemaSAXPlugStruct *plug = xmlSchemaSAXPlug (context, &validating, &both.validator);
  xmlParserCtxt *parser = xmlCreatePushParserCtxt ((xmlSAXHandler *) &handlers, &both, NULL, 0,
                                                   NULL);
  int is_refused = -1;

  both.validating = *validating;
  xmlSchemaSetValidStructuredErrors (context, (xmlStructuredErrorFunc) note_error, &both);
  xmlCtxtUseOptions (parser, XML_PARSE_NONET | XML_PARSE_NOENT | XML_PARSE_NOCDATA);
  weir_schema_begin (&both.check, "weir");
  xmlParseChunk (parser, file, (int) size, 1);
  if (parser->wellFormed)
    {
      if (both.is_refused != (both.breach != NULL))
        g_error ("%s: %s",
                 both.breach != NULL ? weir_message_get_text (both.breach)
                                     : "refused by libxml2 alone",
                 file);
      is_refused = both.is_refused;
    }
  weir_schema_end (&both.check);
  if (parser->myDoc != NULL)
    xmlFreeDoc (parser->myDoc);
  xmlFreeParserCtxt (parser);
  xmlSchemaSAXUnplug (plug);
  xmlSchemaFreeValidCtxt (context);
  weir_message_unref (both.breach);
  return is_refused;
}

/* --- Good files ------------------------------------------------------------------------------ */

static guint
check_folder (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;
  guint n = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *inner = g_build_filename (path, name, NULL);
      g_autofree char *file = NULL;
      gsize size;

      if (g_file_test (inner, G_FILE_TEST_IS_DIR))
        n += check_folder (inner);
      else if (g_str_has_suffix (name, ".weir") && g_file_get_contents (inner, &file, &size, NULL))
        {
          g_assert_cmpint (check_file (file, size), ==, 0);
          n++;
        }
    }
  return n;
}

static void
test_examples (void)
{
  g_assert_cmpuint (check_folder (g_getenv ("WEIR_DATA")), >=, 20);
}

/* --- Values ---------------------------------------------------------------------------------- */

static const char *const values[] = {
  "",
  "0",
  "1",
  "+1",
  "-1",
  "00",
  "001",
  "+",
  "-",
  "-+1",
  "+-1",
  "1 1",
  "1.",
  ".1",
  ".",
  "-.",
  "-.5",
  "+.5e+2",
  "1.5.5",
  "1e9",
  "1e+9",
  "-1e9",
  "1E9",
  "1e10",
  "-1e10",
  "1e 1",
  "e1",
  ".e1",
  "1.e1",
  "1e-400",
  "1e400",
  "1000000000",
  "-1000000000",
  "1000000000.0000001",
  "999999999.99999999",
  "0000000000001",
  "1000000000.000000000000000000000000000000000000000000000000000000000000000000000001",
  "00000000000000000000000000000000000000000000000000000000000000000000000000000000001",
  "0x10",
  "-0",
  "-0.0",
  "-0e5",
  "-1e-400",
  "INF",
  "-INF",
  "+INF",
  "inf",
  "NaN",
  "-NaN",
  "nan",
  "Infinity",
  "1,5",
  "1_0",
  "\xd9\xa1",
  "1\xc2\xa0",
  "1073741823",
  "1073741824",
  "01073741823",
  "4294967295",
  "4294967296",
  "18446744073709551615",
  "18446744073709551616",
  "000000000000000000000001",
  "true",
  "false",
  "True",
  "truefalse",
  "2",
  "90",
  "090",
  "180",
  "270",
  "360",
  "red",
  "grey",
  "gray",
  "commented-out",
  "passed-through",
  "passed",
  "text",
  "number",
  "boolean",
  "1.y",
  "1.",
  "01.y",
  "0.y",
  "1.a.b",
  "1..",
  "1.&#13;",
  "1.&#9;",
  "1.\xc3\xa9",
  "1.&#x2028;",
  "123456789012345678901234567890.y",
  "1y",
  "a.y",
  "&#xe9;",
};

/* Not for ids: libxml2 refuses these there, though numbers may have space around them. */
static const char *const spaced[] = {
  " ",   " 1 ",  "&#9;1&#10;", "&#13;1", " true ",   "&#10;false",
  " 90", "red ", "1. ",        " 1.y",   "1.y&#10;",
};

static gboolean
is_refused_with (const char *before, const char *value, const char *after)
{
  g_autofree char *file = g_strconcat (before, value, after, NULL);
  int is_refused = check_file (file, strlen (file));

  g_assert_cmpint (is_refused, >=, 0);
  return is_refused == 1;
}

/* Every attribute there is, each with the rest of its file. */
static void
test_values (void)
{
  static const struct {
    const char *before, *after;
    gboolean is_id;
  } places[] = {
    { "<weir version=\"", "\"><diagram/></weir>" },
    { "<weir version=\"1\"><meta value=\"\" name=\"", "\"/><diagram/></weir>" },
    { "<weir version=\"1\"><meta value=\"\" name=\"n\" of=\"", "\"/><diagram/></weir>" },
    { "<weir version=\"1\"><meta value=\"\" name=\"n\" type=\"", "\"/><diagram/></weir>" },
    { "<weir version=\"1\"><meta name=\"n\" value=\"", "\"/><diagram/></weir>" },
    { "<weir version=\"1\"><settings><setting value=\"\" name=\"",
      "\"/></settings><diagram/></weir>" },
    { "<weir version=\"1\"><variables><variable name=\"n\" value=\"",
      "\"/></variables><diagram/></weir>" },
    { "<weir version=\"1\"><assertions><assertion text=\"", "\"/></assertions><diagram/></weir>" },
    { "<weir version=\"1\"><assertions><assertion text=\"t\" reason=\"",
      "\"/></assertions><diagram/></weir>" },
#define BLOCK(attributes)                                                                          \
  "<weir version=\"1\"><diagram><block type=\"T\" name=\"n\" " attributes "=\"",                   \
      "\"/></diagram></weir>"
    { BLOCK ("x=\"0\" y=\"0\" id"), TRUE },
    { BLOCK ("id=\"1\" y=\"0\" x") },
    { BLOCK ("id=\"1\" x=\"0\" y") },
    { BLOCK ("id=\"1\" x=\"0\" y=\"0\" width") },
    { BLOCK ("id=\"1\" x=\"0\" y=\"0\" height") },
    { BLOCK ("id=\"1\" x=\"0\" y=\"0\" rotation") },
    { BLOCK ("id=\"1\" x=\"0\" y=\"0\" flipped") },
    { BLOCK ("id=\"1\" x=\"0\" y=\"0\" mode") },
    { BLOCK ("id=\"1\" x=\"0\" y=\"0\" tint") },
    { BLOCK ("id=\"1\" x=\"0\" y=\"0\" colour") },
    { "<weir version=\"1\"><diagram><block id=\"1\" x=\"0\" y=\"0\" name=\"n\" type=\"",
      "\"/></diagram></weir>" },
    { "<weir version=\"1\"><diagram><block id=\"1\" x=\"0\" y=\"0\" type=\"t\" name=\"",
      "\"/></diagram></weir>" },
#define WIRE(attributes)                                                                           \
  "<weir version=\"1\"><diagram><wire id=\"1\" " attributes "=\"", "\"/></diagram></weir>"
    { WIRE ("from") },
    { WIRE ("from-x") },
    { WIRE ("from-y") },
    { WIRE ("to") },
    { WIRE ("to-x") },
    { WIRE ("to-y") },
    { WIRE ("label") },
    { "<weir version=\"1\"><diagram><wire id=\"1\"><bend y=\"0\" x=\"",
      "\"/></wire></diagram></weir>" },
    { "<weir version=\"1\"><diagram><wire id=\"1\"><bend x=\"0\" y=\"",
      "\"/></wire></diagram></weir>" },
#define NOTE(attributes)                                                                           \
  "<weir version=\"1\"><diagram><note " attributes "=\"", "\"/></diagram></weir>"
    { NOTE ("x=\"0\" y=\"0\" id"), TRUE },
    { NOTE ("id=\"1\" y=\"0\" x") },
    { NOTE ("id=\"1\" x=\"0\" y") },
    { NOTE ("id=\"1\" x=\"0\" y=\"0\" width") },
    { NOTE ("id=\"1\" x=\"0\" y=\"0\" height") },
    { NOTE ("id=\"1\" x=\"0\" y=\"0\" tint") },
    { "<weir version=\"1\"><title>", "</title><diagram/></weir>" },
    { "<weir version=\"1\"><settings>", "</settings><diagram/></weir>" },
    { "<weir version=\"1\"><diagram>", "</diagram></weir>" },
    { "<weir version=\"1\"><diagram><wire id=\"1\"><bend x=\"0\" y=\"0\">",
      "</bend></wire></diagram></weir>" },
    { "<weir version=\"1\"><diagram><note id=\"1\" x=\"0\" y=\"0\">", "</note></diagram></weir>" },
    { "<weir-fragment version=\"", "\"><diagram/></weir-fragment>" },
  };

  for (guint p = 0; p < G_N_ELEMENTS (places); p++)
    {
      guint n_refused = 0;

      for (guint v = 0; v < G_N_ELEMENTS (values); v++)
        n_refused += is_refused_with (places[p].before, values[v], places[p].after);
      for (guint v = 0; v < G_N_ELEMENTS (spaced) && !places[p].is_id; v++)
        n_refused += is_refused_with (places[p].before, spaced[v], places[p].after);
      g_test_message ("%u refused: %s", n_refused, places[p].before);
    }
}

/* Where libxml2 departs from the standard, the standard counts: space around any number is passed
 * over, and an exponent has digits. */
static void
test_standard (void)
{
  static const struct {
    const char *id, *x;
    gboolean is_good;
  } cases[] = {
    { "1", "1", TRUE },    { " 1", "1", TRUE },   { "\t1\r\n", " 1 ", TRUE },
    { "1 1", "1", FALSE }, { "1", "1e", FALSE },  { "1", "1e+", FALSE },
    { "1", "1e ", FALSE }, { "1", "1E-", FALSE }, { " ", "1", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *id = cases[i].id, *x = cases[i].x;
      const char *const note[] = { "id", NULL, NULL, id, id + strlen (id),
                                   "x",  NULL, NULL, x,  x + strlen (x),
                                   "y",  NULL, NULL, x,  x + strlen (x) };
      static const char one[] = "1";
      const char *const version[] = { "version", NULL, NULL, one, one + 1 };
      WeirSchemaCheck check;
      g_autoptr (WeirMessage) breach = NULL;

      weir_schema_begin (&check, "weir");
      g_assert_null (weir_schema_check_start (&check, "weir", NULL, version, 1));
      g_assert_null (weir_schema_check_start (&check, "diagram", NULL, NULL, 0));
      breach = weir_schema_check_start (&check, "note", NULL, note, 3);
      weir_schema_end (&check);
      if ((breach == NULL) != cases[i].is_good)
        g_error ("'%s', '%s': %s", id, x,
                 breach != NULL ? weir_message_get_text (breach) : "no breach");
    }
}

/* --- Mutations ------------------------------------------------------------------------------- */

static void
collect_nodes (xmlNode *node, GPtrArray *nodes)
{
  for (; node != NULL; node = node->next)
    if (node->type == XML_ELEMENT_NODE)
      {
        g_ptr_array_add (nodes, node);
        collect_nodes (node->children, nodes);
      }
}

static xmlNode *
pick (GRand *rand, GPtrArray *nodes)
{
  return g_ptr_array_index (nodes, g_rand_int_range (rand, 0, (gint32) nodes->len));
}

static xmlAttr *
pick_attribute (GRand *rand, const xmlNode *node)
{
  gint32 n = 0, k;
  xmlAttr *attribute;

  for (attribute = node->properties; attribute != NULL; attribute = attribute->next)
    n++;
  if (n == 0)
    return NULL;
  k = g_rand_int_range (rand, 0, n);
  for (attribute = node->properties; k-- > 0;)
    attribute = attribute->next;
  return attribute;
}

/* One change somewhere in the tree. */
static void
mutate_tree (GRand *rand, xmlDoc *doc)
{
  g_autoptr (GPtrArray) nodes = g_ptr_array_new ();
  xmlNode *node, *other, *copy;
  xmlAttr *attribute;

  collect_nodes (xmlDocGetRootElement (doc), nodes);
  node = pick (rand, nodes);
  other = pick (rand, nodes);
  attribute = pick_attribute (rand, node);
  switch (g_rand_int_range (rand, 0, 9))
    {
    case 0: /* taken out, but for the root */
      if (node->parent->type != XML_ELEMENT_NODE)
        break;
      xmlUnlinkNode (node);
      xmlFreeNode (node);
      break;
    case 1: /* another beside it */
      copy = xmlCopyNode (other, 1);
      if (node->parent->type == XML_ELEMENT_NODE)
        xmlAddNextSibling (node, copy);
      else
        xmlAddChild (node, copy);
      break;
    case 2: /* another in it */
      xmlAddChild (node, xmlCopyNode (other, 1));
      break;
    case 3: /* the name of another */
      xmlNodeSetName (node, other->name);
      break;
    case 4: /* text in it */
      xmlAddChild (node, xmlNewText ((const xmlChar *) (g_rand_boolean (rand) ? " \n" : "x")));
      break;
    case 5:
      if (attribute != NULL)
        xmlRemoveProp (attribute);
      break;
    case 6: /* an attribute of another */
      attribute = pick_attribute (rand, other);
      if (attribute != NULL)
        {
          xmlChar *value = xmlNodeListGetString (doc, attribute->children, 1);

          xmlSetProp (node, attribute->name, value != NULL ? value : (const xmlChar *) "");
          xmlFree (value);
        }
      break;
    case 7:
      if (attribute != NULL)
        xmlSetProp (node, attribute->name,
                    (const xmlChar *) values[g_rand_int_range (rand, 0, G_N_ELEMENTS (values))]);
      break;
    default:
      xmlSetProp (node, (const xmlChar *) "other", (const xmlChar *) "1");
      break;
    }
}

static void
test_trees (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_test_seed (7));
  GPtrArray *seeds = load_seeds ("models");
  guint n = g_test_quick () ? 10000 : 500000, n_good = 0, n_refused = 0;

  for (guint i = 0; i < n; i++)
    {
      const GString *seed = random_seed (rand, seeds);
      xmlDoc *doc = xmlReadMemory (seed->str, (int) seed->len, NULL, NULL,
                                   XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
      xmlChar *file = NULL;
      int size = 0, is_refused;

      for (gint32 k = g_rand_int_range (rand, 1, 4); doc != NULL && k > 0; k--)
        mutate_tree (rand, doc);
      if (doc == NULL || doc->intSubset != NULL)
        {
          xmlFreeDoc (doc);
          continue;
        }
      xmlDocDumpMemory (doc, &file, &size);
      is_refused = check_file ((const char *) file, (gsize) size);
      n_good += is_refused == 0;
      n_refused += is_refused == 1;
      xmlFree (file);
      xmlFreeDoc (doc);
    }
  free_seeds (seeds);
  g_test_message ("%u files are models, %u break the schema", n_good, n_refused);
  g_assert_cmpuint (n_good, >, n / 10);
  g_assert_cmpuint (n_refused, >, n / 10);
}

int
main (int argc, char *argv[])
{
  g_autofree char *path = NULL;
  xmlSchemaParserCtxt *parser;
  int status;

  g_test_init (&argc, &argv, NULL);
  path = g_build_filename (g_getenv ("WEIR_DATA"), "weir.xsd", NULL);
  parser = xmlSchemaNewParserCtxt (path);
  schema = xmlSchemaParse (parser);
  g_assert_nonnull (schema);
  xmlSchemaFreeParserCtxt (parser);
  g_test_add_func ("/model/schema/examples", test_examples);
  g_test_add_func ("/model/schema/values", test_values);
  g_test_add_func ("/model/schema/standard", test_standard);
  g_test_add_func ("/model/schema/trees", test_trees);
  status = g_test_run ();
  xmlSchemaFree (schema);
  return status;
}
