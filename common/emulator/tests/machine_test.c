/* Tests pure functions of the machine: arithmetic of one lane, and the counting of sectors and
 * wavefronts. */
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../machine/arith.h"
#include "../observe/banks.h"

/* ---- arithmetic ------------------------------------------------------------------------------ */
static void division_never_traps(void **state) {
  (void)state;
  assert_true(div_s32(7, 0) == -1 && rem_s32(7, 0) == -1);
  assert_true(div_s32(INT32_MIN, -1) == INT32_MIN && rem_s32(INT32_MIN, -1) == 0);
  assert_true(div_s64(INT64_MIN, -1) == INT64_MIN && rem_s64(INT64_MIN, -1) == 0);
  assert_true(div_u32(7, 0) == UINT32_MAX && rem_u64(7, 0) == UINT64_MAX);
  assert_true(div_s32(-7, 2) == -3 && rem_s32(-7, 2) == -1);
}

static void high_halves(void **state) {
  (void)state;
  assert_true(mul_hi_u32(UINT32_MAX, UINT32_MAX) == UINT32_MAX - 1);
  assert_true(mul_hi_s32(INT32_MIN, INT32_MIN) == 1 << 30);
  assert_true(mul_hi_s32(-1, 1) == -1);
  assert_true(mul_hi_u64(UINT64_MAX, UINT64_MAX) == UINT64_MAX - 1);
  assert_true(mul_hi_s64(INT64_MIN, 2) == -1);
}

static void conversions_clamp(void **state) {
  (void)state;
  assert_true(s32_from_f32(1e20) == INT32_MAX && s32_from_f64(-1e20) == INT32_MIN);
  assert_true(u32_from_f32(-1) == 0 && u32_from_f32((double)NAN) == 0);
  assert_true(u32_from_f64((double)NAN) == 0x80000000u && s64_from_f32((double)NAN) == INT64_MIN);
  assert_true(u64_from_f32(0x1p64) == UINT64_MAX && s64_from_f64(-0x1p63) == INT64_MIN);
  assert_true(clamp_s8_s32(200) == 127 && clamp_u8_s32(-3) == 0 && clamp_u32_s64(-1) == 0);
  assert_true(clamp_s64_u64(UINT64_MAX) == INT64_MAX);
}

static void bit_fields(void **state) {
  (void)state;
  assert_true(field_u32(0xabcd1234, 8, 8) == 0x12);
  assert_true(field_s32(0x0000f000, 12, 4) == -1);
  assert_true(field_s32(INT32_MIN, 28, 8) == -8); /* bits above bit 31 repeat the sign */
  assert_true(field_u32(0x80000000, 28, 8) == 8);
  assert_true(field_u64(~UINT64_C(0), 0, 64) == ~UINT64_C(0));
  assert_true(field_s32(123, 3, 0) == 0);
  assert_true(insert_u32(0xf, 0, 4 | 4 << 8) == 0xf0);
  assert_true(insert_u32(0xff, 0xffff, 40 | 4 << 8) == 0xffff);
  assert_true(reverse_bits(1) == 0x80000000 && reverse_bits(0x0000000f) == 0xf0000000);
  assert_true(highest_bit(0) == UINT32_MAX && highest_bit(0x10) == 4);
  assert_true(permute_bytes(0x03020100, 0x07060504, 0x7531) == 0x07050301);
  assert_true(permute_bytes(0x80, 0, 0x1118) == 0x000000ff);
  assert_true(lop3(0xf0f0f0f0, 0xcccccccc, 0xaaaaaaaa, 0x96) ==
              (0xf0f0f0f0 ^ 0xcccccccc ^ 0xaaaaaaaa));
  assert_true(funnel_left(0x80000000, 1, 1) == 3 && funnel_right(2, 1, 1) == 0x80000001);
  assert_true(funnel_left(5, 6, 32) == 5 && funnel_right(5, 6, 32) == 6);
  assert_true(dp4a_uu(0x01020304, 0x01010101, 5) == 15 && dp4a_ss(0xff, 2, 0) == -2);
}

static void minimum_prefers_numbers(void **state) {
  (void)state;
  assert_true(min_f32(NAN, 2) == 2 && max_f64(3, (double)NAN) == 3);
  assert_true(isnan(min_f32(NAN, NAN)));
  assert_true(signbit(min_f32(0.0f, -0.0f)) && !signbit(max_f32(-0.0f, 0.0f)));
}

static void halves_round_trip(void **state) {
  (void)state;
  for (uint32_t bits = 0; bits < 0x10000; bits++) {
    float value = half_to_float((uint16_t)bits);
    if (!isnan(value))
      assert_int_equal(half_from_double(value), bits);
  }
  assert_int_equal(half_from_double(65519.9), 0x7bff);
  assert_int_equal(half_from_double(65520.0), 0x7c00);
  /* A tie is rounded to the even value. */
  assert_int_equal(half_from_double(1.0 + 0x1p-11), 0x3c00);
  assert_int_equal(half_from_double(1.0 + 3 * 0x1p-11), 0x3c02);
  assert_int_equal(half_from_double(0x1p-25), 0);
  assert_true(isnan(half_to_float(half_from_double((double)NAN))));
}

