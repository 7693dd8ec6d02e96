import { existsSync, readdirSync, readFileSync } from "node:fs";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { apps } from "@/lib/platform/db/schema";
import { applyDueEvents } from "@/lib/program/confirmations/apply-again";
import type { Connection } from "@/lib/program/connections/connection";
import { createConnection } from "@/lib/program/connections/create";
import { PROVIDERS, type ProviderName } from "@/lib/program/providers/registry";
import { seededRandom, shuffled } from "@/lib/testing/numbers";
import { inParallel, persistently } from "@/lib/testing/parallel";
import { type ConfirmingApp, confirmingApp } from "@/lib/testing/provider-events/confirming-app";
import { postDelivery } from "@/lib/testing/provider-events/deliver";
import {
  PROVIDER_NAMES,
  SECRET,
  STORE_APP,
  signedSample,
  trustTestAuthority,
} from "@/lib/testing/provider-events/samples";
import { useService } from "@/lib/testing/service";

useService({ AUTH_SECRET: "s".repeat(32) });
trustTestAuthority();

const HOUR = 3_600_000;
/** After the codes are assigned, because the first purchase since then confirms. */
const START = Date.now() + HOUR;
const COPIES = 3;

/** The body of one event, and the id of its delivery. */
interface Sent {
  id: string;
  body: string;
}

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** The events about each person, in this order; a `stranger` has no redemption. */
const COURSES = {
  buys: ["hello", "purchase"],
  "is refunded": ["purchase", "refund"],
  "is refunded twice": ["purchase", "refund", "refund"],
  "only refunded": ["refund"],
  "only hello": ["hello", "hello"],
  "is refunded a later purchase": ["purchase", "other purchase", "other refund"],
  "is refunded the first of two": ["purchase", "other purchase", "refund"],
  "keeps a refunded purchase": ["purchase", "refund", "restore"],
  "is refunded both of two": ["purchase", "other purchase", "other refund", "refund", "other restore"],
  stranger: ["purchase", "refund"],
} as const;

/** The field of a body with the store's purchase id. Apple's body is signed, so its sample keeps the id that it has. */
const PURCHASE: Record<Exclude<ProviderName, "apple">, string> = {
  revenuecat: "event.original_transaction_id",
  adapty: "event_properties.original_transaction_id",
  superwall: "data.originalTransactionId",
  qonversion: "transaction.original_transaction_id",
  apphud: "event.receipt.original_transaction_id",
  purchasely: "store_original_transaction_id",
  iaphub: "data.id",
  stripe: "data.object.payment_intent",
  generic: "purchase_id",
};

/** The type that withdraws a refund, where the provider sends one. */
const RESTORES: Partial<Record<ProviderName, string>> = {
  revenuecat: "REFUND_REVERSED",
  apple: "REFUND_REVERSED",
  iaphub: "subscription_restore",
  generic: "referral.restore",
};

function withPurchase(provider: ProviderName, body: string, purchase: string, now: number): string {
  if (provider === "apple") return body;
  const payload = JSON.parse(body);
  if (provider === "generic") payload.occurred_at = new Date(now).toISOString();
  const path = PURCHASE[provider].split(".");
  const field = path.pop() ?? "";
  path.reduce((object, name) => object[name], payload)[field] = purchase;
  return JSON.stringify(payload);
}

/** The provider's sample of a step about a person. */
function sampleOf(provider: ProviderName, uid: string, step: string, now: number): string {
  const name = step.replace("other ", "");
  const type = name === "restore" ? RESTORES[provider] : undefined;
  const kind = type ? "refund" : (name as "purchase" | "refund" | "hello");
  const body = textOf(signedSample(provider, { kind, uid, now, type }).rawBody);
  return withPurchase(provider, body, step.startsWith("other") ? `other of ${uid}` : `first of ${uid}`, now);
}

/** The provider's own samples about each person, an hour apart. */
function samplesOf(provider: ProviderName): Sent[] {
  return Object.entries(COURSES).flatMap(([uid, steps], person) =>
    steps
      // Apple's sample has one purchase for each person.
      .filter((step) => provider !== "apple" || !step.startsWith("other"))
      .filter((step) => provider in RESTORES || !step.endsWith("restore"))
      .map((step, index) => {
        const body = sampleOf(provider, uid, step, START + (10 * person + index) * HOUR);
        return { id: `msg_${person}_${index}`, body };
      }),
  );
}

