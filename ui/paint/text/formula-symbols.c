/* The symbols that formulas know: by the name of a command, or as they are typed. See
 * formula-private.h.
 */
#include "paint/text/formula-private.h"

#include <string.h>

static const WeirFormulaSymbol symbols[] = {
#define GREEK(name, text)                                                                          \
  {                                                                                                \
    name, text, WEIR_CLASS_ORDINARY, WEIR_FACE_ITALIC                                              \
  }
#define CAPITAL(name, text)                                                                        \
  {                                                                                                \
    name, text, WEIR_CLASS_ORDINARY, WEIR_FACE_ROMAN                                               \
  }
#define SIGN(name, text, class)                                                                    \
  {                                                                                                \
    name, text, WEIR_CLASS_##class, WEIR_FACE_ROMAN                                                \
  }
#define FUNCTION(name)                                                                             \
  {                                                                                                \
    name, name, WEIR_CLASS_FUNCTION, WEIR_FACE_ROMAN                                               \
  }
  GREEK ("alpha", "α"),
  GREEK ("beta", "β"),
  GREEK ("gamma", "γ"),
  GREEK ("delta", "δ"),
  GREEK ("epsilon", "ε"),
  GREEK ("varepsilon", "ε"),
  GREEK ("zeta", "ζ"),
  GREEK ("eta", "η"),
  GREEK ("theta", "θ"),
  GREEK ("vartheta", "ϑ"),
  GREEK ("iota", "ι"),
  GREEK ("kappa", "κ"),
  GREEK ("lambda", "λ"),
  GREEK ("mu", "μ"),
  GREEK ("nu", "ν"),
  GREEK ("xi", "ξ"),
  GREEK ("pi", "π"),
  GREEK ("rho", "ρ"),
  GREEK ("sigma", "σ"),
  GREEK ("tau", "τ"),
  GREEK ("upsilon", "υ"),
  GREEK ("phi", "φ"),
  GREEK ("varphi", "φ"),
  GREEK ("chi", "χ"),
  GREEK ("psi", "ψ"),
  GREEK ("omega", "ω"),
  GREEK ("ell", "ℓ"),
  CAPITAL ("Gamma", "Γ"),
  CAPITAL ("Delta", "Δ"),
  CAPITAL ("Theta", "Θ"),
  CAPITAL ("Lambda", "Λ"),
  CAPITAL ("Xi", "Ξ"),
  CAPITAL ("Pi", "Π"),
  CAPITAL ("Sigma", "Σ"),
  CAPITAL ("Upsilon", "Υ"),
  CAPITAL ("Phi", "Φ"),
  CAPITAL ("Psi", "Ψ"),
  CAPITAL ("Omega", "Ω"),
  SIGN ("infty", "∞", ORDINARY),
  SIGN ("partial", "∂", ORDINARY),
  SIGN ("nabla", "∇", ORDINARY),
  SIGN ("ldots", "…", ORDINARY),
  SIGN ("dots", "…", ORDINARY),
  SIGN ("cdots", "⋯", ORDINARY),
  SIGN ("degree", "°", ORDINARY),
  SIGN ("hbar", "ℏ", ORDINARY),
  SIGN ("forall", "∀", ORDINARY),
  SIGN ("exists", "∃", ORDINARY),
  SIGN ("prime", "′", ORDINARY),
  SIGN ("emptyset", "∅", ORDINARY),
  SIGN ("angle", "∠", ORDINARY),
  SIGN ("cdot", "·", BINARY),
  SIGN ("times", "×", BINARY),
  SIGN ("pm", "±", BINARY),
  SIGN ("mp", "∓", BINARY),
  SIGN ("div", "÷", BINARY),
  SIGN ("ast", "∗", BINARY),
  SIGN ("circ", "∘", BINARY),
  SIGN ("wedge", "∧", BINARY),
  SIGN ("vee", "∨", BINARY),
  SIGN ("oplus", "⊕", BINARY),
  SIGN ("otimes", "⊗", BINARY),
  SIGN ("cap", "∩", BINARY),
  SIGN ("cup", "∪", BINARY),
  SIGN ("le", "≤", RELATION),
  SIGN ("leq", "≤", RELATION),
  SIGN ("ge", "≥", RELATION),
  SIGN ("geq", "≥", RELATION),
  SIGN ("ne", "≠", RELATION),
  SIGN ("neq", "≠", RELATION),
  SIGN ("approx", "≈", RELATION),
  SIGN ("sim", "∼", RELATION),
  SIGN ("equiv", "≡", RELATION),
  SIGN ("propto", "∝", RELATION),
  SIGN ("ll", "≪", RELATION),
  SIGN ("gg", "≫", RELATION),
  SIGN ("in", "∈", RELATION),
  SIGN ("notin", "∉", RELATION),
  SIGN ("subset", "⊂", RELATION),
  SIGN ("to", "→", RELATION),
  SIGN ("rightarrow", "→", RELATION),
  SIGN ("leftarrow", "←", RELATION),
  SIGN ("Rightarrow", "⇒", RELATION),
  SIGN ("Leftrightarrow", "⇔", RELATION),
  SIGN ("mapsto", "↦", RELATION),
  SIGN ("perp", "⊥", RELATION),
  SIGN ("parallel", "∥", RELATION),
  SIGN ("langle", "⟨", OPEN),
  SIGN ("rangle", "⟩", CLOSE),
  SIGN ("lfloor", "⌊", OPEN),
  SIGN ("rfloor", "⌋", CLOSE),
  SIGN ("lceil", "⌈", OPEN),
  SIGN ("rceil", "⌉", CLOSE),
  SIGN ("{", "{", OPEN),
  SIGN ("}", "}", CLOSE),
  SIGN ("|", "‖", ORDINARY),
  SIGN ("%", "%", ORDINARY),
  SIGN ("$", "$", ORDINARY),
  SIGN ("&", "&", ORDINARY),
  SIGN ("_", "_", ORDINARY),
  SIGN ("#", "#", ORDINARY),
  SIGN ("sum", "∑", LARGE),
  SIGN ("prod", "∏", LARGE),
  SIGN ("int", "∫", LARGE),
  SIGN ("iint", "∬", LARGE),
  SIGN ("oint", "∮", LARGE),
  FUNCTION ("sin"),
  FUNCTION ("cos"),
  FUNCTION ("tan"),
  FUNCTION ("cot"),
  FUNCTION ("arcsin"),
  FUNCTION ("arccos"),
  FUNCTION ("arctan"),
  FUNCTION ("sinh"),
  FUNCTION ("cosh"),
  FUNCTION ("tanh"),
  FUNCTION ("exp"),
  FUNCTION ("ln"),
  FUNCTION ("log"),
  FUNCTION ("lim"),
  FUNCTION ("min"),
  FUNCTION ("max"),
  FUNCTION ("sup"),
  FUNCTION ("inf"),
  FUNCTION ("det"),
  FUNCTION ("dim"),
  FUNCTION ("ker"),
  FUNCTION ("arg"),
  FUNCTION ("deg"),
  FUNCTION ("gcd"),
#undef GREEK
#undef CAPITAL
#undef SIGN
#undef FUNCTION
};

