import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Doctor } from "@/components/referral/doctor";
import type { NamedFinding, ReferralFinding } from "@/lib/contract/doctor";

type Why = ReferralFinding["why"];

const at = new Date("2026-03-04T05:06:07Z");
const event = { id: "e1", type: "INITIAL_PURCHASE", at };
const ofEvent = "/a/providers/unmatched?event=e1";
const connection = { id: "c1", label: "RevenueCat" };

type Case<W extends Why> = [
  finding: Omit<W extends NamedFinding["why"] ? NamedFinding : Extract<ReferralFinding, { why: W }>, "why">,
  parts: string[],
  ...hrefs: string[],
];

/** A finding for each reason with the decisive parts and the links of its sentence: the compiler asks for every reason. */
const CASES: { [W in Why]: Case<W> } = {
  other_app: [
    { app: { id: "b", name: "Yoga" } },
    ["reached the app Yoga.", "the connection of this app", "by hand"],
    "/dashboard/apps/b/providers",
  ],
  code_expired: [{ at }, ["The code expired 4 Mar 2026", "no longer accepts it", "replace the code"]],
  no_connection: [{}, ["No provider is connected. Connect a provider, or confirm by hand."], "/a/providers"],
  disabled: [
    { connections: [connection, { id: "c2", label: "Adapty" }] },
    ["RevenueCat is disabled", "Adapty is disabled", "refused and not stored", "Enable it"],
    ...["/a/providers/c1", "/a/providers/c2"],
  ],
  refused: [
    { connections: [{ ...connection, deliveries: 2, at, accepts: false }] },
    [
      "2 deliveries from RevenueCat were refused, most recently 4 Mar",
      "Correct what its page names and have the provider resend the refused ones",
    ],
    "/a/providers/c1",
  ],
  anonymous: [
    { events: 20 },
    ["20 purchases or more of this store came without a user ID of your app", "link one; otherwise"],
  ],
  erased: [{}, ["data of this user was erased", "no purchase that arrives now finds", "by hand"]],
  recent: [{}, ["less than an hour old", "Check again later."]],
  silent: [
    { last: at },
    [
      "No connection has received anything since the code was assigned, the last event came 4 Mar",
      "Check the connections at the provider.",
    ],
    "/a/providers",
  ],
  no_purchase: [
    { aged: true },
    ["no purchase has named this user ID in the last 90 days.", "join the two IDs"],
  ],
  trial: [{ at }, ["A purchase of this user, made 4 Mar", "a free trial or has a price of 0"]],
  counted: [
    { ...event, referralId: "r1", again: false },
    ["Their purchase of 4 Mar", "belongs to another referral, and a purchase counts once", "by hand"],
    "/a/referrals/r1",
  ],
  failed: [event, ["could not be applied yet", "retried automatically"], ofEvent],
  dismissed: [event, ["was dismissed.", "replay it"], ofEvent],
  older_purchase: [event, ["more than an hour before the code was assigned", "replay it"], ofEvent],
  waiting: [event, ["is applied within a few minutes: reload the page.", "replay it"], ofEvent],
  sandbox: [event, ["is a test purchase", "the version from the store"], ofEvent],
  renewal: [event, ["is a renewal that shows no sign of the code", "by hand"], ofEvent],
  not_paid: [event, ["is a free trial or has a price of 0", "Its first paid period confirms"], ofEvent],
  ignored: [event, ["was ignored: it is not a purchase", "The provider knows this user ID"], ofEvent],
  refund: [event, ["is a refund.", "confirmed and reversed at once"], ofEvent],
};

/** The callout about findings: its classes, its text and the links in it. */
function shown(...findings: ReferralFinding[]) {
  const markup = renderToStaticMarkup(createElement(Doctor, { base: "/a", findings }));
  return {
    markup,
    box: /class="([^"]*)"/.exec(markup)?.[1],
    text: markup.replace(/<[^>]+>/g, ""),
    hrefs: [...markup.matchAll(/href="([^"]*)"/g)].map(([, href]) => href),
  };
}

test.each(Object.entries(CASES))(
  "the doctor explains %s and links what fixes it",
  (why, [finding, parts, ...hrefs]) => {
    const { box, text, hrefs: links } = shown({ why, ...finding } as ReferralFinding);
    expect(text).toMatch(/^Why is this not confirmed\?/);
    for (const part of parts) expect(text).toContain(part);
    expect(links).toEqual(hrefs);
    expect(box).toContain(why === "recent" ? "bg-accent-soft" : "bg-warn-soft");
    if (hrefs[0] === ofEvent) expect(text).toContain("INITIAL_PURCHASE of this user, received 4 Mar 2026");
  },
);

test("the doctor's sentences agree with one purchase, one delivery, no event ever and a new user", () => {
  expect(shown({ why: "anonymous", events: 1 }).text).toContain(
    "1 purchase of this store came without a user ID of your app. If its time and product fit, link it;",
  );
  const connections = [{ ...connection, deliveries: 1, at, accepts: true }];
  const refused = shown({ why: "refused", connections }).text;
  expect(refused).toContain("1 delivery from RevenueCat was refused");
  expect(refused).toContain(
    "Later ones were accepted: have the provider resend the refused one, or confirm by hand.",
  );
  expect(refused).not.toContain("Correct");
  const silent = shown({ why: "silent", last: null });
  expect(silent.text).toContain("No connection has received an event in the last 90 days.");
  expect(silent.text).toContain("send a test event");
  expect(silent.hrefs).toEqual(["/a/providers"]);
  expect(shown({ why: "no_purchase", aged: false }).text).toContain(
    "no purchase has named this user ID since the code was assigned. The user has not",
  );
});

test("a person who counts in the campaign under another ID is not to be confirmed again", () => {
  const { text, hrefs } = shown({ why: "counted", ...event, referralId: "r1", again: true });
  expect(text).toContain("counted for another referral of this campaign, under another of their user IDs");
  const byHand = shown({ why: "counted", ...event, type: "", referralId: "r1", again: true });
  expect(byHand.text).toContain("A confirmation of 4 Mar 2026 counted for another referral");
  expect(text).toContain("A person counts once in a campaign: leave this referral open.");
  expect(text).not.toContain("by hand");
  expect(hrefs).toEqual(["/a/referrals/r1"]);
});

test("a purchase that the campaign held back is explained by the rules of that time, which may have changed", () => {
  const held = ["renewal", "not_paid"] as const;
  const [renewal, trial] = held.map((why) => shown({ why, ...event }).text);
  expect(renewal).toContain("did not count those when it came");
  expect(renewal).toContain("If the campaign counts them now, open the event and replay it.");
  expect(trial).toContain("required a payment when it came");
  expect(trial).toContain("If none will follow, or the campaign counts trials now, confirm by hand.");
});

test("connections are explained on lines of their own, not run together", () => {
  const connections = [connection, { id: "c2", label: "Adapty" }];
  const refused = connections.map((row) => ({ ...row, deliveries: 1, at, accepts: false }));
  for (const finding of [
    { why: "disabled", connections } as const,
    { why: "refused", connections: refused } as const,
  ])
    expect(shown(finding).markup.match(/<span class="block">/g)).toHaveLength(2);
});

test("several findings are shown in their order, and without one there is no callout", () => {
  const { text, box } = shown({ why: "recent" }, { why: "no_connection" });
  expect(text.indexOf("less than an hour")).toBeLessThan(text.indexOf("No provider is connected"));
  expect(box).toContain("bg-accent-soft");
  expect(shown().text).toBe("");
});
