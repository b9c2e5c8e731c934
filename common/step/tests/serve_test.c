/* Tests that the server answers only requests with its token and host, survives malformed requests,
 * and always gives the same steps for the same order.
 */
#include <arpa/inet.h>
#include <jansson.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { MOST = 1 << 24 };

typedef struct Server {
  pid_t process;
  unsigned port;
  char token[40];
} Server;

static Server server;

/* ---- a server, and requests to it ------------------------------------------------------------ */
static Server start(void) {
  extern char **environ;
  const char *build = getenv("BUILD") ? getenv("BUILD") : "build";
  char step[300], program[300], line[300];
  int said[2];
  Server s = {0};
  posix_spawn_file_actions_t actions;
  snprintf(step, sizeof step, "%s/stepper/step", build);
  snprintf(program, sizeof program, "%s/emulated-clang/solutions/02-shared.float", build);
  char *const command[] = {step,           "--source", "solutions/02-shared/shared.cu",
                           "--gold",       "--title",  "a \"title\" <b>",
                           "--no-browser", program,    "--variant",
                           "shared",       "--size",   "32",
                           "--repeats",    "1",        NULL};
  assert_int_equal(pipe(said), 0);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, said[1], 1);
  posix_spawn_file_actions_addclose(&actions, said[0]);
  assert_int_equal(posix_spawn(&s.process, step, &actions, NULL, command, environ), 0);
  posix_spawn_file_actions_destroy(&actions);
  close(said[1]);
  FILE *out = fdopen(said[0], "r");
  while (fgets(line, sizeof line, out)) {
    const char *address = strstr(line, "http://127.0.0.1:");
    if (address && sscanf(address, "http://127.0.0.1:%u/%32[0-9a-f]/", &s.port, s.token) == 2)
      break;
  }
  fclose(out);
  assert_int_equal(strlen(s.token), 32);
  return s;
}