/* For cvt.rz, .rm and .rp the emulated device sets the host's rounding mode, so the conversion must
 * use this mode. */
static void halves_round_as_told(void **state) {
  static const struct {
    double value;
    uint16_t zero, down, up;
  } cases[] = {{1 + 0x1p-11, 0x3c00, 0x3c00, 0x3c01},
               {-1 - 0x1p-11, 0xbc00, 0xbc01, 0xbc00},
               {0x1.8p-25, 0, 0, 1},
               {-0x1.8p-25, 0x8000, 0x8001, 0x8000},
               {65519, 0x7bff, 0x7bff, 0x7c00},
               {1e6, 0x7bff, 0x7bff, 0x7c00},
               {-1e6, 0xfbff, 0xfc00, 0xfbff},
               {HUGE_VAL, 0x7c00, 0x7c00, 0x7c00},
               {0x1p-14 - 0x1p-30, 0x03ff, 0x03ff, 0x0400}};
  static const int modes[] = {FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  /* The pointer is volatile, because compilers assume the default rounding mode. */
  uint16_t (*volatile convert)(double) = half_from_double;
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int m = 0; m < 3; m++) {
      fesetround(modes[m]);
      uint16_t bits = convert(cases[i].value);
      fesetround(FE_TONEAREST);
      assert_int_equal(bits, m == 0 ? cases[i].zero : m == 1 ? cases[i].down : cases[i].up);
    }
}

/* ---- wavefronts and sectors ------------------------------------------------------------------ */
static void fill(uint32_t *address, uint32_t stride) {
  for (unsigned lane = 0; lane < 32; lane++)
    address[lane] = lane * stride;
}

static void wavefronts_of_strides(void **state) {
  (void)state;
  uint32_t a[32];
  /* With a stride of s words, gcd(s, 32) lanes access each bank that is used. */
  const unsigned expected[] = {1, 1, 2, 1, 4, 1, 2, 1, 8};
  for (unsigned stride = 0; stride <= 8; stride++) {
    fill(a, stride * 4);
    assert_int_equal(banks_use(a, UINT32_MAX, 4, 4, true).wavefronts, expected[stride]);
  }
  fill(a, 32 * 4);
  assert_int_equal(banks_use(a, UINT32_MAX, 4, 4, true).wavefronts, 32);
  assert_int_equal(banks_use(a, 0xffff, 4, 4, true).wavefronts, 16);
  fill(a, 33 * 4);
  assert_int_equal(banks_use(a, UINT32_MAX, 4, 4, true).wavefronts, 1);
}

static void wide_accesses_go_in_phases(void **state) {
  (void)state;
  uint32_t a[32];
  fill(a, 8);
  assert_int_equal(banks_use(a, UINT32_MAX, 8, 4, true).wavefronts, 2);
  assert_int_equal(banks_use(a, UINT32_MAX, 8, 4, true).ideal, 2);
  assert_int_equal(banks_use(a, 0xffff, 8, 4, true).ideal, 1);
  fill(a, 16);
  assert_int_equal(banks_use(a, UINT32_MAX, 16, 4, true).wavefronts, 4);
  fill(a, 33 * 8); /* a padded column of doubles */
  assert_int_equal(banks_use(a, UINT32_MAX, 8, 4, true).wavefronts, 2);
  fill(a, 32 * 8);
  assert_int_equal(banks_use(a, UINT32_MAX, 8, 4, true).wavefronts, 32);
}

static void banks_of_eight_bytes(void **state) {
  (void)state;
  uint32_t a[32];
  fill(a, 8);
  assert_int_equal(banks_use(a, UINT32_MAX, 8, 8, true).wavefronts, 1);
  assert_int_equal(banks_use(a, UINT32_MAX, 8, 8, true).ideal, 1);
  /* A column of a 32×32 float array: rows are 16 words of 8 bytes apart, so it uses two banks. */
  fill(a, 32 * 4);
  assert_int_equal(banks_use(a, UINT32_MAX, 4, 8, true).wavefronts, 16);
  fill(a, 4); /* two lanes share a word */
  assert_int_equal(banks_use(a, UINT32_MAX, 4, 8, true).wavefronts, 1);
}

/* The table below lists the wavefronts of one warp whose lane i accesses element index(i), for
 * elements of 4, 8 and 16 bytes. They were measured with Nsight Compute on an H200
 * (l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld/st). */
static unsigned same(unsigned i) { return 5 + 0 * i; }
static unsigned consecutive(unsigned i) { return i; }
static unsigned in_pairs(unsigned i) { return i / 2; }
static unsigned in_fours(unsigned i) { return i / 4; }
static unsigned in_halves(unsigned i) { return i / 16; }
static unsigned every_second(unsigned i) { return i * 2; }
static unsigned halves_swapped(unsigned i) { return i ^ 16; }
static unsigned odd_apart(unsigned i) { return i % 2 ? 16 + i / 2 : i / 2; }
static unsigned eights_spread(unsigned i) { return i / 8 * 8; }
static unsigned modulo_16(unsigned i) { return i % 16; }
static unsigned modulo_8(unsigned i) { return i % 8; }
static unsigned two_far(unsigned i) { return i % 2 * 40; }
static unsigned by_33(unsigned i) { return i * 33; }

