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
  referral: { id: "own", campaignId: "now" },
  now: hours(24),
  redeemedAt: hours(0),
  codeExpiresAt: null,
  trialAt: null,
  named: [],
  otherApp: null,
  connections: [connection],
  anonymous: 0,
};

const purchase = { id: "e", referralId: null, campaignId: null, type: "BUY", at: hours(1) };

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
  const named = [{ ...purchase, referralId: "own", verdict }];
  expect(examineReferral({ ...facts, named })).toEqual([{ why, id: "e", type: "BUY", at: hours(1) }]);
});

test("only an unmatched purchase that came more than an hour before the code is older than it", () => {
  const bought = (at: Date) => whyOf({ named: [{ ...purchase, verdict: "unmatched", at }] });
  expect(bought(hours(-1.1))).toEqual(["older_purchase"]);
  expect(bought(hours(-1))).toEqual(["waiting"]);
});

test("a purchase that reached another app of the workspace is a finding with that app", () => {
  const otherApp = { id: "a", name: "Other" };
  expect(examineReferral({ ...facts, otherApp })).toEqual([{ why: "other_app", app: otherApp }]);
});

test("a refund without its purchase is a finding, because a confirmation by hand would count it", () => {
  const event = { ...purchase, type: "REFUND", verdict: "unmatched" as const };
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

test("an app without a connection cannot learn of a purchase, one whose connections are all disabled has to enable one", () => {
  expect(whyOf({ connections: [] })).toEqual(["no_connection"]);
  const old = { ...connection, id: "old", label: "Adapty", enabled: false, lastAt: null };
  const lately = { ...connection, enabled: false };
  const disabled = (...connections: DoctorFacts["connections"]) => examineReferral({ ...facts, connections });
  expect(disabled(old)).toEqual([{ why: "disabled", connections: [{ id: "old", label: "Adapty" }] }]);
  expect(disabled(old, lately)).toEqual([
    { why: "disabled", connections: [{ id: "c", label: "RevenueCat" }] },
  ]);
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

test("deliveries refused before others were accepted are a finding beside the reason why no purchase came since", () => {
  const accepts = { ...connection, refusedAt: hours(1) };
  const shown = { id: "c", label: "RevenueCat", deliveries: 4 };
  expect(examineReferral({ ...facts, connections: [accepts] })).toEqual([
    { why: "refused", connections: [{ ...shown, at: hours(1), accepts: true }] },
    { why: "no_purchase", aged: false },
  ]);
  const refuses = { ...accepts, refusedAt: hours(3) };
  expect(examineReferral({ ...facts, connections: [accepts, refuses] })).toEqual([
    {
      why: "refused",
      connections: [
        { ...shown, at: hours(1), accepts: true },
        { ...shown, at: hours(3), accepts: false },
      ],
    },
  ]);
});

test("purchases of unknown buyers are counted", () => {
  expect(examineReferral({ ...facts, anonymous: 2 })).toEqual([{ why: "anonymous", events: 2 }]);
});

test("a purchase that counted in another campaign is reported beside a young code, a silent provider or a trial", () => {
  const event = { ...purchase, referralId: "r", campaignId: "before", at: hours(-9) };
  const named = [
    { ...event, verdict: "already_confirmed" as const },
    { ...event, verdict: "confirmed" as const, at: hours(-99) },
  ];
  expect(examineReferral({ ...facts, named })).toEqual([
    { why: "counted", referralId: "r", again: false, type: "BUY", at: hours(-9) },
  ]);
  expect(whyOf({ named, now: hours(0.5) })).toEqual(["counted", "recent"]);
  expect(whyOf({ named, connections: [{ ...connection, lastAt: null }] })).toEqual(["counted", "silent"]);
  expect(whyOf({ named, anonymous: 1 })).toEqual(["anonymous"]);
  expect(whyOf({ named, trialAt: hours(1) })).toEqual(["trial", "counted"]);
  const trial = { ...purchase, referralId: "own", verdict: "not_paid" as const };
  expect(whyOf({ named: [trial, ...named] })).toEqual(["not_paid", "counted"]);
  expect(whyOf({ trialAt: hours(1) })).toEqual(["trial"]);
});

test("a purchase that counted in the same campaign, under another id, is the only finding: the person counts once", () => {
  const event = { ...purchase, referralId: "r", verdict: "confirmed" as const };
  const named = [
    { ...event, referralId: "own", campaignId: "now", at: hours(3) },
    { ...event, campaignId: "before", at: hours(2) },
    { ...event, referralId: "twin", campaignId: "now" },
    { ...purchase, verdict: "dismissed" as const },
  ];
  expect(examineReferral({ ...facts, named, anonymous: 1 })).toEqual([
    { why: "counted", referralId: "twin", again: true, type: "BUY", at: hours(1) },
  ]);
});

test.each<EventVerdict>(["renewal", "not_paid"])(
  "a purchase that another campaign held back as %s says nothing about this referral",
  (verdict) => {
    const named = [{ ...purchase, referralId: "r", campaignId: "before", verdict, at: hours(-9) }];
    expect(whyOf({ named })).toEqual(["no_purchase"]);
    expect(whyOf({ named, now: hours(0.5) })).toEqual(["recent"]);
  },
);

test.each<EventVerdict>(["renewal", "not_paid"])(
  "a purchase since the code that another referral held back as %s is reported as that one's",
  (verdict) => {
    const named = [{ ...purchase, referralId: "r", campaignId: "now", verdict }];
    expect(examineReferral({ ...facts, named })).toEqual([
      { why: "counted", referralId: "r", again: false, type: "BUY", at: hours(1) },
    ]);
  },
);

test("without any sign, a young code needs time, and an old one a provider that delivers", () => {
  expect(whyOf({ now: hours(0.5) })).toEqual(["recent"]);
  expect(whyOf({ connections: [{ ...connection, lastAt: hours(-5) }] })).toEqual(["silent"]);
  expect(whyOf({ connections: [{ ...connection, lastAt: null }] })).toEqual(["silent"]);
  expect(whyOf({})).toEqual(["no_purchase"]);
});

test("everything that applies is listed, the one to fix first first", () => {
  const named = [
    { ...purchase, verdict: "sandbox" as const },
    { ...purchase, verdict: "dismissed" as const },
  ];
  const connections = [{ ...connection, refusedAt: hours(3) }];
  expect(whyOf({ named, connections, codeExpiresAt: hours(1) })).toEqual([
    "dismissed",
    "sandbox",
    "code_expired",
    "refused",
  ]);
});
