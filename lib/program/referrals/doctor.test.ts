import { expect, test } from "vitest";
import type { EventVerdict } from "@/lib/contract/provider";
import { type DoctorFacts, examineReferral } from "@/lib/program/referrals/doctor";

const hours = (count: number) => new Date(Date.UTC(2026, 0, 10) + count * 3_600_000);
const connection = {
  id: "c",
  label: "RevenueCat",
  enabled: true,
  refusedAt: null,
  refused: 4,
  lastAt: hours(2),
};

/** A code assigned a day ago, and a provider that delivers. */
const facts: DoctorFacts = {
  now: hours(24),
  redeemedAt: hours(0),
  codeExpiresAt: null,
  trialAt: null,
  named: [],
  otherApp: null,
  connections: [connection],
  anonymous: 0,
};

const whyOf = (more: Partial<DoctorFacts>) => examineReferral({ ...facts, ...more }).map(({ why }) => why);

test.each<[EventVerdict, string]>([
  ["failed", "failed"],
  ["received", "failed"],
  ["dismissed", "dismissed"],
  ["unmatched", "waiting"],
  ["sandbox", "sandbox"],
  ["renewal", "renewal"],
  ["not_paid", "not_paid"],
  ["ignored", "ignored"],
])("a purchase of the referee with the outcome %s is the finding %s", (verdict, why) => {
  const named = [{ id: "e", referralId: null, type: "BUY", verdict, at: hours(1) }];
  expect(examineReferral({ ...facts, named })).toEqual([{ why, id: "e", type: "BUY", at: hours(1) }]);
});

test("only an unmatched purchase that came more than an hour before the code is older than it", () => {
  const bought = (at: Date) =>
    whyOf({ named: [{ id: "e", referralId: null, type: "BUY", verdict: "unmatched", at }] });
  expect(bought(hours(-1.1))).toEqual(["older_purchase"]);
  expect(bought(hours(-1))).toEqual(["waiting"]);
});

test("a purchase that reached another app of the workspace is a finding with that app", () => {
  const otherApp = { id: "a", name: "Other" };
  expect(examineReferral({ ...facts, otherApp })).toEqual([{ why: "other_app", app: otherApp }]);
});

test("a refund without its purchase is a finding, because a confirmation by hand would count it", () => {
  const event = { id: "e", referralId: null, type: "REFUND", verdict: "unmatched" as const, at: hours(1) };
  expect(examineReferral({ ...facts, named: [{ ...event, refund: true }] })).toEqual([
    { why: "refund", id: "e", type: "REFUND", at: hours(1) },
  ]);
});

test("a code that has expired is a finding beside the reason why no purchase came before, one that expires later is not", () => {
  expect(whyOf({ codeExpiresAt: hours(20) })).toEqual(["code_expired", "no_purchase"]);
  const connections = [{ ...connection, lastAt: hours(-5) }];
  expect(whyOf({ codeExpiresAt: hours(20), connections })).toEqual(["code_expired", "silent"]);
  expect(whyOf({ codeExpiresAt: hours(30) })).toEqual(["no_purchase"]);
});

test("an app without an enabled connection cannot learn of a purchase", () => {
  expect(whyOf({ connections: [] })).toEqual(["no_connection"]);
  expect(whyOf({ connections: [{ ...connection, enabled: false }] })).toEqual(["no_connection"]);
});

test("a connection that was disabled lately is a finding beside an enabled one, one that was replaced long ago is not", () => {
  const disabled = { ...connection, id: "d", label: "Adapty", enabled: false };
  expect(examineReferral({ ...facts, connections: [connection, disabled] })).toEqual([
    { why: "disabled", connections: [{ id: "d", label: "Adapty" }] },
  ]);
  expect(whyOf({ connections: [connection, { ...disabled, lastAt: hours(-24 * 40) }] })).toEqual([
    "no_purchase",
  ]);
});

test("deliveries refused after the redemption are a finding, earlier ones are not", () => {
  expect(whyOf({ connections: [{ ...connection, refusedAt: hours(3) }] })).toEqual(["refused"]);
  expect(whyOf({ connections: [{ ...connection, refusedAt: hours(-1) }] })).toEqual(["no_purchase"]);
});

test("purchases of unknown buyers are counted", () => {
  expect(examineReferral({ ...facts, anonymous: 2 })).toEqual([{ why: "anonymous", events: 2 }]);
});

test("a purchase that counted for an earlier referral is reported beside a young code or a silent provider", () => {
  const event = { id: "e", referralId: "r", type: "BUY", at: hours(-9) };
  const named = [
    { ...event, verdict: "already_confirmed" as const },
    { ...event, verdict: "confirmed" as const, at: hours(-99) },
  ];
  expect(examineReferral({ ...facts, named })).toEqual([
    { why: "counted", referralId: "r", type: "BUY", at: hours(-9) },
  ]);
  expect(whyOf({ named, now: hours(0.5) })).toEqual(["counted", "recent"]);
  expect(whyOf({ named, connections: [{ ...connection, lastAt: null }] })).toEqual(["counted", "silent"]);
  expect(whyOf({ named, anonymous: 1 })).toEqual(["anonymous"]);
});

test("without any sign, a young code needs time, and an old one a provider that delivers", () => {
  expect(whyOf({ now: hours(0.5) })).toEqual(["recent"]);
  expect(whyOf({ connections: [{ ...connection, lastAt: hours(-5) }] })).toEqual(["silent"]);
  expect(whyOf({ connections: [{ ...connection, lastAt: null }] })).toEqual(["silent"]);
  expect(whyOf({})).toEqual(["no_purchase"]);
});

test("everything that applies is listed, the one to fix first first", () => {
  const named = [
    { id: "1", referralId: null, type: "TEST", verdict: "sandbox" as const, at: hours(1) },
    { id: "2", referralId: null, type: "BUY", verdict: "dismissed" as const, at: hours(2) },
  ];
  const connections = [{ ...connection, refusedAt: hours(3) }];
  expect(whyOf({ named, connections, codeExpiresAt: hours(1) })).toEqual([
    "dismissed",
    "sandbox",
    "code_expired",
    "refused",
  ]);
});