/* Sends SIGINT, as ctrl-C does, and returns the exit status. */
static int stop(const Server *s) {
  int status;
  kill(s->process, SIGINT);
  assert_int_equal(waitpid(s->process, &status, 0), s->process);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int dial(const Server *s) {
  const struct sockaddr_in to = {.sin_family = AF_INET,
                                 .sin_port = htons((uint16_t)s->port),
                                 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int connection = socket(AF_INET, SOCK_STREAM, 0);
  assert_int_equal(connect(connection, (const struct sockaddr *)&to, sizeof to), 0);
  return connection;
}

/* Sends these bytes and returns the whole answer. The caller frees it. */
static char *exchange(const Server *s, const char *bytes, size_t count) {
  char *answer = malloc(MOST + 1);
  size_t got = 0;
  int connection = dial(s);
  assert_non_null(answer);
  for (size_t sent = 0; sent < count;) {
    ssize_t part = send(connection, bytes + sent, count - sent, MSG_NOSIGNAL);
    if (part <= 0)
      break;
    sent += (size_t)part;
  }
  shutdown(connection, SHUT_WR);
  for (ssize_t part; got < MOST && (part = recv(connection, answer + got, MOST - got, 0)) > 0;)
    got += (size_t)part;
  answer[got] = 0;
  close(connection);
  return answer;
}

static char *ask_as(const Server *s, const char *method, const char *path, const char *host) {
  char *request = NULL;
  int count = asprintf(&request, "%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", method,
                       path, host);
  assert_true(count > 0);
  char *answer = exchange(s, request, (size_t)count);
  free(request);
  return answer;
}

static char *ask(const Server *s, const char *name) {
  char path[1000], host[40];
  snprintf(path, sizeof path, "/%s/%s", s->token, name);
  snprintf(host, sizeof host, "127.0.0.1:%u", s->port);
  return ask_as(s, "GET", path, host);
}

static int status_of(const char *answer) {
  int status = 0;
  return sscanf(answer, "HTTP/1.1 %d", &status) == 1 ? status : 0;
}

static void expect_status(const char *method, const char *path, const char *host, int status) {
  char own[40];
  snprintf(own, sizeof own, "127.0.0.1:%u", server.port);
  char *answer = ask_as(&server, method, path, host ? host : own);
  if (status_of(answer) != status)
    fail_msg("%s %s, host %s: %.80s", method, path, host ? host : own, answer);
  free(answer);
}

static const char *body_of(const char *answer) {
  const char *end = strstr(answer, "\r\n\r\n");
  assert_non_null(end);
  return end + 4;
}

/* ---- requests that are refused --------------------------------------------------------------- */
static void serves_its_page(void **state) {
  (void)state;
  static const char *const files[][2] = {{"", "text/html"},
                                         {"page.css", "text/css"},
                                         {"tape.js", "text/javascript"},
                                         {"page.js", "text/javascript"}};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char *answer = ask(&server, files[i][0]);
    assert_int_equal(status_of(answer), 200);
    assert_non_null(strstr(answer, files[i][1]));
    assert_non_null(strstr(answer, "Content-Security-Policy: default-src 'self'"));
    assert_non_null(strstr(answer, "X-Content-Type-Options: nosniff"));
    assert_null(strstr(body_of(answer), "http://"));
    assert_null(strstr(body_of(answer), "https://"));
    free(answer);
  }
}

static void refuses_a_wrong_token(void **state) {
  (void)state;
  char path[100];
  expect_status("GET", "/", NULL, 403);
  expect_status("GET", "/page.js", NULL, 403);
  expect_status("GET", "/favicon.ico", NULL, 403);
  snprintf(path, sizeof path, "/%.31s/", server.token);
  expect_status("GET", path, NULL, 403);
  snprintf(path, sizeof path, "/%s0/", server.token);
  expect_status("GET", path, NULL, 403);
  for (int i = 0; i < 32; i += 31) {
    snprintf(path, sizeof path, "/%s/start", server.token);
    path[1 + i] = path[1 + i] == '0' ? '1' : '0';
    expect_status("GET", path, NULL, 403);
  }
}

static void refuses_a_foreign_host(void **state) {
  (void)state;
  char path[100], host[100];
  snprintf(path, sizeof path, "/%s/start", server.token);
  snprintf(host, sizeof host, "localhost:%u", server.port);
  expect_status("GET", path, host, 200);
  snprintf(host, sizeof host, "example.org:%u", server.port);
  expect_status("GET", path, host, 403);
  snprintf(host, sizeof host, "127.0.0.1:%u.example.org", server.port);
  expect_status("GET", path, host, 403);
  expect_status("GET", path, "127.0.0.1", 403);
  expect_status("GET", path, "127.0.0.1:1", 403);
  expect_status("GET", path, "", 403);
}

static void serves_no_other_file(void **state) {
  (void)state;
  static const char *const names[] = {
      "../page.js",    "../../etc/passwd", "/etc/passwd", "%2e%2e/%2e%2e/etc/passwd",
      "..%2fpage.css", "page.js/",         "Page.js",     "common/step/page.js",
      "start/../start"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[200];
    snprintf(path, sizeof path, "/%s/%s", server.token, names[i]);
    char *answer = ask(&server, names[i]);
    if (status_of(answer) == 200 || strstr(answer, "root:"))
      fail_msg("%s: %.80s", names[i], answer);
    free(answer);
  }
}

static void takes_only_get(void **state) {
  (void)state;
  static const char *const methods[] = {"POST", "PUT", "DELETE", "OPTIONS"};
  char path[100];
  snprintf(path, sizeof path, "/%s/start", server.token);
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    expect_status(methods[i], path, NULL, 405);
  expect_status("HEAD", path, NULL, 200);
}

/* The server must listen on the loopback address only. In /proc/net/tcp, state 0A is a listening
 * socket. */
static void listens_on_loopback_only(void **state) {
  (void)state;
  FILE *sockets = fopen("/proc/net/tcp", "r");
  char line[400];
  unsigned address, port, kind, found = 0;
  assert_non_null(sockets);
  while (fgets(line, sizeof line, sockets))
    if (sscanf(line, " %*d: %8X:%X %*8X:%*X %X", &address, &port, &kind) == 3 &&
        port == server.port && kind == 0x0a) {
      assert_int_equal(ntohl(address), INADDR_LOOPBACK);
      found++;
    }
  fclose(sockets);
  assert_int_equal(found, 1);
}

static void survives_junk(void **state) {
  (void)state;
  static const char *const junk[] = {
      "\r\n\r\n",
      "GET\r\n\r\n",
      "GET / HTTP/9.9\r\n\r\n",
      "GET / HTTP/1.1\r\nHost",
      "\x16\x03\x01\x02",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n"};
  char *large = malloc(1 << 20), bytes[512];
  assert_non_null(large);
  for (size_t i = 0; i < sizeof junk / sizeof *junk; i++)
    free(exchange(&server, junk[i], strlen(junk[i])));
  srand(1);
  for (int round = 0; round < 20; round++) {
    for (size_t i = 0; i < sizeof bytes; i++)
      bytes[i] = (char)rand();
    free(exchange(&server, bytes, sizeof bytes));
  }
  memset(large, 'a', 1 << 20);
  memcpy(large, "GET /", 5);
  free(exchange(&server, large, 1 << 20));
  free(large);
  char *answer = ask(&server, "start");
  assert_int_equal(status_of(answer), 200);
  free(answer);
}

static void refuses_what_is_no_order(void **state) {
  (void)state;
  static const char *const orders[] = {"block",
                                       "block?launch=1",
                                       "block?launch=1&block=0&turns=0",
                                       "block?launch=1&block=0&turns=0*",
                                       "block?launch=1&block=0&turns=0*1;skip+line+1",
                                       "block?launch=1&block=0&turns=0*1++1*1",
                                       "block?launch=1&block=0&turns=0*1+",
                                       "block?launch=1&block=0&turns=-1*1",
                                       "block?launch=1&block=0&turns=0*1%0aplain",
                                       "block?launch=x&block=0&turns=",
                                       "block?launch=1&block=-1&turns="};
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
    char *answer = ask(&server, orders[i]);
    if (status_of(answer) != 400)
      fail_msg("%s: %.80s", orders[i], answer);
    free(answer);
  }
  for (int i = 0; i < 2; i++) {
    char *answer =
        ask(&server, i ? "block?launch=7&block=0&turns=" : "block?launch=1&block=1&turns=");
    assert_int_equal(status_of(answer), 200);
    assert_non_null(strstr(answer, "{\"refused\":"));
    free(answer);
  }
}

/* ---- the same order, the same steps ---------------------------------------------------------- */
typedef struct Step {
  long warp, lanes, line;
} Step;

static json_t *block_of(const Server *s, const char *turns) {
  char name[500];
  snprintf(name, sizeof name, "block?launch=1&block=0&turns=%s", turns);
  char *answer = ask(s, name);
  assert_int_equal(status_of(answer), 200);
  json_t *block = json_loads(body_of(answer), 0, NULL);
  assert_non_null(block);
  free(answer);
  return block;
}

/* Returns the steps. The caller frees them. */
static Step *steps_of(const json_t *block, size_t *count) {
  const json_t *events = json_object_get(block, "events");
  Step *steps = calloc(json_array_size(events) + 1, sizeof *steps);
  json_t *event;
  size_t i;
  *count = 0;
  assert_non_null(steps);
  json_array_foreach(events, i, event) {
    if (strcmp(json_string_value(json_array_get(event, 0)), "s") != 0)
      continue;
    Step *s = &steps[(*count)++];
    s->warp = (long)json_integer_value(json_array_get(event, 1));
    s->lanes = (long)json_integer_value(json_array_get(event, 2));
    s->line = (long)json_integer_value(json_array_get(event, 3));
  }
  return steps;
}

/* Requests the orders that a student makes by going forward, choosing other warps and going back.
 * Two separate servers must give the same answers. */
static void repeats_an_order(void **state) {
  (void)state;
  static const char *const orders[] = {"", "0*5+3*1", "0*5+3*4+31*9+0*1", ""};
  Server other = start();
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
    json_t *one = block_of(&server, orders[i]), *two = block_of(&other, orders[i]);
    assert_true(json_is_true(json_object_get(one, "whole")));
    assert_true(json_array_size(json_object_get(one, "events")) > 1000);
    assert_true(json_equal(one, two));
    json_decref(one);
    json_decref(two);
  }
  assert_int_equal(stop(&other), 0);
}

