// Kernels whose lanes diverge at branches and loops, to test where they reconverge. reconvergence.h
// explains the tests.
// expect: ok
#include "reconvergence.h"

// Some lanes leave the loop. The others stay converged and store together.
KERNEL(early_return) {
  unsigned v = IN(t);
#pragma unroll 1
  for (unsigned i = 0; i < 244; i++) {
    v = v * 5 + IN(v + i);
    if ((v >> 7) % 128 == 7)
      return;
  }
  OUT(0) = v;
  OUT(1) = v + 1;
  OUT(2) = v * 3;
  OUT(3) = v ^ 5;
  OUT(4) = v - 7;
  OUT(5) = v / 3;
  OUT(6) = v + 11;
  OUT(7) = v * 13;
  OUT(8) = v ^ 17;
  OUT(9) = v - 19;
  OUT(10) = v / 23;
  OUT(11) = v + 29;
}

KERNEL(leave_loop) {
  unsigned v = IN(t), i;
#pragma unroll 1
  for (i = 0; i < 40; i++) {
    v += IN(v + i);
    if (v % 16 == 3)
      break;
    OUT(i) = v;
  }
  OUT(40) = v;
  OUT(41) = i + IN(v);
}

KERNEL(skip_rounds) {
  unsigned v = IN(t);
#pragma unroll 1
  for (unsigned i = 0; i < 24; i++) {
    v = v * 3 + IN(v + i);
    if (v >> 5 & 1)
      continue;
    OUT(i) = v;
    v += IN(v);
  }
  OUT(24) = v;
}

KERNEL(nested_trips) {
  unsigned v = IN(t), outer = 2 + t % 5;
#pragma unroll 1
  for (unsigned i = 0; i < outer; i++) {
    unsigned inner = IN(t * 7 + i) % 7;
#pragma unroll 1
    for (unsigned j = 0; j < inner; j++) {
      v += IN(v + j);
      OUT(i * 7 + j) = v;
    }
    OUT(42 + i) = v;
  }
  OUT(50) = v;
}

KERNEL(loop_in_branch) {
  unsigned v = IN(t), rounds = v % 11;
  if (t % 3) {
    APART("the loop's side");
#pragma unroll 1
    for (unsigned i = 0; i < rounds; i++) {
      v += IN(v);
      OUT(i) = v;
    }
    APART("the loop's side ends");
  } else {
    APART("the other side");
    OUT(20) = IN(v + 9) ^ 5;
    APART("the other side ends");
  }
  OUT(21) = v;
  OUT(22) = IN(v);
}

KERNEL(fall_through) {
  unsigned v = IN(t);
#pragma unroll 1
  for (unsigned i = 0; i < 6; i++) {
    switch (v % 8) {
    case 0:
      APART("0");
      OUT(i * 9) = v;
      APART("0 ends");
      break;
    case 1:
      APART("1");
      OUT(i * 9 + 1) = v;
      v += IN(v); // falls through
    case 2:
      APART("2");
      OUT(i * 9 + 2) = v ^ 1; // falls through
    case 5:
      APART("5");
      v += IN(v * 3);
      APART("5 ends");
      break;
    case 3:
      APART("3");
      OUT(i * 9 + 3) = v / 3;
      v ^= IN(v + 5);
      APART("3 ends");
      break;
    default:
      APART("default");
      OUT(i * 9 + 8) = v + 8;
      APART("default ends");
    }
    OUT(i * 9 + 7) = v;
    v = v * 5 + IN(v + i);
    v ^= v >> 9;
  }
}

KERNEL(do_while) {
  unsigned v = IN(t), i = 0;
#pragma unroll 1
  do {
    v = v / 2 + IN(v);
    OUT(i) = v;
    i++;
  } while (v % 6 && i < 30);
  OUT(31) = v;
  OUT(32) = IN(v + i);
}

