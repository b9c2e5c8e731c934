#include "versions.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILES = VERSION_FILES, SECONDS = 20 };

char *text_of_file(const char *path) {
  char *text = NULL;
  size_t length = 0;
  FILE *in = fopen(path, "re"), *out = in ? open_memstream(&text, &length) : NULL;
  for (int c; out && (c = getc(in)) != EOF;)
    putc(c, out);
  if (out)
    fclose(out);
  if (in)
    fclose(in);
  return text;
}

/* ---- one source of many ------------------------------------------------------------------------ */

static bool is_include(const char *line) {
  line += strspn(line, " \t");
  return *line == '#' && strncmp(line + 1 + strspn(line + 1, " \t"), "include", 7) == 0;
}

static size_t line_length(const char *line) {
  size_t length = strcspn(line, "\n");
  return length + (line[length] == '\n');
}

static void put_includes(FILE *out, const char *source) {
  for (; *source; source += line_length(source))
    if (is_include(source))
      fprintf(out, "%.*s", (int)line_length(source), source);
}

/* Blank from here to the end, with all line ends. */
static void blank(char *from, const char *end) {
  for (; from < end; from++)
    *from = *from == '\n' ? '\n' : ' ';
}

static void blank_includes(char *source) {
  for (; *source; source += line_length(source))
    if (is_include(source))
      blank(source, source + line_length(source));
}

/* From { to the } that belongs to it; NULL: there is none. */
static char *behind_braces(char *open) {
  int depth = 0;
  for (char *at = open; *at; at++) {
    depth += (*at == '{') - (*at == '}');
    if (depth == 0)
      return at + 1;
  }
  return NULL;
}

/* What is C's outside of functions, such as numbers for the harness, has one place in a program. */
static void blank_linkage(char *source) {
  static const char linkage[] = "extern \"C\"";
  for (char *at = source; (at = strstr(at, linkage)); at++) {
    char *open = at + sizeof linkage - 1 + strspn(at + sizeof linkage - 1, " \t\n");
    char *end = *open == '{' ? behind_braces(open) : NULL;
    if (end)
      blank(open + 1, end - 1);
  }
}

/* Of kernels that did not run nothing is left but the head. */
static void blank_kernel(char *source, const char *name) {
  size_t length = strlen(name);
  for (char *at = source; (at = strstr(at, name)); at += length) {
    char *behind = at + length, *close = strchr(behind, ')');
    char *open = close ? close + 1 + strspn(close + 1, " \t\n") : behind;
    bool head = (at == source || !is_letter(at[-1])) && *behind == '(' && *open == '{';
    char *end = head ? behind_braces(open) : NULL;
    if (end && !memchr(open, '\\', (size_t)(end - open))) /* a macro has its lines to itself */
      blank(open + 1, end - 1);
  }
}

static bool is_kernel(const Versions *v, const char *name, size_t length) {
  for (size_t i = 0; i < v->kernel_count; i++)
    if (strlen(v->kernels[i]) == length && strncmp(v->kernels[i], name, length) == 0)
      return true;
  return false;
}

static void put_undefined(FILE *out, const char *source) {
  static const char define[] = "#define ";
  for (; *source; source += line_length(source))
    if (strncmp(source, define, sizeof define - 1) == 0) {
      const char *name = source + sizeof define - 1;
      size_t length = 0;
      while (is_letter(name[length]))
        length++;
      fprintf(out, "#undef %.*s\n", (int)length, name);
    }
}

/* The text, in which kernels have names of their own. */
static void put_renamed(FILE *out, const Versions *v, size_t number, const char *text,
                        size_t length) {
  for (const char *end = text + length; text < end;) {
    const char *word = text;
    while (text < end && is_letter(*text))
      text++;
    size_t letters = (size_t)(text - word);
    if (letters && is_kernel(v, word, letters))
      fprintf(out, "edit_%04zu_", number);
    fwrite(word, 1, letters ? letters : 1, out);
    text += !letters;
  }
}

static void put_version(FILE *out, const Versions *v, size_t number) {
  const Edit *edit = v->versions[number].edit;
  size_t from = edit ? edit->from : 0, to = edit ? edit->to : 0;
  fprintf(out, "namespace edit_%04zu {\n#line 1 \"edit_%04zu\"\n", number, number);
  put_renamed(out, v, number, v->text, from);
  if (edit)
    put_renamed(out, v, number, edit->text, strlen(edit->text));
  put_renamed(out, v, number, v->text + to, strlen(v->text + to));
  fputs("\n}\n", out);
  put_undefined(out, v->source);
}

