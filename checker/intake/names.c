/* Finds the lab to which a file belongs by its name, and the words that a browser, a platform or
 * the student added. "naive.cu" may be handed in as "naive (1).cu", "naive-1.cu", "Naive.cu.txt",
 * "Copy of naive.cu" or, if all files are in one folder, "Jane Doe - naive.cu". */
#include "intake.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <uninorm.h>
#include <unistr.h>

/* ---- bytes and characters -------------------------------------------------------------------- */

size_t character(const char *from) {
  const unsigned char *text = (const unsigned char *)from;
  if (*text < 0x80)
    return *text >= 0x20 && *text != 0x7f;
  size_t length = *text >= 0xf0 ? 4 : *text >= 0xe0 ? 3 : 2;
  unsigned value = *text & (0xff >> (length + 1));
  static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (*text < 0xc2 || *text > 0xf4)
    return 0;
  for (size_t i = 1; i < length; i++) {
    if ((text[i] & 0xc0) != 0x80)
      return 0;
    value = value << 6 | (text[i] & 0x3f);
  }
  bool control = value < 0xa0 || value == 0x2028 || value == 0x2029;
  bool turns = (value >= 0x202a && value <= 0x202e) || (value >= 0x2066 && value <= 0x2069);
  bool none = value < least[length] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff);
  return control || turns || none ? 0 : length;
}

/* Composes letters and accents. macOS writes them as separate characters. */
void compose(char *name, size_t size) {
  uint8_t composed[2 * NAME_MOST];
  const uint8_t *text = (const uint8_t *)name;
  size_t bytes = strlen(name), length = sizeof composed;
  if (u8_check(text, bytes))
    /* The name is not UTF-8. */
    return;
  uint8_t *all = u8_normalize(UNINORM_NFC, text, bytes, composed, &length);
  if (all == composed && length < size) {
    memcpy(name, composed, length);
    name[length] = '\0';
  }
  if (all != composed)
    free(all);
}

const char *shown(const char *name, char out[SHOWN_MOST]) {
  static const char unknown[] = "\xef\xbf\xbd", more[] = "..";
  size_t used = 0;
  while (*name) {
    size_t length = character(name), put = length ? length : 3;
    if (used + put + sizeof more > SHOWN_MOST) {
      memcpy(out + used, more, 2);
      used += 2;
      break;
    }
    memcpy(out + used, length ? name : unknown, put);
    used += put;
    name += length ? length : 1;
  }
  out[used] = '\0';
  return out;
}

/* ---- endings, and files that are not part of the work ---------------------------------------- */

size_t without_ending(const char *name) {
  static const char *const endings[] = {".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst",
                                        ".tgz",    ".tbz2",    ".txz",    ".tar",
                                        ".zip",    ".rar",     ".7z"};
  size_t length = strlen(name);
  for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
    size_t ending = strlen(endings[i]);
    if (length > ending && strcasecmp(name + length - ending, endings[i]) == 0)
      return length - ending;
  }
  return length;
}

bool beside_the_work(const char *name) {
  static const char *const left[] = {"__MACOSX",    "Thumbs.db",    "ehthumbs.db",
                                     "desktop.ini", "Icon\r",       "$RECYCLE.BIN",
                                     "__pycache__", "node_modules", "System Volume Information"};
  for (size_t i = 0; i < sizeof left / sizeof left[0]; i++)
    if (strcasecmp(name, left[i]) == 0)
      return true;
  return name[0] == '.' || strncmp(name, "~$", 2) == 0;
}

/* Returns the length of the name without the ending of a CUDA file; 0 if it has no such ending. */
static size_t cuda_stem(const char *file) {
  size_t length = strlen(file), at = length;
  if (at > 4 && strcasecmp(file + at - 4, ".txt") == 0) {
    at -= 4;
  } else {
    /* wget adds a number, "naive.cu.1". */
    while (at > 0 && isdigit((unsigned char)file[at - 1]))
      at--;
    at = at < length && at > 0 && file[at - 1] == '.' ? at - 1 : length;
  }
  return at > 3 && strncasecmp(file + at - 3, ".cu", 3) == 0 ? at - 3 : 0;
}

bool is_cuda(const char *file) { return cuda_stem(file) > 0; }

/* ---- copies of the same name ----------------------------------------------------------------- */

static bool separates(char c) { return c && strchr(" _-", c); }

/* Returns the length of the name without `word` if the name ends with `word` and has other
 * characters before it; otherwise 0. */
static size_t before_word(const char *stem, size_t length, const char *word) {
  size_t size = strlen(word);
  if (length <= size + 1 || strncasecmp(stem + length - size, word, size) != 0)
    return 0;
  length -= size;
  return separates(stem[length - 1]) ? length : 0;
}

static size_t without_separators(const char *stem, size_t length) {
  while (length > 0 && separates(stem[length - 1]))
    length--;
  return length;
}

/* Returns the length of the name without "(2)", "-2", "_2" or "copy" at its end, and stores the
 * number of the copy. */
static size_t without_copy(const char *stem, size_t length, unsigned *copy) {
  static const char *const words[] = {"copy", "kopie", "copie", "copia"};
  size_t digits = length, end = length;
  bool brackets = length > 2 && stem[length - 1] == ')';
  digits = end -= brackets;
  while (digits > 0 && end - digits < 3 && isdigit((unsigned char)stem[digits - 1]))
    digits--;
  if (digits < end && digits > 1 &&
      (brackets ? stem[digits - 1] == '(' : separates(stem[digits - 1]))) {
    *copy = *copy * 1000 + (unsigned)atoi(stem + digits);
    return without_separators(stem, digits - 1);
  }
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    size_t before = before_word(stem, length, words[i]);
    if (before) {
      *copy += *copy == 0;
      return without_separators(stem, before);
    }
  }
  return length;
}