KERNEL(goto_out) {
  unsigned v = IN(t);
#pragma unroll 1
  for (unsigned i = 0; i < 12; i++) {
#pragma unroll 1
    for (unsigned j = 0; j < 12; j++) {
      v += IN(v + i * j);
      if (v % 64 == 9)
        goto out;
      if (v % 8 == 1)
        goto next;
    }
    OUT(i) = v;
  next:
    OUT(16 + i) = v + 1;
  }
out:
  OUT(30) = v;
  OUT(31) = IN(v);
}

KERNEL(short_circuit) {
  unsigned v = IN(t);
#pragma unroll 1
  for (unsigned i = 0; i < 8; i++) {
    if ((v & 1 && IN(v) % 3 == 1) || (v & 2 && IN(v + 7) % 5 > 2)) {
      OUT(i) = v;
      v += IN(v + 1);
    }
    OUT(8 + i) = v;
    v = v * 7 + IN(v + i);
    v ^= v >> 9;
  }
}

// All lanes of a warp take the same branch, so they must not diverge.
KERNEL(uniform_branch) {
  unsigned v = IN(t), warp = t % BLOCK / 32;
  if (warp == 1) {
    APART("the second warp");
#pragma unroll 1
    for (unsigned i = 0; i < 9; i++) {
      v += IN(v);
      OUT(i) = v;
    }
    APART("the second warp ends");
  } else {
    APART("the others");
    OUT(10) = IN(v + 1);
    OUT(11) = v + warp;
    APART("the others end");
  }
  OUT(12) = v;
}

// The branches are so short that an assembler replaces them by predicated instructions.
KERNEL(tiny_ifs) {
  unsigned v = IN(t);
#pragma unroll 1
  for (unsigned i = 0; i < 8; i++) {
    if (v & 1)
      v += 3;
    if (v & 2)
      OUT(i) = v;
    if (v & 4)
      v ^= IN(v);
    OUT(8 + i) = v;
    v = v * 5 + IN(v + i);
    v ^= v >> 9;
  }
}

KERNEL(four_ways) {
  unsigned v = IN(t);
#pragma unroll 1
  for (unsigned i = 0; i < 6; i++) {
    if (v & 1) {
      OUT(i * 8) = v;
      if (v & 2) {
        APART("odd, 2");
        v += IN(v);
        OUT(i * 8 + 1) = v;
        APART("odd, 2 ends");
      } else {
        APART("odd");
        OUT(i * 8 + 2) = v ^ 3;
        v = v / 5 + IN(v * 7);
        APART("odd, not 2 ends");
      }
      OUT(i * 8 + 3) = v;
      APART("odd ends");
    } else {
      APART("even");
      v += IN(v * 3);
      if (v & 4) {
        APART("even, 4");
        OUT(i * 8 + 4) = v;
        v ^= IN(v + 2);
        OUT(i * 8 + 5) = v + 1;
      }
      OUT(i * 8 + 6) = v - 1;
      APART("even ends");
    }
    OUT(i * 8 + 7) = v;
    v = v * 5 + IN(v + i);
    v ^= v >> 9;
  }
}

// A loop with two exits, which lead to different code.
KERNEL(two_exits) {
  unsigned v = IN(t), i = 0;
#pragma unroll 1
  for (;;) {
    v += IN(v + i);
    if (v % 16 == 2) {
      APART("by what was found");
      OUT(0) = v;
      APART("what was found ends");
      break;
    }
    i++;
    if (i == 20) {
      APART("by the number of rounds");
      v += IN(v * 3);
      OUT(1) = v ^ 1;
      APART("the number of rounds ends");
      break;
    }
    OUT(2 + i) = v;
  }
  OUT(40) = v;
}

KERNEL(collatz) {
  unsigned v = IN(t), n = v % 60 + 1, i = 0;
#pragma unroll 1
  while (n != 1 && i < 50) {
    if (n & 1) {
      APART("odd");
      OUT(i) = n;
      n = 3 * n + 1;
      APART("odd ends");
    } else {
      APART("even");
      v += IN(n + v);
      n /= 2;
      APART("even ends");
    }
    i++;
  }
  OUT(50) = v;
  OUT(51) = n + IN(v);
}

