/* Embeds pictures into an HTML page: replaces the file names in <img src="..."> and url("...") by
 * data URLs. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "weave.h"

static void write_base64(FILE *out, const unsigned char *bytes, size_t length) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < length; i += 3) {
    const size_t left = length - i;
    uint32_t three = (uint32_t)bytes[i] << 16;
    three |= left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0;
    three |= left > 2 ? bytes[i + 2] : 0;
    fputc(digits[three >> 18], out);
    fputc(digits[three >> 12 & 63], out);
    fputc(left > 1 ? digits[three >> 6 & 63] : '=', out);
    fputc(left > 2 ? digits[three & 63] : '=', out);
  }
}

static const char *media_type(const char *path) {
  const char *ending = strrchr(path, '.');
  if (ending && !strcmp(ending, ".svg"))
    return "image/svg+xml";
  return ending && !strcmp(ending, ".png") ? "image/png" : NULL;
}

/* Writes a picture as a data URL. `address` is relative to the folder of the page. */
static void write_picture(Page *page, const char *address, size_t length, FILE *out) {
  char path[4096];
  const char *slash = strrchr(page->path, '/');
  snprintf(path, sizeof path, "%.*s%.*s", slash ? (int)(slash + 1 - page->path) : 0, page->path,
           (int)length, address);
  const char *type = media_type(path);
  size_t bytes = 0;
  char *data = type ? file_read(path, &bytes) : NULL;
  if (!data) {
    complain(page, "%s: %s", path, type ? strerror(errno) : "neither .svg nor .png");
    return;
  }
  fprintf(out, "data:%s;base64,", type);
  write_base64(out, (const unsigned char *)data, bytes);
  free(data);
}

/* Returns the length of src=" or url(" if the text at `at` begins with it, otherwise 0. */
static size_t address_begins(const char *at, bool in_image) {
  static const char source[] = "src=\"", url[] = "url(&quot;";
  if (in_image && !strncmp(at, source, sizeof source - 1))
    return sizeof source - 1;
  return strncmp(at, url, sizeof url - 1) ? 0 : sizeof url - 1;
}

char *embed(Page *page, const char *html) {
  char *result = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&result, &size);
  bool in_image = false;
  page->line = 1;
  for (const char *at = html; *at;) {
    in_image = !strncmp(at, "<img ", 5) || (in_image && *at != '>');
    size_t before = address_begins(at, in_image), length = strcspn(at + before, "\"&");
    if (before && strncmp(at + before, "data:", 5) != 0) {
      fwrite(at, 1, before, out);
      write_picture(page, at + before, length, out);
      at += before + length;
    } else {
      page->line += *at == '\n';
      fputc(*at++, out);
    }
  }
  fclose(out);
  if (page->wrong) {
    free(result);
    return NULL;
  }
  return result;
}