/* If the student chooses another warp, the page requests the steps so far, followed by one step of
 * that warp. */
static void another_warp_goes_next(void **state) {
  (void)state;
  static const struct {
    const char *turns;
    size_t before;
    long warp;
  } choices[] = {{"0*5+3*1", 5, 3}, {"0*5+3*4+31*1", 9, 31}, {"0*5+3*4+31*1+0*1", 10, 0}};
  size_t count, before_count;
  json_t *block = block_of(&server, "");
  Step *before = steps_of(block, &before_count);
  json_decref(block);
  for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
    block = block_of(&server, choices[i].turns);
    Step *steps = steps_of(block, &count);
    assert_true(count > choices[i].before);
    assert_memory_equal(steps, before, choices[i].before * sizeof *steps);
    assert_int_equal(steps[choices[i].before].warp, choices[i].warp);
    assert_int_equal(count, before_count); /* no race: the order does not change their number */
    json_decref(block);
    free(before);
    before = steps;
  }
  free(before);
}

static void begins_with_the_source(void **state) {
  (void)state;
  char *answer = ask(&server, "start");
  json_t *beginning = json_loads(body_of(answer), 0, NULL);
  assert_non_null(beginning);
  assert_string_equal(json_string_value(json_object_get(beginning, "title")), "a \"title\" <b>");
  assert_true(json_array_size(json_object_get(beginning, "lines")) > 50);
  assert_int_equal(json_array_size(json_object_get(beginning, "launches")), 1);
  assert_int_equal(json_array_size(json_object_get(beginning, "races")), 0);
  json_decref(beginning);
  free(answer);
}