// Some lanes leave the inner loop early. Tests whether they wait for the others before the store.
KERNEL(triangle) {
  unsigned v = IN(t);
#pragma unroll 1
  for (unsigned i = 0; i < 12; i++) {
#pragma unroll 1
    for (unsigned j = 0; j <= i; j++) {
      v += IN(v + j);
      if (v % 8 == t % 8)
        break;
    }
    OUT(i) = v;
  }
  OUT(12) = IN(v);
}

KERNEL(return_in_switch) {
  unsigned v = IN(t);
#pragma unroll 1
  for (unsigned i = 0; i < 20; i++) {
    switch (v % 16) {
    case 0:
      APART("0");
      OUT(i) = v;
      APART("0 ends");
      return;
    case 1:
    case 2:
    case 3:
      APART("1");
      v += IN(v * 3);
      APART("1 ends");
      break;
    case 4:
    case 5:
      APART("4");
      OUT(i) = v / 3;
      APART("4 ends");
      continue;
    default:
      APART("default");
      OUT(20 + i) = v ^ 3;
      APART("default ends");
    }
    v = v * 5 + IN(v + i);
    v ^= v >> 9;
    OUT(40 + i) = v;
  }
  OUT(60) = v;
}

// Branches that are not nested: two of them end in the same code.
KERNEL(crossing) {
  unsigned v = IN(t);
#pragma unroll 1
  for (unsigned i = 0; i < 6; i++) {
    if (v & 1) {
      OUT(i * 8) = v;
      APART("odd, 2");
      if (v & 2)
        goto second;
      APART("odd");
      v += IN(v);
      APART("odd ends");
    } else {
      APART("even");
      v ^= IN(v * 3);
      OUT(i * 8 + 1) = v;
      APART("even, 4");
      if (v & 4)
        goto second;
      APART("even, no 4");
      OUT(i * 8 + 2) = v + 2;
      APART("even, no 4 ends");
    }
    APART("first");
    OUT(i * 8 + 3) = v;
    v = v * 3 + IN(v + 1);
    OUT(i * 8 + 4) = v;
  second:
    APART("second");
    OUT(i * 8 + 5) = v;
    v = v * 5 + IN(v + i);
    v ^= v >> 9;
  }
}

KERNEL(skip_and_return) {
  unsigned v = IN(t);
#pragma unroll 1
  for (unsigned i = 0; i < 30; i++) {
    v = v * 5 + IN(v + i);
    v ^= v >> 9;
    if (v % 4 == 1)
      continue;
    OUT(i) = v;
    if (v % 32 == 2) {
      APART("leaves");
      OUT(31) = v + i;
      APART("leaves here");
      return;
    }
    v += IN(v);
    OUT(32) = v;
  }
  OUT(33) = v;
}

// Tests whether all lanes reconverge between the loops.
KERNEL(two_loops) {
  unsigned v = IN(t), first = v % 9, second = (v >> 6) % 9;
#pragma unroll 1
  for (unsigned i = 0; i < first; i++) {
    v += IN(v);
    OUT(i) = v;
  }
  OUT(10) = v;
#pragma unroll 1
  for (unsigned i = 0; i < second; i++) {
    v ^= IN(v + i);
    OUT(20 + i) = v;
  }
  OUT(30) = v;
}

// The loop ends only by return, so there is no code after the loop at which lanes could reconverge.
KERNEL(for_ever) {
  unsigned v = IN(t), i = 0;
#pragma unroll 1
  for (;;) {
    v = v * 5 + IN(v + i);
    v ^= v >> 9;
    OUT(i) = v;
    if (v % 8 == 3)
      return;
    if (++i == 24) {
      APART("the last round");
      OUT(i) = v + 1;
      APART("the last round ends");
      return;
    }
  }
}

// Each lane follows its own linked list.
KERNEL(lists) {
  unsigned v = IN(t), length = 0;
#pragma unroll 1
  while (v % 32 && length < 60) {
    v = IN(v);
    length++;
  }
  OUT(0) = length;
  OUT(1) = v;
  if (length > 20) {
    OUT(2) = IN(v + length);
    if (v % 32)
      OUT(3) = v;
  }
}

#define TEST(k) (IN(v * k + k) % 3 == 1)

