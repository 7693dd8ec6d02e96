import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createEndpoint } from "@/lib/outward/webhooks/manage-endpoints";
import { database } from "@/lib/platform/db/client";
import { emitExample } from "@/lib/testing/events";
import { inParallel } from "@/lib/testing/parallel";
import { bundleForChild, type Child, startChild } from "@/lib/testing/processes/child";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { type ReceivedEvent, startVerifier, type Verifier } from "@/lib/testing/webhooks/verifier";

const FACTOR = 10_000;
const OUTAGE_MS = (24 * 3_600_000) / FACTOR;
const REFERRALS = 250;
const KILLS = 10;
const LIFE = [
  "referral.clicked",
  "referral.code_assigned",
  "referral.redeemed",
  "referral.reversed",
] as const;

useService({ OUTBOUND_ALLOW: "127.0.0.0/8" });

let file: string;
beforeAll(async () => {
  file = await bundleForChild("lib/testing/webhooks/sender-process.ts");
});

/** Two senders, alternately killed and replaced. */
class Senders {
  kills = 0;
  private children: Child[] = [];
  private gone: Promise<void>[] = [];

  start(): void {
    const { DATABASE_URL: url = "" } = process.env;
    this.children.push(startChild(file, [url, String(FACTOR)], { env: process.env }));
  }

  /** Replaces a sender with a new one; resolves once the old one is gone. */
  async kill(): Promise<void> {
    const killed = this.children.shift()?.kill();
    if (!killed) return;
    this.kills += 1;
    this.gone.push(killed);
    this.start();
    await killed;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.gone, ...this.children.map((child) => child.kill())]);
  }
}

const senders = new Senders();
let verifier: Verifier;
afterAll(async () => {
  await senders.stop();
  await verifier.stop();
});

const places = (events: ReceivedEvent[], referral: string) =>
  events.filter(({ data }) => data.referral_id === referral).map(({ type }) => type);

test(`an outage of 24 h (1:${FACTOR}) and ${KILLS} kill -9 of senders: none missing, none out of order, one id an event`, async () => {
  const { ctx } = await makeTenant();
  let secret = "";
  let end: number | undefined;
  let answered = 0;
  verifier = await startVerifier(
    () => secret,
    (_, index) => {
      answered += 1;
      // The outage begins with the first request, however long the senders take to start.
      end ??= Date.now() + OUTAGE_MS;
      // Kills the sender that waits for this response, or the other one, whose request is then cut short. Either way
      // some die between sending and storing.
      if (senders.kills < KILLS && index % 25 === 24) return senders.kill();
      return Date.now() < end ? 503 : 204;
    },
  );
  const url = `${verifier.url}/hook`;
  ({ secret } = await createEndpoint(ctx, { url, events: [...LIFE] }));
  senders.start();
  senders.start();

  const referrals = Array.from({ length: REFERRALS }, () => uuidv7());
  // As many at once as there are connections: more would wait for one, and too long on a busy machine.
  await inParallel(REFERRALS, 8, async (index) => {
    for (const type of LIFE)
      await emitExample(ctx.db, ctx.app.id, type, { referral_id: referrals[index] ?? "" });
  });
  const count = REFERRALS * LIFE.length;
  const open = async () => {
    const { rows } = await database().pool.query(
      "select count(*)::int as open from webhook_deliveries where status <> 'delivered'",
    );
    return rows[0].open;
  };
  await vi.waitFor(async () => expect(await open()).toBe(0), { timeout: 170_000, interval: 200 });

  expect(senders.kills).toBe(KILLS);
  expect(verifier.forged).toEqual([]);
  expect(verifier.refused.length).toBeGreaterThan(0);
  const ids = new Map(verifier.accepted.map(({ id, body }) => [id, body]));
  expect(ids.size).toBe(count);
  for (const { id, body } of [...verifier.refused, ...verifier.accepted]) expect(ids.get(id)).toBe(body);
  for (const referral of referrals) {
    expect([...new Set(places(verifier.accepted, referral))]).toEqual(LIFE);
  }
  expect(answered).toBeGreaterThan(count);
});