static void serves_the_race_search(void **state) {
  (void)state;
  char *answer = ask(&server, "race");
  assert_int_equal(status_of(answer), 200);
  assert_non_null(strstr(answer, "No race"));
  assert_non_null(strstr(answer, "Content-Security-Policy: default-src 'none'"));
  free(answer);
}

static void serves_the_timeline(void **state) {
  (void)state;
  char *answer = ask(&server, "time?launch=1");
  assert_int_equal(status_of(answer), 200);
  assert_non_null(strstr(answer, "image/svg+xml"));
  assert_non_null(strstr(answer, "<rect"));
  free(answer);
  answer = ask(&server, "time?launch=9");
  assert_non_null(strstr(answer, "{\"refused\":"));
  free(answer);
  answer = ask(&server, "time");
  assert_int_equal(status_of(answer), 400);
  free(answer);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(serves_its_page),        cmocka_unit_test(refuses_a_wrong_token),
      cmocka_unit_test(refuses_a_foreign_host), cmocka_unit_test(serves_no_other_file),
      cmocka_unit_test(takes_only_get),         cmocka_unit_test(listens_on_loopback_only),
      cmocka_unit_test(survives_junk),          cmocka_unit_test(refuses_what_is_no_order),
      cmocka_unit_test(begins_with_the_source), cmocka_unit_test(another_warp_goes_next),
      cmocka_unit_test(repeats_an_order),       cmocka_unit_test(serves_the_race_search),
      cmocka_unit_test(serves_the_timeline),
  };
  server = start();
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  return stop(&server) != 0 || failed;
}
