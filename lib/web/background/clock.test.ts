import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { decodeJwt } from "jose";
import { Secret, TOTP } from "otpauth";
import { uuidv7 } from "uuidv7";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { watchApp } from "@/lib/outward/problems/watch";
import { attemptDelivery } from "@/lib/outward/webhooks/deliver";
import { databaseClock, databaseNow } from "@/lib/platform/db/chunks";
import { database } from "@/lib/platform/db/client";
import { accountTokens, providerConnections } from "@/lib/platform/db/schema";
import { env } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors";
import { forgetSingleton } from "@/lib/platform/singleton";
import { AppStoreClient } from "@/lib/program/app-store-connect/client";
import type { InboxRow } from "@/lib/program/confirmations/inbox-row";
import { spoolDelivery, spoolFolder } from "@/lib/program/confirmations/spool";
import { findConnection } from "@/lib/program/connections/find";
import { flushRefusals, noteRefusal, provenDelivery } from "@/lib/program/connections/prove";
import { PROVIDERS } from "@/lib/program/providers/registry";
import { stockOf } from "@/lib/program/stats/stock";
import { createAccountToken } from "@/lib/tenants/accounts/token";
import { meterFor } from "@/lib/tenants/quota/meter";
import { monthOf } from "@/lib/tenants/quota/usage";
import { generateTotpSecret, stepOf } from "@/lib/tenants/two-factor/totp";
import { makeAppleKey } from "@/lib/testing/app-store/server";
import { temporaryFolder } from "@/lib/testing/folder";
import { captureLogLines } from "@/lib/testing/log";
import { connectedTo } from "@/lib/testing/provider-events/deliver";
import { useService } from "@/lib/testing/service";
import { makeBatch, makeTenant } from "@/lib/testing/tenant";
import { watchClock } from "@/lib/web/background/watches";
import { checkHealth } from "@/lib/web/http/health";
import type { ApiExchange } from "@/lib/web/http/route";

useService({ LOG_LEVEL: "warn" });

const HOUR = 3_600_000;
const health = async () => (await checkHealth({} as ApiExchange)).body;

let stop = () => {};
/** Starts {@link watchClock} in a process whose clock is `ms` ahead of the database's. */
async function startBeside(ms: number): Promise<void> {
  Object.assign(env(), { DATA_DIR: await temporaryFolder() });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
  stop = watchClock();
  await vi.waitFor(() => expect(databaseClock().base).toBeTruthy(), { timeout: 60_000 });
}

