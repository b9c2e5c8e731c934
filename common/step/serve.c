/* Answers HTTP requests on the loopback address. One thread answers them one after another.
 *
 * The URL contains a random token, so that other users of the machine and other web pages cannot
 * send requests. The Host header must be 127.0.0.1 or localhost. This prevents DNS rebinding, in
 * which a foreign host name resolves to the loopback address.
 */
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "draw/draw.h"
#include "step.h"

#if MHD_VERSION < 0x00097002
#define MHD_Result int
#endif

enum { REQUEST_BYTES = 256 * 1024, RACE_SECONDS = 5 };

static const char own_files[] =
    "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";
/* The policy for the page of the race search, whose style sheet is in the page itself. */
static const char one_file[] = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
                               "frame-ancestors 'self'";

/* ---- answers --------------------------------------------------------------------------------- */
static enum MHD_Result answer(struct MHD_Connection *to, unsigned status, const char *type,
                              const char *policy, const char *bytes, size_t length) {
  struct MHD_Response *r =
      MHD_create_response_from_buffer(length, (void *)bytes, MHD_RESPMEM_MUST_COPY);
  if (!r)
    return MHD_NO;
  const char *const headers[][2] = {
      {"Content-Type", type},
      {"Content-Security-Policy", policy},
      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Cache-Control", "no-store"},
  };
  for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
    MHD_add_response_header(r, headers[i][0], headers[i][1]);
  if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
    MHD_add_response_header(r, "Allow", "GET, HEAD");
  enum MHD_Result queued = MHD_queue_response(to, status, r);
  MHD_destroy_response(r);
  return queued;
}

static enum MHD_Result refuse(struct MHD_Connection *to, unsigned status, const char *why) {
  return answer(to, status, "text/plain; charset=utf-8", own_files, why, strlen(why));
}

static enum MHD_Result answer_json(struct MHD_Connection *to, unsigned status, Text t) {
  return answer(to, status, "application/json", own_files, t.bytes, t.length);
}

/* ---- one block ------------------------------------------------------------------------------- */
static const Text *find_shown(const Stepper *s, const char *key) {
  for (size_t i = 0; i < SHOWN_MOST; i++)
    if (s->shown[i].key && !strcmp(s->shown[i].key, key))
      return &s->shown[i].text;
  return NULL;
}

static const Text *keep_shown(Stepper *s, const char *key, Text text) {
  Shown *place = &s->shown[s->nshown++ % SHOWN_MOST];
  free(place->key);
  free(place->text.bytes);
  *place = (Shown){strdup(key), text};
  return &place->text;
}

static bool is_number(const char *text, uint64_t *out) {
  char *end;
  if (!text || !isdigit((unsigned char)*text))
    return false;
  errno = 0;
  *out = strtoull(text, &end, 10);
  return !*end && !errno;
}

/* Returns true if the text is a list of turns such as "0*12 3*1". Other text must not be passed to
 * the program's environment. */
static bool are_turns(const char *text) {
  while (*text) {
    for (int part = 0; part < 2; part++) {
      size_t digits = strspn(text, "0123456789");
      if (!digits || digits > 9)
        return false;
      text += digits;
      if (part == 0 && *text++ != '*')
        return false;
    }
    if (*text && (*text++ != ' ' || !*text))
      return false;
  }
  return true;
}

static Text run_block(Stepper *s, const char *order, uint64_t launch, uint64_t block) {
  Outcome o;
  char sentence[160];
  s->program.deadline = seconds_now() + s->seconds;
  outcome_run(&s->program, order, &o);
  snprintf(sentence, sizeof sentence,
           "The run did not end within %.0f seconds. Choose a smaller size, in a lab for instance "
           "ARGS=\"--size 32\".",
           s->seconds);
  Text text = o.late ? show_refusal(sentence) : show_block(s, &o, launch, block);
  outcome_free(&o);
  return text;
}

static enum MHD_Result answer_block(Stepper *s, struct MHD_Connection *to) {
  uint64_t launch, block;
  const char *turns = MHD_lookup_connection_value(to, MHD_GET_ARGUMENT_KIND, "turns");
  turns = turns ? turns : "";
  if (!is_number(MHD_lookup_connection_value(to, MHD_GET_ARGUMENT_KIND, "launch"), &launch) ||
      !is_number(MHD_lookup_connection_value(to, MHD_GET_ARGUMENT_KIND, "block"), &block) ||
      strlen(turns) > KEY_MOST - 100 || !are_turns(turns))
    return refuse(to, MHD_HTTP_BAD_REQUEST, "want launch=1&block=0&turns=0*12+3*1\n");
  static char order[KEY_MOST];
  snprintf(order, sizeof order, "turns launch %" PRIu64 " block %" PRIu64 " %s", launch, block,
           turns);
  const Text *shown = find_shown(s, order);
  if (!shown)
    shown = keep_shown(s, order, run_block(s, order, launch, block));
  return answer_json(to, MHD_HTTP_OK, *shown);
}

