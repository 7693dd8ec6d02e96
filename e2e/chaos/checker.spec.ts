import { expect, test } from "playwright/test";
import { check } from "./checker";
import { type Attempt, type Final, readAnswer } from "./history";

const SHARES = 10;
let clock = 0;

function attempt(referee: string, given: Partial<Attempt> = {}): Attempt {
  clock += 10;
  const base = { referee, platform: "ios", keyed: false, invoked: clock - 5, returned: clock } as const;
  return { ...base, status: 200, verdict: "code", ...given };
}

const lostAnswer = (referee: string) => attempt(referee, { status: 0, verdict: "unknown" });
const empty = (referee: string) => attempt(referee, { status: 503, verdict: "empty" });

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

const kinds = (attempts: Attempt[], end: Final) => [
  ...new Set(check(attempts, end, SHARES).map(({ kind }) => kind)),
];

test("a history with lost answers, retries and an empty pool passes", () => {
  const attempts = [
    lostAnswer("a"),
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
const one = (): [string, string][] => [["a", "A"]];

const planted: [name: string, kind: string, attempts: () => Attempt[], end: () => Final][] = [
  ["one code told to two", "double", () => [A(), attempt("b", { code: "A" })], () => final(one())],
  ["two codes told to one", "double", () => [A(), attempt("a", { code: "B" })], () => final(one())],
  ["a told code that the database gave to another", "double", () => [A()], () => final([["b", "A"]])],
  ["a told code that the database lost", "lost", () => [A()], () => final([])],
  ["a told code that belongs to another", "lost", () => [A()], () => final([["b", "A"]])],
  [
    "a referee told of a code without seeing it",
    "stranded",
    () => [lostAnswer("a"), attempt("a", { status: 409, verdict: "taken" })],
    () => final(one()),
  ],
  ["a referee that was never answered", "stranded", () => [lostAnswer("a")], () => final([])],
  ["a code out that nobody was told", "rows", () => [A()], () => final([...one(), ["b", "B"]])],
  [
    "a referral without a code",
    "rows",
    () => [A()],
    () => final(one(), { referrals: [{ referee: "a", code: null }] }),
  ],
  ["a code without a referral", "rows", () => [A()], () => final(one(), { referrals: [] })],
  ["none left while a code is free", "false_empty", () => [A(), empty("b")], () => final(one())],
  [
    "none left before the last code went",
    "false_empty",
    () => [A(), empty("c"), attempt("b", { code: "B" })],
    () => final([...one(), ["b", "B"]]),
  ],
  [
    "an answer 500",
    "answer",
    () => [attempt("a", { status: 500, verdict: "fault" }), A()],
    () => final(one()),
  ],
  [
    "a code shown to one who never asked",
    "answer",
    () => [attempt("a", { code: "A", again: true })],
    () => final(one()),
  ],
  ["a request that was not counted", "quota", () => [A()], () => final(one(), { quotaUsed: 0 })],
  ["more counted than shares explain", "quota", () => [A()], () => final(one(), { quotaUsed: 12 })],
];

for (const [name, kind, attempts, end] of planted) {
  test(`finds ${name}`, () => {
    expect(kinds(attempts(), end())).toContain(kind);
  });
}

test("none left while the last code is being given is honest", () => {
  const last = attempt("b", { code: "B" });
  const told = { ...empty("c"), invoked: last.invoked, returned: last.returned };
  const end = final([
    ["a", "A"],
    ["b", "B"],
  ]);
  expect(kinds([A(), told, last], end)).toEqual(["false_empty"]);
  expect(kinds([{ ...A(), invoked: 0 }, told, last], end)).toEqual([]);
});

const envelope = (code: string, extra = {}) => JSON.stringify({ error: { code }, ...extra });
const readings: [name: string, verdict: string, status: number, headers: object, text: string][] = [
  ["a code", "code", 200, {}, JSON.stringify({ code: "A" })],
  ["the first answer again", "code", 409, {}, envelope("ALREADY_REDEEMED", { redemption: { code: "A" } })],
  ["a strict refusal", "taken", 409, {}, envelope("ALREADY_REDEEMED")],
  ["an outage", "unknown", 503, { "retry-after": "2" }, envelope("SERVICE_UNAVAILABLE")],
  ["an outage without Retry-After", "fault", 503, {}, envelope("SERVICE_UNAVAILABLE")],
  ["an empty pool", "empty", 503, {}, envelope("NO_CODES_AVAILABLE")],
  ["a twin", "busy", 409, {}, envelope("CONFLICT")],
  ["no answer", "unknown", 0, {}, ""],
  ["a bug", "fault", 500, {}, envelope("INTERNAL_ERROR")],
  ["a page instead of the envelope", "fault", 502, {}, "<html>"],
];

for (const [name, verdict, status, headers, text] of readings) {
  test(`reads ${name} as ${verdict}`, () => {
    expect(readAnswer(status, { ...headers }, text).verdict).toBe(verdict);
  });
}