// Lanes could reconverge after all tests, or already at the third and fifth test.
KERNEL(three_pairs) {
  unsigned v = IN(t);
#pragma unroll 1
  for (unsigned i = 0; i < 6; i++) {
    if ((TEST(1) && TEST(2)) || (TEST(3) && TEST(4)) || (TEST(5) && TEST(6))) {
      OUT(i) = v;
      v += IN(v);
      APART("a pair ends");
    }
    OUT(8 + i) = v;
    v = v * 7 + IN(v + i);
    v ^= v >> 9;
  }
}

// The steps of a function can fail. Its cleanup labels are at the end; each falls through to the
// next.
KERNEL(labels_in_line) {
  unsigned v = IN(t);
  if (TEST(1))
    goto first;
  OUT(0) = v;
  APART("step 1");
  if (TEST(2))
    goto second;
  OUT(1) = v + 1;
  APART("step 2");
  if (TEST(3))
    goto first;
  OUT(2) = v + 2;
  APART("step 3");
  if (TEST(4))
    goto second;
  OUT(3) = v + 3;
  APART("step 4");
  goto end;
first:
  APART("first");
  OUT(4) = v + 4;
  APART("first ends");
second:
  APART("second");
  OUT(5) = v + 5;
  APART("second ends");
end:
  OUT(6) = IN(v + 6);
}

// Like labels_in_line, but the code after one label does not fall through to the next label.
KERNEL(two_labels) {
  unsigned v = IN(t);
  if (TEST(1))
    goto first;
  OUT(0) = v;
  APART("step 1");
  if (TEST(2))
    goto second;
  OUT(1) = v + 1;
  APART("step 2");
  if (TEST(3))
    goto first;
  OUT(2) = v + 2;
  APART("step 3");
  if (TEST(4))
    goto second;
  OUT(3) = v + 3;
  APART("step 4");
  goto end;
first:
  APART("first");
  OUT(4) = v + 4;
  APART("first ends");
  goto end;
second:
  APART("second");
  OUT(5) = v + 5;
  APART("second ends");
end:
  OUT(6) = IN(v + 6);
}

// Like labels_in_line, but all steps jump to one label.
KERNEL(one_label) {
  unsigned v = IN(t);
  if (TEST(1))
    goto failed;
  OUT(0) = v;
  APART("step 1");
  if (TEST(2))
    goto failed;
  OUT(1) = v + 1;
  APART("step 2");
  if (TEST(3))
    goto failed;
  OUT(2) = v + 2;
  APART("step 3");
  return;
failed:
  APART("failed");
  OUT(4) = IN(v + 4);
  APART("failed ends");
}

KERNEL(nested_returns) {
  unsigned v = IN(t);
  if (v & 1) {
    if (TEST(2)) {
      OUT(0) = v;
      APART("odd, 2");
      if (TEST(3))
        return;
      OUT(1) = v + 1;
      APART("odd, 2 ends");
    } else {
      OUT(2) = v + 2;
      APART("odd, not 2 ends");
    }
    OUT(3) = v + 3;
    APART("odd ends");
  } else {
    OUT(4) = v + 4;
    APART("even");
    if (TEST(4))
      return;
    OUT(5) = v + 5;
    APART("even ends");
  }
  OUT(6) = IN(v);
}

int main() {
  static const Kernel kernels[] = {
      ROW(early_return),   ROW(leave_loop),      ROW(skip_rounds),    ROW(nested_trips),
      ROW(loop_in_branch), ROW(fall_through),    ROW(do_while),       ROW(goto_out),
      ROW(short_circuit),  ROW(uniform_branch),  ROW(tiny_ifs),       ROW(four_ways),
      ROW(two_exits),      ROW(collatz),         ROW(triangle),       ROW(return_in_switch),
      ROW(crossing),       ROW(skip_and_return), ROW(two_loops),      ROW(for_ever),
      ROW(lists),          ROW(three_pairs),     ROW(labels_in_line), ROW(two_labels),
      ROW(one_label),      ROW(nested_returns),
  };
  run_all(kernels);
  return done();
}
