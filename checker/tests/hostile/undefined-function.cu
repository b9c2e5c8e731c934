// Calls an undefined function to see the grader's folders in the linker's message.
// expect: not-compiled | undefined reference to `nowhere
extern "C" int nowhere(void);
static int attack() { return nowhere(); }