/* Each file has every FILES-th of those at hand, and the first one that is no change. */
static bool is_in(const Versions *v, size_t number, size_t file) {
  return number % FILES == file && !v->versions[number].refused &&
         (number == 0 || (number >= v->from && number < v->to));
}

static bool write_sources(const Versions *v) {
  for (size_t file = 0; file < FILES; file++) {
    FILE *out = fopen(v->file[file], "we");
    if (!out)
      return false;
    put_includes(out, v->source);
    for (size_t i = 0; i < v->to; i++)
      if (is_in(v, i, file))
        put_version(out, v, i);
    if (fclose(out) != 0)
      return false;
  }
  return true;
}

/* ---- names that C knows: two of them would be one ------------------------------------------------ */

static void add_kernel(Versions *v, const char *name, size_t length) {
  if (!is_kernel(v, name, length) && v->kernel_count < VERSION_KERNELS)
    v->kernels[v->kernel_count++] = strndup(name, length);
}

/* In PTX: of kernels. */
static void names_of_entries(Versions *v, const char *ptx) {
  static const char entry[] = ".visible .entry ";
  for (const char *at = ptx; (at = strstr(at, entry));) {
    at += sizeof entry - 1;
    size_t length = strcspn(at, "( \t\n");
    add_kernel(v, at, length);
  }
}

/* In the source: of functions of the host. */
static void names_of_functions(Versions *v) {
  static const char linkage[] = "extern \"C\"";
  for (const char *at = v->source; (at = strstr(at, linkage));) {
    at += sizeof linkage - 1;
    const char *open = at + strcspn(at, "(;{#"), *end = open;
    while (end > at && !is_letter(end[-1]))
      end--;
    const char *name = end;
    while (name > at && is_letter(name[-1]))
      name--;
    if (*open == '(' && end > name && strncmp(name, "__", 2) != 0)
      add_kernel(v, name, (size_t)(end - name));
  }
}

/* ---- the compiler ------------------------------------------------------------------------------- */

/* What it says names those that it does not take: "edit_0017:43:5: error: ...". True: there are none. */
static bool note_refused(Versions *v, bool *any) {
  char line[512];
  bool good = true;
  *any = false;
  rewind(v->said);
  while (fgets(line, sizeof line, v->said)) {
    size_t number;
    if (!strstr(line, "error:"))
      continue;
    good = false;
    if (sscanf(line, "edit_%zu:", &number) != 1 || number == 0 || number >= v->count)
      continue;
    *any |= !v->versions[number].refused;
    v->versions[number].refused = true;
  }
  return good;
}

/* Compiles the first file, or both at once. */
static bool compile(Versions *v, size_t files) {
  const Settings *settings = v->settings;
  bool walls = sandbox_wanted(settings);
  char command[8192];
  size_t at =
      (size_t)snprintf(command, sizeof command, "cd '%s' && EDITED_REAL=%s; %s each() { %s; }; ",
                       settings->work && !walls ? settings->work : ".", settings->precision,
                       v->as_program ? "EDITED_AS=;" : "unset EDITED_AS;", settings->edited);
  for (size_t i = 0; i < files && at < sizeof command; i++)
    at += (size_t)snprintf(command + at, sizeof command - at, "each '%s' '%s' 2>'%s.said' & ",
                           v->seen[i], v->seen[FILES + i], v->seen[FILES + i]);
  for (size_t i = 0; i < files && at < sizeof command; i++)
    at += (size_t)snprintf(command + at, sizeof command - at, "%scat '%s.said'; rm '%s.said'; ",
                           i ? "" : "wait; ", v->seen[FILES + i], v->seen[FILES + i]);
  if (at >= sizeof command)
    return false;
  const char *arguments[] = {"/bin/sh", "-c", command, NULL};
  rewind(v->said);
  if (ftruncate(fileno(v->said), 0) != 0)
    return false;
  Sandbox box = {
      .work = settings->work, .readable = settings->readable, .offline = settings->offline};
  ChildEnd end = child_run(&(ChildRequest){
      .arguments = arguments, .seconds = SECONDS, .box = walls ? &box : NULL, .heard = v->said});
  v->stopped |= end.how != CHILD_EXITED;
  return end.how == CHILD_EXITED && end.code == 0;
}

