// Tries to see the grader's folders in a message of the linker.
// expect: not-compiled | undefined reference to `nowhere
extern "C" int nowhere(void);
static int attack() { return nowhere(); }
