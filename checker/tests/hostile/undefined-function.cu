// Tries to see the grader's folders in what the linker says.
// expect: not-compiled | undefined reference to `nowhere
extern "C" int nowhere(void);
static int attack() { return nowhere(); }