/* ---- the race search ------------------------------------------------------------------------- */
static enum MHD_Result answer_race(Stepper *s, struct MHD_Connection *to) {
  if (!s->race.bytes) {
    Report r = {.title = s->title, .source = s->source, .program = &s->program};
    report_find(&r, &s->program, RACE_SECONDS);
    FILE *out = open_memstream(&s->race.bytes, &s->race.length);
    if (!out)
      abort();
    page_write(out, &r);
    fclose(out);
  }
  return answer(to, MHD_HTTP_OK, "text/html; charset=utf-8", one_file, s->race.bytes,
                s->race.length);
}

/* ---- the timeline ---------------------------------------------------------------------------- */
static enum MHD_Result answer_time(Stepper *s, struct MHD_Connection *to) {
  uint64_t launch;
  const char *why;
  if (!is_number(MHD_lookup_connection_value(to, MHD_GET_ARGUMENT_KIND, "launch"), &launch))
    return refuse(to, MHD_HTTP_BAD_REQUEST, "want launch=1\n");
  Text t = show_time(s, launch, &why);
  if (why)
    t = show_refusal(why);
  enum MHD_Result queued =
      why ? answer_json(to, MHD_HTTP_OK, t)
          : answer(to, MHD_HTTP_OK, "image/svg+xml; charset=utf-8", own_files, t.bytes, t.length);
  free(t.bytes);
  return queued;
}

/* ---- requests -------------------------------------------------------------------------------- */
static bool is_own_host(const Stepper *s, const char *host) {
  static const char *const names[] = {"127.0.0.1", "localhost"};
  char own[40];
  for (size_t i = 0; host && i < sizeof names / sizeof *names; i++) {
    snprintf(own, sizeof own, "%s:%u", names[i], s->port);
    if (!strcasecmp(host, own))
      return true;
  }
  return false;
}

/* Compares in constant time, so that the response time does not reveal a part of the token. */
static bool has_token(const Stepper *s, const char *url) {
  const size_t length = TOKEN_BYTES - 1;
  unsigned differ = 0;
  if (strlen(url) < length + 2 || url[0] != '/' || url[length + 1] != '/')
    return false;
  for (size_t i = 0; i < length; i++)
    differ |= (unsigned char)(url[i + 1] ^ s->token[i]);
  return !differ;
}

static enum MHD_Result on_request(void *stepper, struct MHD_Connection *to, const char *url,
                                  const char *method, const char *version, const char *data,
                                  size_t *bytes, void **state) {
  Stepper *s = stepper;
  static int seen;
  (void)version, (void)data;
  if (!*state) { /* first call: only the headers have been received */
    *state = &seen;
    return MHD_YES;
  }
  *bytes = 0;
  if (!is_own_host(s, MHD_lookup_connection_value(to, MHD_HEADER_KIND, "Host")))
    return refuse(to, MHD_HTTP_FORBIDDEN, "wrong host\n");
  if (!has_token(s, url))
    return refuse(to, MHD_HTTP_FORBIDDEN, "wrong token: open the address that was printed\n");
  if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
    return refuse(to, MHD_HTTP_METHOD_NOT_ALLOWED, "GET only\n");
  const char *name = url + TOKEN_BYTES + 1;
  const Asset *asset = asset_find(name);
  if (asset)
    return answer(to, MHD_HTTP_OK, asset->type, own_files, asset->bytes,
                  (size_t)(asset->end - asset->bytes));
  if (!strcmp(name, "block"))
    return answer_block(s, to);
  if (!strcmp(name, "race"))
    return answer_race(s, to);
  if (!strcmp(name, "time"))
    return answer_time(s, to);
  if (!strcmp(name, "dark.css"))
    return answer(to, MHD_HTTP_OK, "text/css; charset=utf-8", own_files, svg_dark_style(),
                  strlen(svg_dark_style()));
  if (!strcmp(name, "start")) {
    Text text = show_start(s);
    enum MHD_Result queued = answer_json(to, MHD_HTTP_OK, text);
    free(text.bytes);
    return queued;
  }
  return refuse(to, MHD_HTTP_NOT_FOUND, "nothing here\n");
}

static bool make_token(Stepper *s) {
  uint8_t bytes[(TOKEN_BYTES - 1) / 2];
  if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
    return false;
  for (size_t i = 0; i < sizeof bytes; i++)
    snprintf(s->token + 2 * i, 3, "%02x", bytes[i]);
  return true;
}

bool serve_begin(Stepper *s) {
  const struct sockaddr_in here = {.sin_family = AF_INET,
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)}; /* any free port */
  if (!make_token(s)) {
    perror("step: no random numbers");
    return false;
  }
  struct MHD_Daemon *daemon = MHD_start_daemon(
      MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, on_request, s, MHD_OPTION_SOCK_ADDR, &here,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)REQUEST_BYTES, MHD_OPTION_END);
  const union MHD_DaemonInfo *port =
      daemon ? MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT) : NULL;
  if (!port) {
    perror("step: cannot listen on 127.0.0.1");
    return false;
  }
  s->port = port->port;
  return true;
}
