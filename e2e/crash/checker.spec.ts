import { expect, test } from "playwright/test";
import { check } from "./checker";
import { type Final, type RedeemAttempt, readRedeemAnswer } from "./history";

const SHARES = 10;
let clock = 0;

function attempt(referee: string, given: Partial<RedeemAttempt> = {}): RedeemAttempt {
  clock += 10;
  const base = { referee, platform: "ios", keyed: false, invoked: clock - 5, returned: clock } as const;
  return { ...base, status: 200, outcome: "code", ...given };
}

const lostResponse = (referee: string) => attempt(referee, { status: 0, outcome: "unknown" });
const empty = (referee: string) => attempt(referee, { status: 503, outcome: "empty" });

/** A database that agrees with `holders`. */
function final(holders: [referee: string, code: string][], given: Partial<Final> = {}): Final {
  return {
    codes: holders.map(([referee, code]) => ({ code, referee, platform: "ios" })),
    referrals: holders.map(([referee, code]) => ({ referee, code })),
    poolSize: { ios: 2, android: 2 },
    quotaUsed: holders.length,
    ...given,
  };
}

const kinds = (attempts: RedeemAttempt[], end: Final) => [
  ...new Set(check(attempts, end, SHARES).map(({ kind }) => kind)),
];

test("a history with lost responses, retries and an empty pool passes", () => {
  const attempts = [
    lostResponse("a"),
    attempt("a", { code: "A", status: 409, again: true }),
    attempt("b", { code: "B" }),
    attempt("b", { code: "B", again: true }),
    empty("c"),
  ];
  expect(
    check(
      attempts,
      final(
        [
          ["a", "A"],
          ["b", "B"],
        ],
        { quotaUsed: 3 },
      ),
      SHARES,
    ),
  ).toEqual([]);
});

const A = () => attempt("a", { code: "A" });
const onlyA = (): [string, string][] => [["a", "A"]];

const planted: [name: string, kind: string, attempts: () => RedeemAttempt[], end: () => Final][] = [
  [
    "a code in the responses to two referees",
    "double",
    () => [A(), attempt("b", { code: "A" })],
    () => final(onlyA()),
  ],
  [
    "two codes in the responses to one referee",
    "double",
    () => [A(), attempt("a", { code: "B" })],
    () => final(onlyA()),
  ],
  ["a code that the database assigned to another referee", "double", () => [A()], () => final([["b", "A"]])],
  ["a code that the database lost", "lost", () => [A()], () => final([])],
  ["a code that belongs to another referee", "lost", () => [A()], () => final([["b", "A"]])],
  [
    "a referee with a code that was never shown",
    "stranded",
    () => [lostResponse("a"), attempt("a", { status: 409, outcome: "taken" })],
    () => final(onlyA()),
  ],
  ["a referee without a response", "stranded", () => [lostResponse("a")], () => final([])],
  ["an assigned code in no response", "rows", () => [A()], () => final([...onlyA(), ["b", "B"]])],
  [
    "a referral without a code",
    "rows",
    () => [A()],
    () => final(onlyA(), { referrals: [{ referee: "a", code: null }] }),
  ],
  ["a code without a referral", "rows", () => [A()], () => final(onlyA(), { referrals: [] })],
  ["none left while a code is free", "false_empty", () => [A(), empty("b")], () => final(onlyA())],
  [
    "none left before the last code was assigned",
    "false_empty",
    () => [A(), empty("c"), attempt("b", { code: "B" })],
    () => final([...onlyA(), ["b", "B"]]),
  ],
  [
    "a response 500",
    "answer",
    () => [attempt("a", { status: 500, outcome: "fault" }), A()],
    () => final(onlyA()),
  ],
  [
    "a repeated code on the first request",
    "answer",
    () => [attempt("a", { code: "A", again: true })],
    () => final(onlyA()),
  ],
  ["a request that was not counted", "quota", () => [A()], () => final(onlyA(), { quotaUsed: 0 })],
  ["more counted than shares explain", "quota", () => [A()], () => final(onlyA(), { quotaUsed: 12 })],
];

for (const [name, kind, attempts, end] of planted) {
  test(`finds ${name}`, () => {
    expect(kinds(attempts(), end())).toContain(kind);
  });
}

test("“none left” is correct while the last code is being assigned", () => {
  const last = attempt("b", { code: "B" });
  const refused = { ...empty("c"), invoked: last.invoked, returned: last.returned };
  const end = final([
    ["a", "A"],
    ["b", "B"],
  ]);
  expect(kinds([A(), refused, last], end)).toEqual(["false_empty"]);
  expect(kinds([{ ...A(), invoked: 0 }, refused, last], end)).toEqual([]);
});

const envelope = (code: string, extra = {}) => JSON.stringify({ error: { code }, ...extra });
const readings: [name: string, outcome: string, status: number, headers: object, text: string][] = [
  ["a code", "code", 200, {}, JSON.stringify({ code: "A" })],
  ["the first response again", "code", 409, {}, envelope("ALREADY_REDEEMED", { redemption: { code: "A" } })],
  ["a strict refusal", "taken", 409, {}, envelope("ALREADY_REDEEMED")],
  ["an outage", "unknown", 503, { "retry-after": "2" }, envelope("SERVICE_UNAVAILABLE")],
  ["an outage without Retry-After", "fault", 503, {}, envelope("SERVICE_UNAVAILABLE")],
  ["an empty pool", "empty", 503, {}, envelope("NO_CODES_AVAILABLE")],
  ["a parallel duplicate", "busy", 409, {}, envelope("CONFLICT")],
  ["no response", "unknown", 0, {}, ""],
  ["a bug", "fault", 500, {}, envelope("INTERNAL_ERROR")],
  ["a page instead of the envelope", "fault", 502, {}, "<html>"],
];

for (const [name, outcome, status, headers, text] of readings) {
  test(`reads ${name} as ${outcome}`, () => {
    expect(readRedeemAnswer(status, { ...headers }, text).outcome).toBe(outcome);
  });
}
