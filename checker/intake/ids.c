/* Makes a student's id. File names, make's targets and links contain the id, and it must not change
 * when other students join or leave. So it is made only from the student's name and the platform's
 * number, without counting or comparing students.
 *
 *   alice, s1234567               a plain name is used unchanged
 *   zhangwei-12345                a name and the platform's number or login
 *   张伟-kqzmwd, J_rgen_O-bdfghj  another name, and a hash of all its bytes in six letters
 *   NUL-bdfghj, _con.x-12345      names that Windows cannot unpack
 *
 * Letters of all scripts are kept. Letters are not transliterated, because another version of the
 * tables could give another id, and two people might get the same id. The hash distinguishes names
 * that look alike or differ in their blanks. A plain name whose end looks like a hash gets a hash,
 * too. */
#include "intake.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char letters[] = "bcdfghjkmnpqrstvwxyz";
enum { HASH_LETTERS = 6, TAIL_MOST = 24 };

/* Continues an FNV-1a hash with a text. */
static uint64_t hash_of(const char *text, uint64_t hash) {
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
  return hash;
}

static void put_hash(uint64_t hash, char out[HASH_LETTERS + 1]) {
  hash ^= hash >> 32;
  for (size_t i = 0; i < HASH_LETTERS; i++, hash /= 20)
    out[i] = letters[hash % 20];
  out[HASH_LETTERS] = '\0';
}

static void put_hash_of(const char *text, char out[HASH_LETTERS + 1]) {
  put_hash(hash_of(text, UINT64_C(0xcbf29ce484222325)), out);
}

static bool is_safe(char c) { return c > 0 && (isalnum((unsigned char)c) || strchr(".-_", c)); }

/* Returns true for names that are devices in Windows, with any ending. */
static bool is_device(const char *name) {
  static const char *const devices[] = {"con", "prn", "aux", "nul", "com", "lpt"};
  size_t length = strcspn(name, ".");
  for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++)
    if (strncasecmp(name, devices[i], 3) == 0 &&
        (i < 4 ? length == 3 : length == 4 && isdigit((unsigned char)name[3])))
      return true;
  return false;
}

static bool is_plain(const char *name) {
  size_t length = strlen(name), at = 0;
  while (is_safe(name[at]))
    at++;
  if (at != length || length == 0 || length > ID_MOST - 30 || name[0] == '.' ||
      name[length - 1] == '.' || is_device(name))
    /* Such a name needs a hash. For example, Windows removes a dot at the end of a name. */
    return false;
  bool hashed = length > HASH_LETTERS && name[length - HASH_LETTERS - 1] == '-' &&
                strspn(name + length - HASH_LETTERS, letters) == HASH_LETTERS;
  return !hashed;
}

/* Returns true for a letter outside of ASCII. Returns false for blanks, punctuation, and characters
 * that only change how other characters look. */
static bool is_letter(const char *text, size_t length) {
  unsigned value = (unsigned char)text[0];
  if (length < 2)
    return false;
  value &= 0xff >> (length + 1);
  for (size_t i = 1; i < length; i++)
    value = value << 6 | ((unsigned char)text[i] & 0x3f);
  return value >= 0xb5 && value != 0x1680 && value != 0x180e &&
         !(value >= 0x2000 && value < 0x2070) && !(value >= 0x3000 && value < 0x3003) &&
         !(value >= 0xe000 && value < 0xf900) && !(value >= 0xfe00 && value < 0xfe20) &&
         value != 0xfeff && !(value >= 0xfff0 && value < 0x10000) && value < 0xe0000;
}

/* Writes the characters of a name that may occur in a path. Each group of other characters becomes
 * one "_". */
static void readable(const char *name, size_t most, char *out) {
  size_t used = 0;
  bool gap = false;
  while (*name) {
    size_t length = character(name);
    bool keep = is_safe(*name) ? !(used == 0 && *name == '.') : is_letter(name, length);
    if (keep && used + gap + length > most)
      break;
    if (keep && gap && used)
      out[used++] = '_';
    if (keep)
      memcpy(out + used, name, length), used += length;
    gap = !keep;
    name += length ? length : 1;
  }
  out[used] = '\0';
}

/* Returns true for a number or a login that needs no change to be a part of an id. */
static bool is_tail(const char *key) {
  size_t length = strlen(key), at = 0;
  while (key[at] > 0 && (isalnum((unsigned char)key[at]) || strchr("._", key[at])))
    at++;
  return length > 0 && at == length && length <= TAIL_MOST && key[length - 1] != '.';
}

void id_make(const char *who, const char *key, char out[ID_MOST + 1]) {
  char name[ID_MOST - TAIL_MOST - 8], tail[TAIL_MOST + 1];
  if (!*key && is_plain(who)) {
    snprintf(out, ID_MOST + 1, "%s", who);
    return;
  }
  readable(who, sizeof name - 1, name);
  if (is_tail(key))
    snprintf(tail, sizeof tail, "%s", key);
  else
    put_hash_of(*key ? key : who, tail);
  snprintf(out, ID_MOST + 1, "%s%s%s%s", is_device(name) && strchr(name, '.') ? "_" : "", name,
           *name ? "-" : "student-", tail);
}

void id_hide(const char *secret, const char *id, char out[ID_MOST + 1]) {
  char hash[HASH_LETTERS + 1];
  uint64_t mixed = hash_of(id, hash_of(secret, UINT64_C(0xcbf29ce484222325)));
  put_hash(hash_of(secret, mixed), hash);
  snprintf(out, ID_MOST + 1, "anonymous-%s", hash);
}