afterEach(() => {
  stop();
  forgetSingleton("db.clock");
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe.each([-HOUR, HOUR])("a process whose clock differs by %s ms from the database's", (beside) => {
  let lines: string[];
  /** Milliseconds by the right clock. */
  const now = () => Date.now() - beside;
  const near = (ms: number) => expect(Math.abs(ms - now())).toBeLessThan(60_000);
  beforeEach(async () => {
    lines = captureLogLines();
    await startBeside(beside);
  });

  test("says so in its health and once in its log", async () => {
    const clock = expect.closeTo(beside / 1_000, -2);
    expect(await health()).toMatchObject({ status: "degraded", late: [], clock });
    const said = lines.filter((line) => line.includes("the clock of this machine"));
    expect(said.map((line) => JSON.parse(line).seconds)).toEqual([clock]);
  });

  test("signs webhooks with the time that their receivers compare", async () => {
    const secrets = { secret: `whsec_${Buffer.alloc(24).toString("base64")}`, former_secret: null };
    const event = { event: uuidv7(), type: "T", payload: {}, created_at: "2026-01-01T00:00:00Z" };
    const send = async () => ({ status: 200, headers: {}, body: "", ms: 1 });
    const attempt = await attemptDelivery({ ...secrets, ...event, url: "https://a.example" }, send);
    near(1_000 * Number(attempt.request_headers["webhook-timestamp"]));
  });

  test("accepts what a provider signs now, and nothing from an hour ago or ahead", async () => {
    const { connection } = await connectedTo("stripe");
    const record = await findConnection(database(), "stripe", connection.id);
    if (!record) throw new Error("no connection");
    const { secret, signingSecret } = record;
    const signedAt = (at: number) =>
      PROVIDERS.stripe.adapter.sample({ kind: "purchase", uid: "1", secret, signingSecret, now: at });
    expect(await provenDelivery(record, signedAt(now()))).toMatchObject({ secret });
    for (const at of [now() + HOUR, now() - HOUR])
      await expect(provenDelivery(record, signedAt(at))).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });

  test("dates a refused delivery by the clock that dates the accepted ones", async () => {
    const { connection } = await connectedTo("revenuecat");
    const record = await findConnection(database(), "revenuecat", connection.id);
    if (!record) throw new Error("no connection");
    noteRefusal(record);
    await flushRefusals(database());
    const own = eq(providerConnections.id, connection.id);
    const [row] = await database().orm.select().from(providerConnections).where(own);
    near(Number(row?.refusedAt));
  });

  test("dates an event that waits in a file by the clock that dates its referral and an erasure", async () => {
    await spoolDelivery(uuidv7(), { id: uuidv7(), connection_id: "c", event_id: "e" } as InboxRow);
    const [file = ""] = readdirSync(spoolFolder());
    near(Date.parse(JSON.parse(readFileSync(join(spoolFolder(), file), "utf8")).row.created_at));
  });

  test("sends Apple tokens that are valid now", async () => {
    const sent = vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json({}));
    await new AppStoreClient({ ...makeAppleKey(), issuerId: uuidv7(), keyId: "2X9R4HXF34" }).get("/v1/apps");
    const [, token = ""] =
      new Headers(sent.mock.calls[0]?.[1]?.headers).get("authorization")?.split(" ") ?? [];
    const { iat = 0, exp = 0 } = decodeJwt(token);
    near(1_000 * iat);
    expect(exp).toBeGreaterThan(now() / 1_000);
  });

  test("accepts the password that an authenticator shows", () => {
    const bytes = generateTotpSecret();
    const shown = new TOTP({ secret: new Secret({ buffer: Uint8Array.from(bytes).buffer }) });
    expect(stepOf(bytes, shown.generate({ timestamp: now() }))).toBeDefined();
  });

  test("names the wait for the next month by the clock that begins it", async () => {
    const { ctx } = await makeTenant();
    const wait = (Number(monthOf(new Date(now())).end) - now()) / 1_000;
    const meter = meterFor(ctx.db, ctx.app.id, ctx.workspace.id, 0);
    await expect(meter.take()).rejects.toMatchObject({ retryAfter: expect.closeTo(wait, -2) });
  });

  test("counts codes until they expire, and checks the app then", async () => {
    const { ctx, pools } = await makeTenant();
    const stock = async () => (await stockOf(ctx)).filter(({ id }) => id === pools.ios.referee)[0];
    const { free, marginMs } = (await stock()) ?? fail("NOT_FOUND");
    for (const [size, hours] of [
      [50, 0.5],
      [70, -0.5],
    ] as const) {
      const expiresAt = new Date(now() + marginMs + hours * HOUR);
      await makeBatch(ctx, pools.ios.referee, "ios", { size, expiresAt });
    }
    expect((await stock())?.free).toBe(free + 50);
    await watchApp(ctx);
    expect(await watchApp(ctx)).toEqual(expect.closeTo(1_800, -2));
  });

  test("notes an emailed link under the ten minutes in which it was sent", async () => {
    await createAccountToken(database(), "reset", { userId: uuidv7(), email: `${uuidv7()}@example.com` });
    const slots = await database().orm.select({ slot: accountTokens.slot }).from(accountTokens);
    for (const { slot } of slots) expect(Math.abs(Number(slot) - now())).toBeLessThan(11 * 60_000);
  });
});

test("half a minute is no fault", async () => {
  await startBeside(30_000);
  expect(await health()).toEqual({ status: "ok" });
});

test("the machine's clock counts after a suspension, which the other one sleeps through, until the database's is read at once", async () => {
  await startBeside(0);
  const beside = () => Math.abs(databaseNow() - Date.now());
  // Frozen from here on, so no regular read becomes due.
  vi.spyOn(performance, "now").mockReturnValue(performance.now());
  vi.setSystemTime(Date.now() + 2 * HOUR);
  expect(beside()).toBeLessThan(60_000);
  // The read shows that the clock was set and the machine was not suspended.
  await vi.waitFor(() => expect(beside()).toBeGreaterThan(HOUR), { timeout: 60_000 });
  vi.setSystemTime(Date.now() - 2 * HOUR);
  expect(beside()).toBeLessThan(60_000);
});
