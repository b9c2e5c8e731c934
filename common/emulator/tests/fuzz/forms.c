/* Writes device functions with inline PTX, one for each form of an operation in values_h200.txt,
 * except approximations. Their parameters have the generator's types. values_test.c tests the
 * result of each form alone; the generated programs test it as part of compiled code. */
#include <assert.h>

#include "../values.h"
#include "fuzz.h"

static Form *forms;
static int nforms;

bool forms_read(const char *path) {
  FILE *file = fopen(path, "r");
  char row[1024];
  while (file && fgets(row, sizeof row, file)) {
    if (nforms % 256 == 0)
      forms = realloc(forms, (size_t)(nforms + 256) * sizeof *forms);
    assert(forms);
    if (values_read(row, &forms[nforms]) && !values_approximate(&forms[nforms]) &&
        !strstr(row, "tanh") && !strstr(row, "ex2."))
      nforms++;
  }
  return file && !fclose(file) && nforms > 0;
}
int forms_count(void) { return nforms; }

/* Returns the generator's type for a type of PTX. */
static Type type_of(const char *type) {
  static const struct {
    const char *name;
    Type type;
  } types[] = {{"pred", U32}, {"u8", U8},   {"s8", I8},    {"u16", U16}, {"s16", I16},
               {"u32", U32},  {"s32", I32}, {"u64", U64},  {"s64", I64}, {"f32", F32},
               {"f64", F64},  {"f16", F16}, {"bf16", BF16}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (!strcmp(types[i].name, type))
      return now.types >> types[i].type & 1 ? types[i].type : U16;
  return U32; /* two 16-bit values in one word */
}

static void say_asm(const char *text) {
  for (; *text; text++)
    if (*text == '%')
      say("%%%%");
    else if (*text == '\n')
      say(" ");
    else
      say("%c", *text);
}

static void wrapper(int number) {
  const Form *form = &forms[number];
  char body[4096], name[24];
  Type result = type_of(form->type[0]), parameter[OPERANDS];
  bool two_results = strstr(form->text, "|q") != NULL;
  int n = 0;
  if (two_results)
    result = U64;
  snprintf(name, sizeof name, "ptx%d", number);
  say("// %s\nD %s %s(", form->text, type_name[result], name);
  for (; n + 1 < OPERANDS && form->type[n + 1][0]; n++) {
    parameter[n] = type_of(form->type[n + 1]);
    say("%s%s %c", n ? ", " : "", type_name[parameter[n]], "abce"[n]);
  }
  say(") {\n  u64 d;\n  asm(\"{ ");
  values_declarations(body);
  say_asm(body);
  for (int i = 0; i < n; i++)
    say("mov.b64 %%%%d%d, %%%d; ", i + 1, i + 1);
  values_body(body, form);
  say_asm(body);
  say("mov.b64 %%0, %%%%d0; }\" : \"=l\"(d) : ");
  for (int i = 0; i < n; i++)
    say(strcmp(form->type[i + 1], "pred") ? "%s\"l\"(raw(%c))" : "%s\"l\"(raw(%c & 1))",
        i ? ", " : "", "abce"[i]);
  say(");\n  return of_raw<%s>(d);\n}\n", type_name[result]);
  declare_function(result, name, n, parameter);
}

void forms_declare(int first, int n) {
  for (int i = 0; i < n; i++)
    wrapper((first + i) % nforms);
}
