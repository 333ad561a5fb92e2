/* What is received is what is sent through the channel: two graphs of one or two sends are proved
 * the same if they send the same values in the same order, and in no other case. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "smt/values/test/values_status.h"

/* What a send sends, as an operation, and its value. */
static const struct {
  const char *operation;
  char value;
} sent_values[] = {{"copy(p)", 'p'}, {"copy(q)", 'q'}, {"negate(p)", '-'}, {"reverse(b)", 'p'}};
static constexpr uint32_t sent_count = sizeof sent_values / sizeof *sent_values, most_sends = 2;

/* Up to two sends through channel 1, and one through channel 2. */
typedef struct Transfers {
  uint32_t count, sent[most_sends], beside;
} Transfers;

static Transfers transfers_of(uint32_t code) {
  Transfers transfers = {.count = 1 + code % 2, .beside = code / 2 % 2};
  transfers.sent[0] = code / 4 % sent_count;
  transfers.sent[1] = code / 4 / sent_count % sent_count;
  return transfers;
}

static void print_send(Text *text, uint32_t number, uint32_t sent, uint32_t channel) {
  const char *operation = sent_values[sent].operation;
  bool is_reversed = strcmp(operation, "reverse(b)") == 0;
  text_printf(
      text, "v%u = f32[4] %s%s\n", number, operation, is_reversed ? ", dimensions={0}" : "");
  text_printf(text,
      "s%u = (f32[4], u32[], token[]) send(v%u, t), channel_id=%u\n"
      "e%u = token[] send-done(s%u), channel_id=%u\n",
      number, number, channel, number, number, channel);
}

static const Computation *transfers_graph(const Transfers *transfers) {
  Text text = text_create(arena);
  text_string(&text, "HloModule m\nENTRY e {\np = f32[4] parameter(0)\nq = f32[4] parameter(1)\n"
                     "b = f32[4] reverse(p), dimensions={0}\nt = token[] after-all()\n");
  for (uint32_t i = 0; i < transfers->count; i++) print_send(&text, i, transfers->sent[i], 1);
  print_send(&text, most_sends, transfers->beside, 2);
  text_string(&text, "r = (f32[4], u32[], token[]) recv(t), channel_id=1\n"
                     "d = (f32[4], token[]) recv-done(r), channel_id=1\n"
                     "ROOT x = f32[4] get-tuple-element(d), index=0\n}\n");
  return values_entry(text.bytes);
}

static bool have_equal_sends(const Transfers *a, const Transfers *b) {
  bool is_same = a->count == b->count;
  for (uint32_t i = 0; is_same && i < a->count; i++)
    is_same = sent_values[a->sent[i]].value == sent_values[b->sent[i]].value;
  return is_same;
}

static void what_is_received_is_what_is_sent(void **) {
  static constexpr uint32_t codes = 4 * sent_count * sent_count;
  uint32_t same = 0;
  for (uint32_t at = 0; at < codes * codes; at += 7) {
    Transfers one = transfers_of(at % codes), other = transfers_of(at / codes);
    VerdictStatus status = values_status(transfers_graph(&one), transfers_graph(&other), LAW_EXACT);
    if ((status == VERDICT_PROVED) != have_equal_sends(&one, &other))
      fail_msg("%u and %u: status %u", at % codes, at / codes, status);
    same += status == VERDICT_PROVED;
  }
  assert_true(same > 50);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(what_is_received_is_what_is_sent, arena_begin, arena_end),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
