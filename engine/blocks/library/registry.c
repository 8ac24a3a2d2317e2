/* The registry: every type of every family, in the order of the palette. */
#include "blocks/library/registry.h"

#include <string.h>

#include "blocks/parts/user-parts.h"
#include "blocks/types/family.h"

/* In the order of the palette. */
static const char *const categories[] = {
  "Sources",       "Mathematics", "Logic",     "Tables",   "Continuous", "Models",
  "Equations",     "Discrete",    "Routing",   "Sinks",    "Electrical", "Rotational",
  "Translational", "Thermal",     "Hydraulic", "Magnetic", "Cache lab",  "Structure",
};

typedef struct {
  GPtrArray *types; /* const WeirBlockType, sorted */
  GHashTable *by_name;
} Registry;

static guint
get_category (const WeirBlockType *type)
{
  guint i = 0;

  while (strcmp (categories[i], type->category) != 0)
    if (++i == G_N_ELEMENTS (categories))
      g_error ("Block type %s has the category \"%s\", which the palette does not know.",
               type->name, type->category);
  return i;
}

/* By category, then by title. */
static int
compare_types (gconstpointer a, gconstpointer b)
{
  const WeirBlockType *x = *(const WeirBlockType *const *) a,
                      *y = *(const WeirBlockType *const *) b;
  guint category_x = get_category (x), category_y = get_category (y);

  if (category_x != category_y)
    return category_x < category_y ? -1 : 1;
  if (x->is_foremost != y->is_foremost)
    return x->is_foremost ? -1 : 1;
  return g_ascii_strcasecmp (x->title, y->title);
}

static void
add_type (Registry *self, const WeirBlockType *type)
{
  g_ptr_array_add (self->types, (gpointer) type);
  if (!g_hash_table_insert (self->by_name, (gpointer) type->name, (gpointer) type))
    g_error ("There are two block types %s.", type->name);
}

static const Registry *
get_registry (void)
{
  static Registry *registry;

  if (g_once_init_enter (&registry))
    {
      Registry *made = g_new0 (Registry, 1);
      const GPtrArray *parts = weir_parts_list ();

      made->types = g_ptr_array_new ();
      made->by_name = g_hash_table_new (g_str_hash, g_str_equal);
      for (const WeirBlockType *const *const *family = weir_families; *family != NULL; family++)
        for (const WeirBlockType *const *type = *family; *type != NULL; type++)
          add_type (made, *type);
      for (guint i = 0; i < parts->len; i++)
        add_type (made, &((const WeirPartType *) g_ptr_array_index (parts, i))->type);
      g_ptr_array_sort (made->types, compare_types);
      g_once_init_leave (&registry, made);
    }
  return registry;
}

guint
weir_registry_get_n_types (void)
{
  return get_registry ()->types->len;
}

const WeirBlockType *
weir_registry_get_type (guint i)
{
  g_return_val_if_fail (i < weir_registry_get_n_types (), NULL);

  return g_ptr_array_index (get_registry ()->types, i);
}

const WeirBlockType *
weir_registry_find (const char *name)
{
  const WeirBlockType *type = g_hash_table_lookup (get_registry ()->by_name, name);

  return type != NULL ? type : weir_user_parts_find (name);
}