/** The recorded payloads of a provider, in the order of their own times, each with its own id. */
function recordingsOf(provider: ProviderName): Sent[] {
  const folder = `lib/program/providers/fixtures/${provider}`;
  // Apple's are signed by a test authority, or are claims without an envelope.
  const names = provider !== "apple" && existsSync(folder) ? readdirSync(folder) : [];
  const read = names.map((name) => {
    const payload = JSON.parse(readFileSync(`${folder}/${name}`, "utf8"));
    // RevenueCat's samples share an id.
    if (payload.event?.id) payload.event.id = name;
    const body = JSON.stringify(payload);
    const rawBody = new TextEncoder().encode(body);
    const { occurredAt, uids } = PROVIDERS[provider].adapter.read({ headers: new Headers(), rawBody });
    return { id: `msg_${name}`, body, at: occurredAt ?? 0, uids };
  });
  for (const { uids } of read) for (const uid of uids) RECORDED.add(uid);
  return read.sort((a, b) => a.at - b.at);
}

const RECORDED = new Set<string>();

/** An app whose users have redeemed, with a connection to the provider. */
async function connected(provider: ProviderName, sandbox: boolean) {
  const app = await confirmingApp(database(), { sandbox, threshold: 1 });
  const { appleAppId, iosBundleId } = STORE_APP;
  await database().orm.update(apps).set({ appleAppId, iosBundleId }).where(eq(apps.id, app.ctx.app.id));
  const isPasted = PROVIDERS[provider].adapter.secret.from === "provider";
  const connection = await createConnection(app.ctx, { provider, ...(isPasted && { secret: SECRET }) });
  return { app, connection };
}

const referees = () => [...Object.keys(COURSES).filter((uid) => uid !== "stranger"), ...RECORDED];

/** Posts an event with its proof; `cut` characters are missing at its end. */
async function post({ secret, ...connection }: Connection & { secret: string }, { id, body }: Sent, cut = 0) {
  const { provider } = connection;
  const text = cut > 0 ? body.slice(0, -cut) : body;
  const { headers } = signedSample(provider, { secret, id, body: () => text });
  const proof = Object.fromEntries(headers);
  // A busy machine answers some with 503, after which a provider sends the event again.
  return persistently(
    () => postDelivery(connection, { body: text, headers: proof }),
    ({ status }) => status !== 503,
  );
}

async function outcome({ ctx, ...app }: ConfirmingApp) {
  for (let [before, after] = ["", "begun"]; before !== after; ) {
    await applyDueEvents(ctx);
    [before, after] = [after, JSON.stringify(await app.states())];
  }
  const { confirmed } = await app.counts();
  return { states: await app.states(), codes: await app.codes(), confirmed };
}

test.each(PROVIDER_NAMES.flatMap((name) => [true, false].map((sandbox) => [name, sandbox] as const)))(
  "%s (sandbox: %s): shuffled copies, cut bodies and another app's events leave what one ordered pass leaves",
  async (provider, sandbox) => {
    const events = [...samplesOf(provider), ...recordingsOf(provider)];
    const [ordered, other, foreign] = [
      await connected(provider, sandbox),
      await connected(provider, sandbox),
      await connected(provider, sandbox),
    ];
    for (const { app } of [ordered, other]) await app.assign(...referees());
    await foreign.app.assign("buys");
    for (const event of events) expect(await post(ordered.connection, event)).toMatchObject({ status: 200 });

    const random = seededRandom(events.length);
    const all = shuffled(Array.from({ length: COPIES }, () => events).flat(), random);
    await inParallel(all.length, 8, async (index) => {
      const event = all[index] as Sent;
      const turn = Math.floor(random() * 3);
      if (turn === 0) {
        const cut = 1 + Math.floor(random() * event.body.length);
        expect((await post(other.connection, event, cut)).status).toBeGreaterThanOrEqual(400);
      }
      if (turn === 1) {
        // An event that the other app never receives.
        const body = sampleOf(provider, "buys", "refund", START + 5 * HOUR);
        expect((await post(foreign.connection, { id: "msg_foreign", body })).status).toBe(200);
      }
      expect((await post(other.connection, event)).status).toBe(200);
    });
    const left = await outcome(other.app);
    expect(left).toEqual(await outcome(ordered.app));
    const untouched = { states: { buys: "code_assigned" }, codes: { buys: "assigned" }, confirmed: 0 };
    expect(await outcome(foreign.app)).toEqual(untouched);
    if (sandbox) {
      expect(left.states).toMatchObject({
        buys: "redeemed",
        "is refunded": "reversed",
        "is refunded twice": "reversed",
        "only refunded": "code_assigned",
        "only hello": "code_assigned",
        "is refunded a later purchase": "redeemed",
        "is refunded the first of two": "reversed",
        "keeps a refunded purchase": provider in RESTORES ? "redeemed" : "reversed",
        "is refunded both of two": "reversed",
      });
    }
  },
);
