/* Looks up names in nested scopes. The symbols are in one hash table whose buckets are stacks. A
 * symbol of an inner scope is above a symbol of the same name in an outer scope. A symbol is
 * removed when its scope ends. */
#include <ctype.h>

#include "ptx.h"

uint32_t hash_bytes(const void *data, size_t length, uint32_t seed) { /* the hash function FNV-1a */
  uint32_t hash = 2166136261u ^ seed;
  for (const unsigned char *byte = data; length--; byte++)
    hash = (hash ^ *byte) * 16777619u;
  return hash;
}

static void double_buckets(Loader *loader) {
  Symbols *symbols = &loader->symbols;
  uint32_t nbuckets = symbols->nbuckets ? 2 * symbols->nbuckets : 256;
  Symbol **buckets = ARENA_ARRAY(loader->scratch, Symbol *, nbuckets);
  /* Insert the symbols from the oldest to the newest, so that the newest is again on top of its
   * bucket. */
  Symbol *oldest_first = NULL;
  for (Symbol *symbol = symbols->last; symbol; symbol = symbol->earlier) {
    symbol->shadowed = oldest_first;
    oldest_first = symbol;
  }
  for (Symbol *symbol = oldest_first, *next; symbol; symbol = next) {
    next = symbol->shadowed;
    symbol->shadowed = buckets[symbol->hash % nbuckets];
    buckets[symbol->hash % nbuckets] = symbol;
  }
  symbols->buckets = buckets;
  symbols->nbuckets = nbuckets;
}

Symbol *declare(Loader *loader, Slice name, SymbolKind kind) {
  Symbols *symbols = &loader->symbols;
  if (symbols->count >= symbols->nbuckets)
    double_buckets(loader);
  Symbol *symbol = arena_take(loader->scratch, sizeof *symbol);
  symbol->name = name;
  symbol->kind = kind;
  symbol->hash = hash_bytes(name.start, name.length, 0);
  Symbol **bucket = &symbols->buckets[symbol->hash % symbols->nbuckets];
  symbol->shadowed = *bucket;
  *bucket = symbol;
  symbol->earlier = symbols->last;
  symbols->last = symbol;
  symbols->count++;
  return symbol;
}

const Symbol *find_symbol(const Symbols *symbols, Slice name) {
  if (!symbols->nbuckets)
    return NULL;
  uint32_t hash = hash_bytes(name.start, name.length, 0);
  const Symbol *symbol = symbols->buckets[hash % symbols->nbuckets];
  while (symbol && (symbol->hash != hash || symbol->name.length != name.length ||
                    memcmp(symbol->name.start, name.start, name.length) != 0))
    symbol = symbol->shadowed;
  return symbol;
}

uint32_t find_register(const Symbols *symbols, Slice name) {
  const Symbol *symbol = find_symbol(symbols, name);
  if (symbol && symbol->kind == SYMBOL_REGISTER && symbol->count == NONE)
    return symbol->index;
  /* Split the name into a declared name and a number, in every possible way: "%r10" may be register
   * 10 of %r<..> or register 0 of %r1<..>. */
  if (name.length == 0)
    return NONE;
  uint64_t number = 0, place = 1;
  for (uint32_t i = name.length - 1; i > 0 && place <= 10000000; i--, place *= 10) {
    if (!isdigit((unsigned char)name.start[i]))
      break;
    number += place * (uint64_t)(name.start[i] - '0');
    if (name.start[i] == '0' && place > 1)
      continue;
    symbol = find_symbol(symbols, (Slice){name.start, i});
    if (symbol && symbol->kind == SYMBOL_REGISTER && symbol->count != NONE &&
        number < symbol->count)
      return symbol->index + (uint32_t)number;
  }
  return NONE;
}

void leave_scope(Symbols *symbols, Symbol *mark) {
  for (; symbols->last != mark; symbols->last = symbols->last->earlier) {
    symbols->buckets[symbols->last->hash % symbols->nbuckets] = symbols->last->shadowed;
    symbols->count--;
  }
}

/* Hides the local symbols of a text: gives them an empty name, which is never looked up. */
void leave_text(Symbols *symbols) {
  for (Symbol *symbol = symbols->last; symbol; symbol = symbol->earlier)
    if (symbol->is_local)
      symbol->name.length = 0;
}