/* ---- words ----------------------------------------------------------------------------------- */

static bool in_word(char c) { return isalnum((unsigned char)c) || (c & 0x80); }

enum { WORDS_MOST = 32 };

typedef struct Words {
  size_t from[WORDS_MOST], to[WORDS_MOST], count;
} Words;

static Words split(const char *stem, size_t length) {
  Words words = {.count = 0};
  for (size_t at = 0; at < length && words.count < WORDS_MOST;) {
    size_t from = at;
    while (at < length && in_word(stem[at]))
      at++;
    if (at > from) {
      words.from[words.count] = from;
      words.to[words.count++] = at;
    } else {
      at++;
    }
  }
  return words;
}

/* Returns the number of words from word `at` on that form the lab's name, such as "bank" and
 * "conflicts"; 0 if no words form this name. */
static size_t words_of_lab(const char *stem, const Words *words, size_t at, const char *plain) {
  for (size_t count = 0; at + count < words->count; count++) {
    size_t length = words->to[at + count] - words->from[at + count];
    if (strncasecmp(stem + words->from[at + count], plain, length) != 0 || strlen(plain) < length)
      return 0;
    plain += length;
    if (!*plain)
      return count + 1;
  }
  return 0;
}

/* Returns true for the number of a lab, such as "01" or "lab01", or for "labs". Such a word is not
 * a person's name. */
static bool is_number(const char *word, size_t length) {
  for (size_t i = 0; i < 4 && length && isalpha((unsigned char)*word) &&
                     tolower((unsigned char)*word) == "labs"[i];
       i++)
    word++, length--;
  for (; length && isdigit((unsigned char)*word); length--)
    word++;
  return length == 0;
}

/* Stores the words before the lab's name or, if no word is before it, the words after it. Numbers
 * of labs at either end are left out. */
static void keep_rest(LabName *name, const char *stem, const Words *words, size_t at,
                      size_t count) {
  size_t first = 0, last = at;
  if (at == 0)
    first = count, last = words->count;
  while (first < last &&
         is_number(stem + words->from[first], words->to[first] - words->from[first]))
    first++;
  while (first < last &&
         is_number(stem + words->from[last - 1], words->to[last - 1] - words->from[last - 1]))
    last--;
  name->guess = words->count > count;
  if (first < last)
    snprintf(name->rest, sizeof name->rest, "%.*s", (int)(words->to[last - 1] - words->from[first]),
             stem + words->from[first]);
}

static bool find_lab(LabName *name, const Labs *labs, const char *stem, size_t length) {
  Words words = split(stem, length);
  size_t longest = 0;
  /* The last match counts: "shared_naive.cu" is the file naive.cu of a student called shared. */
  for (size_t at = words.count; at-- > 0;) {
    for (size_t i = 0; i < labs->count; i++) {
      size_t count = words_of_lab(stem, &words, at, labs->lab[i].plain);
      if (count && strlen(labs->lab[i].plain) > longest) {
        longest = strlen(labs->lab[i].plain);
        name->lab = &labs->lab[i];
        name->rest[0] = '\0';
        keep_rest(name, stem, &words, at, count);
      }
    }
    if (longest)
      return true;
  }
  return false;
}

LabName lab_named(const Labs *labs, const char *path) {
  static const char before[] = "copy of ";
  LabName name = {.lab = NULL};
  const char *slash = strrchr(path, '/'), *stem = slash ? slash + 1 : path;
  size_t length = cuda_stem(stem);
  /* The number that wget adds. */
  const char *number = stem + length + 3;
  if (length && *number == '.' && isdigit((unsigned char)number[1]))
    name.copy = (unsigned)atoi(number + 1);
  for (size_t shorter = 0; length; length = shorter) {
    if (find_lab(&name, labs, stem, length) && !name.guess)
      return name;
    shorter = without_copy(stem, length, &name.copy);
    if (shorter == length)
      break;
  }
  if (length > sizeof before && strncasecmp(stem, before, sizeof before - 1) == 0 &&
      find_lab(&name, labs, stem + sizeof before - 1, length - (sizeof before - 1)))
    name.copy += name.copy == 0;
  return name;
}

/* ---- labs ------------------------------------------------------------------------------------ */

static void read_given(Lab *lab, const char *handouts) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s/%s", handouts, lab->name, lab->file);
  FILE *file = fopen(path, "r");
  if (!file)
    return;
  lab->given = malloc(FILE_MOST);
  lab->given_size = lab->given ? fread(lab->given, 1, FILE_MOST, file) : 0;
  fclose(file);
}

void lab_add(Labs *labs, const char *name, const char *handouts) {
  if (labs->count == LABS_MOST || strlen(name) < 4 || strlen(name) >= sizeof labs->lab[0].file)
    bad_input("%s: no lab's name", name);
  Lab *lab = &labs->lab[labs->count++];
  size_t length = 0;
  lab->name = name;
  snprintf(lab->file, sizeof lab->file, "%s.cu", name + 3);
  for (char *at = lab->file; (at = strchr(at, '-'));)
    *at = '_';
  for (const char *at = name + 3; *at; at++)
    if (in_word(*at))
      lab->plain[length++] = *at;
  if (handouts)
    read_given(lab, handouts);
}

void labs_free(Labs *labs) {
  for (size_t i = 0; i < labs->count; i++)
    free(labs->lab[i].given);
  labs->count = 0;
}