/* The longer of two that begin alike comes first. */
static const WeirFormulaSymbol signs[] = {
  { "<=", "≤", WEIR_CLASS_RELATION, WEIR_FACE_ROMAN },
  { ">=", "≥", WEIR_CLASS_RELATION, WEIR_FACE_ROMAN },
  { "!=", "≠", WEIR_CLASS_RELATION, WEIR_FACE_ROMAN },
  { "->", "→", WEIR_CLASS_RELATION, WEIR_FACE_ROMAN },
  { "=>", "⇒", WEIR_CLASS_RELATION, WEIR_FACE_ROMAN },
  { ":=", "≔", WEIR_CLASS_RELATION, WEIR_FACE_ROMAN },
  { "...", "…", WEIR_CLASS_ORDINARY, WEIR_FACE_ROMAN },
  { "=", "=", WEIR_CLASS_RELATION, WEIR_FACE_ROMAN },
  { "<", "<", WEIR_CLASS_RELATION, WEIR_FACE_ROMAN },
  { ">", ">", WEIR_CLASS_RELATION, WEIR_FACE_ROMAN },
  { "~", "~", WEIR_CLASS_RELATION, WEIR_FACE_ROMAN },
  { ":", ":", WEIR_CLASS_RELATION, WEIR_FACE_ROMAN },
  { "+", "+", WEIR_CLASS_BINARY, WEIR_FACE_ROMAN },
  { "-", "−", WEIR_CLASS_BINARY, WEIR_FACE_ROMAN },
  { "*", "·", WEIR_CLASS_BINARY, WEIR_FACE_ROMAN },
  { "(", "(", WEIR_CLASS_OPEN, WEIR_FACE_ROMAN },
  { "[", "[", WEIR_CLASS_OPEN, WEIR_FACE_ROMAN },
  { ")", ")", WEIR_CLASS_CLOSE, WEIR_FACE_ROMAN },
  { "]", "]", WEIR_CLASS_CLOSE, WEIR_FACE_ROMAN },
  { ",", ",", WEIR_CLASS_COMMA, WEIR_FACE_ROMAN },
  { ";", ";", WEIR_CLASS_COMMA, WEIR_FACE_ROMAN },
};

const WeirFormulaSymbol *
weir_formula_find_symbol (const char *name, gsize length)
{
  for (guint i = 0; i < G_N_ELEMENTS (symbols); i++)
    if (strlen (symbols[i].name) == length && strncmp (symbols[i].name, name, length) == 0)
      return &symbols[i];
  return NULL;
}

const WeirFormulaSymbol *
weir_formula_find_sign (const char *text)
{
  for (guint i = 0; i < G_N_ELEMENTS (signs); i++)
    if (g_str_has_prefix (text, signs[i].name))
      return &signs[i];
  return NULL;
}