/* ---- one text of PTX for each ------------------------------------------------------------------- */

/* The version that a line of PTX belongs to, by the first name in it; `none` where there is no such name. */
static size_t version_of(const char *line, size_t length, size_t none) {
  static const char mark[] = "edit_";
  const char *at = memmem(line, length, mark, sizeof mark - 1);
  unsigned number; /* of a function's name more digits may follow, its length */
  return at && sscanf(at + sizeof mark - 1, "%4u", &number) == 1 ? number : none;
}

/* Of a label, or of a function's memory of its own, what comes before its number; 0: it is neither. */
static size_t numbered_name(const char *text, size_t length) {
  static const char *const names[] = {"LBB", "__local_depot"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (length > strlen(names[i]) && strncmp(text, names[i], strlen(names[i])) == 0)
      return strlen(names[i]);
  return 0;
}

/* Lines that say the same in all: no number of a version, no number of a function, no line of the source. */
static void put_alike(FILE *out, const char *line, size_t length) {
  size_t numbered;
  for (size_t i = 0; i < length;) {
    if (length - i > 9 && strncmp(line + i, "edit_", 5) == 0) {
      bool own = line[i + 9] == '_';
      fputs(own ? "" : "edit_0000", out);
      i += own ? 10 : 9;
    } else if ((numbered = numbered_name(line + i, length - i))) {
      fwrite(line + i, 1, numbered, out);
      for (i += numbered; i < length && isdigit((unsigned char)line[i]);)
        i++;
    } else {
      fputc(line[i++], out);
    }
  }
}

static bool says_nothing(const char *line) {
  static const char *const beginnings[] = {"Ltmp", "Lfunc", "\t.loc\t", "\t.file\t",
                                           "//",   "\t//",  "\n"};
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
    if (strncmp(line, beginnings[i], strlen(beginnings[i])) == 0)
      return true;
  return false;
}

/* Of one thing that stands in PTX by itself, a function or a variable: where it ends. */
static const char *behind_thing(const char *ptx) {
  int depth = 0;
  char last = ' ';
  for (; *ptx; ptx++) {
    depth += (*ptx == '(' || *ptx == '{') - (*ptx == ')' || *ptx == '}');
    if (*ptx == '\n' && depth == 0 && (last == ';' || last == '}'))
      return ptx + 1;
    last = *ptx == ' ' || *ptx == '\n' ? last : *ptx;
  }
  return ptx;
}

static bool stands_alone(const char *line) {
  static const char *const beginnings[] = {".version", ".target", ".address_size"};
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
    if (strncmp(line, beginnings[i], strlen(beginnings[i])) == 0)
      return true;
  return false;
}

static void put_lines(FILE *out, const char *line, const char *end) {
  for (; line < end; line += line_length(line))
    if (!says_nothing(line))
      put_alike(out, line, line_length(line));
}

/* Cuts what was compiled together apart; what belongs to none is everybody's. */
static void cut_apart(Versions *v, const char *ptx, size_t file) {
  FILE **out = calloc(v->to, sizeof *out);
  for (size_t i = 0; out && i < v->to; i++)
    if (is_in(v, i, file) && !v->versions[i].ptx)
      out[i] = open_memstream(&v->versions[i].ptx, &v->versions[i].length);
  while (out && *ptx) {
    bool alone = says_nothing(ptx) || stands_alone(ptx);
    const char *end = alone ? ptx + line_length(ptx) : behind_thing(ptx);
    size_t owner = version_of(ptx, (size_t)(end - ptx), v->count);
    bool debug = strncmp(ptx + strspn(ptx, "\t"), ".section", 8) == 0;
    for (size_t i = file; i < v->to && !debug; i += FILES)
      if (out[i] && (owner == v->count || owner == i))
        put_lines(out[i], ptx, end);
    ptx = end;
  }
  for (size_t i = file; out && i < v->to; i += FILES)
    if (out[i])
      fclose(out[i]);
  free(out);
}

/* ---- from the first to the last ------------------------------------------------------------------ */

/* Strangers' work is compiled where it lies, in the sandbox if there is one. */
static void place_files(Versions *v, const char *folder) {
  const Settings *settings = v->settings;
  const char *work = settings->work;
  for (size_t i = 0; i < 2 * FILES; i++) {
    bool ptx = i >= FILES;
    if (work && !ptx)
      snprintf(v->seen[i], sizeof v->seen[i], "labs/%s/edits%zu.cu", settings->lab, i);
    else if (work)
      snprintf(v->seen[i], sizeof v->seen[i], "out/edits%zu.ptx", i);
    else
      snprintf(v->seen[i], sizeof v->seen[i], "%s/edits%zu.%s", folder, i, ptx ? "ptx" : "cu");
    snprintf(v->file[i], sizeof v->file[i], "%s%s%s", work ? work : "", work ? "/" : "",
             v->seen[i]);
  }
}

/* Kernels have the names that PTX has for them, macros or not. */
static bool name_kernels(Versions *v) {
  names_of_functions(v);
  char *ptx = write_sources(v) && compile(v, 1) ? text_of_file(v->file[FILES]) : NULL;
  if (ptx)
    names_of_entries(v, ptx);
  free(ptx);
  return ptx;
}

/* Behind a comment that begins here; `at` itself: none does. */
static const char *behind_comment(const char *at) {
  if (strncmp(at, "//", 2) == 0)
    return at + strcspn(at, "\n");
  const char *end = strncmp(at, "/*", 2) == 0 ? strstr(at + 2, "*/") : NULL;
  return end ? end + 2 : at;
}

/* Does the code say this word, other than from..to? */
static bool is_mentioned(const char *text, const char *word, size_t length, const char *from,
                         const char *to) {
  for (const char *at = text; *at;) {
    const char *behind = behind_comment(at), *end = at;
    while (is_letter(*end))
      end++;
    if ((size_t)(end - at) == length && memcmp(at, word, length) == 0 && (at < from || at >= to))
      return true;
    at = behind > at ? behind : end > at ? end : at + 1;
  }
  return false;
}

/* The name of the function whose body begins here, `length` letters; NULL: it is none's. */
static const char *name_of_body(const char *text, const char *open, size_t *length) {
  const char *at = open;
  int depth = 0;
  while (at > text && isspace((unsigned char)at[-1]))
    at--;
  if (at == text || at[-1] != ')')
    return NULL;
  do {
    at--;
    depth += (*at == ')') - (*at == '(');
  } while (at > text && depth > 0);
  const char *end = at;
  while (at > text && is_letter(at[-1]))
    at--;
  *length = (size_t)(end - at);
  return *length ? at : NULL;
}

static bool may_run(const Versions *v, const char *name, size_t length, const json_t *launched) {
  return json_object_size(launched) ? json_object_getn(launched, name, length) != NULL
                                    : is_kernel(v, name, length);
}

/* Of helpers that nothing at hand calls the head is left. */
static bool blank_uncalled(const Versions *v, const json_t *launched) {
  char *source = v->text;
  bool any = false;
  for (char *at = source, *end; *at; at = end) {
    const char *behind = behind_comment(at);
    size_t length;
    end = behind > at ? at + (behind - at) : at + 1;
    if (behind > at || *at != '{' || !(behind = behind_braces(at)))
      continue;
    const char *name = name_of_body(source, at, &length);
    end = at + (behind - at);
    if (!name || may_run(v, name, length, launched) ||
        is_mentioned(source, name, length, name, end))
      continue;
    any |= strspn(at + 1, " \n") < (size_t)(end - 2 - at);
    blank(at + 1, end - 1);
  }
  return any;
}

/* KERNEL(name, function, type) makes a kernel by a macro: those that do not run keep no function. */
static void blank_macro_kernels(const Versions *v, const json_t *launched) {
  for (char *line = v->text; *line; line += line_length(line)) {
    char *open = line, *close, *end;
    while (is_letter(*open))
      open++;
    if (open == line || *open != '(' || !(close = strchr(open, ')')))
      continue;
    const char *name = open + 1, *behind = name;
    while (is_letter(*behind))
      behind++;
    end = close + 1 + strspn(close + 1, " ;");
    if (*end == '\n' && is_kernel(v, name, (size_t)(behind - name)) &&
        !may_run(v, name, (size_t)(behind - name), launched))
      blank(line, end);
  }
}

static void leave_what_runs(Versions *v, const json_t *launched) {
  blank_includes(v->text);
  blank_linkage(v->text);
  v->whole = strdup(v->text);
  for (size_t i = 0; i < v->kernel_count && json_object_size(launched); i++)
    if (!json_object_get(launched, v->kernels[i]))
      blank_kernel(v->text, v->kernels[i]);
  blank_macro_kernels(v, launched);
  while (blank_uncalled(v, launched))
    ;
}

/* Changes of what is not compiled change nothing, nor does what is added to it. */
static bool is_compiled(const Versions *v, const Edit *edit) {
  size_t from = edit->from, to = edit->to;
  if (from == to && from > 0)
    from--;
  return memcmp(v->text + from, v->source + from, to - from) == 0;
}

static bool list_changes(Versions *v) {
  const Edit *edits;
  edits_towards(v->solution);
  size_t count = edits_of(v->source, v->text, &edits);
  free(v->versions);
  if (!(v->versions = calloc(count + 1, sizeof *v->versions)))
    return false;
  for (size_t i = 0; i < count; i++)
    if (is_compiled(v, &edits[i]))
      v->versions[v->count++].edit = &edits[i];
  return true;
}

bool versions_begin(Versions *v, const Settings *settings, const char *folder,
                    const json_t *launched) {
  *v = (Versions){.settings = settings,
                  .source = text_of_file(settings->source),
                  .solution = settings->solution ? text_of_file(settings->solution) : NULL,
                  .versions = calloc(1, sizeof *v->versions),
                  .said = tmpfile(),
                  .count = 1,
                  .from = 1,
                  .to = 1};
  place_files(v, folder);
  v->text = v->source ? strdup(v->source) : NULL;
  if (!v->text || !v->versions || !v->said || !name_kernels(v))
    return false;
  leave_what_runs(v, launched);
  return list_changes(v);
}

static bool compile_together(Versions *v, size_t from, size_t up_to) {
  enum { ROUNDS = 8 };
  bool any = true, good = false;
  v->from = from;
  v->to = up_to;
  for (int round = 0; round < ROUNDS && any && !good; round++)
    good = write_sources(v) && compile(v, FILES) && note_refused(v, &any);
  for (size_t file = 0; good && file < FILES; file++) {
    char *ptx = text_of_file(v->file[FILES + file]);
    if (ptx)
      cut_apart(v, ptx, file);
    good = ptx;
    free(ptx);
  }
  return good && v->versions[0].ptx && *v->versions[0].ptx;
}

/* Where the compiler stops and names none of them, half of them may do without the one that it stops at. */
bool versions_compile(Versions *v, size_t from, size_t up_to) {
  enum { FEW = 8 };
  const size_t middle = from + (up_to - from) / 2;
  if (v->stopped)
    return false;
  if (compile_together(v, from, up_to))
    return true;
  if (up_to - from < FEW || v->stopped)
    return false;
  bool first = versions_compile(v, from, middle), second = versions_compile(v, middle, up_to);
  return first || second;
}

void version_complete(Versions *v, size_t number, const Settings *settings) {
  Version *version = &v->versions[number], before = *version;
  const Settings *own = v->settings;
  char *text = v->text;
  bool as_program = v->as_program;
  version->ptx = NULL;
  v->as_program = true;
  v->settings = settings;
  v->text = v->whole;
  if (versions_compile(v, number, number + 1) && version->ptx) {
    free(before.ptx);
  } else {
    free(version->ptx);
    *version = before;
  }
  v->text = text;
  v->settings = own;
  v->as_program = as_program;
}

bool version_is_new(const Versions *v, size_t number) {
  const Version *version = &v->versions[number];
  if (!version->ptx)
    return false;
  for (size_t i = 0; i < number; i++)
    if (v->versions[i].ptx && v->versions[i].length == version->length &&
        memcmp(v->versions[i].ptx, version->ptx, version->length) == 0)
      return false;
  return true;
}

void versions_end(Versions *v) {
  for (size_t i = 0; v->versions && i < v->count; i++)
    free(v->versions[i].ptx);
  for (size_t i = 0; i < v->kernel_count; i++)
    free(v->kernels[i]);
  for (size_t i = 0; i < 2 * FILES; i++)
    unlink(v->file[i]);
  free(v->versions);
  free(v->text);
  free(v->whole);
  free(v->source);
  free(v->solution);
  if (v->said)
    fclose(v->said);
}