static const struct {
  unsigned (*index)(unsigned);
  /* A value of 0 was not measured. */
  unsigned load[3], store[3];
} measured[] = {
    {same, {1, 1, 2}, {1, 2, 4}},           {consecutive, {1, 2, 4}, {1, 2, 4}},
    {in_pairs, {1, 1, 2}, {1, 2, 4}},       {in_fours, {1, 1, 2}, {1, 2, 4}},
    {in_halves, {1, 1, 2}, {1, 2, 4}},      {every_second, {2, 4, 8}, {2, 4, 8}},
    {halves_swapped, {1, 2, 4}, {1, 2, 4}}, {odd_apart, {1, 4, 8}, {1, 4, 8}},
    {eights_spread, {1, 2, 4}, {1, 2, 4}},  {modulo_16, {1, 2, 4}, {1, 2, 4}},
    {modulo_8, {1, 2, 4}, {1, 2, 4}},       {two_far, {1, 1, 4}, {1, 2, 8}},
    {by_33, {1, 2, 0}, {1, 2, 0}},
};

static void wavefronts_as_measured(void **state) {
  (void)state;
  for (size_t row = 0; row < sizeof measured / sizeof *measured; row++)
    for (unsigned width = 0; width < 3; width++) {
      unsigned bytes = 4u << width;
      uint32_t a[32];
      for (unsigned lane = 0; lane < 32; lane++)
        a[lane] = (uint64_t)bytes * measured[row].index(lane);
      if (!measured[row].load[width])
        continue;
      assert_int_equal(banks_use(a, UINT32_MAX, bytes, 4, true).wavefronts,
                       measured[row].load[width]);
      assert_int_equal(banks_use(a, UINT32_MAX, bytes, 4, false).wavefronts,
                       measured[row].store[width]);
    }
}

static void short_cuts_agree(void **state) {
  (void)state;
  uint32_t a[32];
  for (unsigned bytes = 4; bytes <= 16; bytes *= 2)
    for (unsigned banks = 4; banks <= 8; banks += 4) {
      fill(a, bytes);
      assert_int_equal(banks_consecutive(bytes, banks),
                       banks_use(a, UINT32_MAX, bytes, banks, true).wavefronts);
      fill(a, 0);
      assert_int_equal(banks_same(bytes, banks),
                       banks_use(a, UINT32_MAX, bytes, banks, true).wavefronts);
    }
}

/* The number of sectors must equal that of a simple algorithm. The addresses are close together or
 * far apart, and some lanes may be inactive. */
static void sectors_of_anything(void **state) {
  (void)state;
  uint32_t random = 1, a[32];
  for (unsigned round = 0; round < 4000; round++) {
    uint32_t lanes = round % 3 ? UINT32_MAX : random, expected = 0;
    for (unsigned lane = 0; lane < 32; lane++) {
      random = random * 1664525 + 1013904223;
      a[lane] = (random >> 8 & 0x3ff) << round % 22;
    }
    for (unsigned lane = 0; lane < 32; lane++) {
      bool seen = !(lanes >> lane & 1);
      for (unsigned earlier = 0; earlier < lane; earlier++)
        seen |= (lanes >> earlier & 1) && a[earlier] / 32 == a[lane] / 32;
      expected += !seen;
    }
    assert_int_equal(sectors_touched(a, lanes), expected);
  }
}

static void sectors_count_once(void **state) {
  (void)state;
  uint32_t a[32];
  fill(a, 4);
  assert_int_equal(sectors_touched(a, UINT32_MAX), 4);
  fill(a, 0);
  assert_int_equal(sectors_touched(a, UINT32_MAX), 1);
  fill(a, 4096);
  assert_int_equal(sectors_touched(a, UINT32_MAX), 32);
  assert_int_equal(sectors_touched(a, 0x7), 3);
  for (unsigned lane = 0; lane < 32; lane++)
    a[lane] = (lane % 2) * 4096 + lane / 2 * 4;
  assert_int_equal(sectors_touched(a, UINT32_MAX), 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(division_never_traps),       cmocka_unit_test(high_halves),
      cmocka_unit_test(conversions_clamp),          cmocka_unit_test(bit_fields),
      cmocka_unit_test(minimum_prefers_numbers),    cmocka_unit_test(halves_round_trip),
      cmocka_unit_test(halves_round_as_told),       cmocka_unit_test(wavefronts_of_strides),
      cmocka_unit_test(wide_accesses_go_in_phases), cmocka_unit_test(banks_of_eight_bytes),
      cmocka_unit_test(sectors_count_once),         cmocka_unit_test(wavefronts_as_measured),
      cmocka_unit_test(short_cuts_agree),           cmocka_unit_test(sectors_of_anything),
  };
  return cmocka_run_group_tests_name("machine", tests, NULL, NULL);
}
