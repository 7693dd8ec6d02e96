import { createCipheriv, hkdfSync } from "node:crypto";
import { eq, type SQL, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { collectMetrics } from "@/lib/outward/metrics/registry";
import { listChannels } from "@/lib/outward/problems/channels";
import { readEndpointSecrets } from "@/lib/outward/webhooks/sign";
import { CHUNK } from "@/lib/platform/db/chunks";
import { database } from "@/lib/platform/db/client";
import { alertChannels, providerConnections, users, webhookEndpoints } from "@/lib/platform/db/schema";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { resealTable, type SealedTable, unreadableSecrets } from "@/lib/platform/secrets/reseal";
import { sealedPrefix } from "@/lib/platform/secrets/seal";
import { createConnection } from "@/lib/program/connections/create";
import { connectionCache, findConnection } from "@/lib/program/connections/find";
import { rotateConnectionSecret } from "@/lib/program/connections/update";
import { createUser } from "@/lib/tenants/accounts/create-user";
import { unseal } from "@/lib/tenants/two-factor/seal";
import { temporaryFolder } from "@/lib/testing/folder";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { resealSecrets, watchSecrets } from "@/lib/web/background/reseal";
import { checkHealth } from "@/lib/web/http/health";
import type { ApiExchange } from "@/lib/web/http/route";

useService();

const AUTH_SECRET = "a secret of the tests, 32 characters";
const use = (SEALING_KEYS: string[], secret = AUTH_SECRET) =>
  Object.assign(env(), { SEALING_KEYS, AUTH_SECRET: secret });
afterEach(() => {
  use([]);
  connectionCache().forgetWhere(() => true);
});

const SLACK = "https://hooks.slack.com/services/T0/B0/abcdefghijkl";
const TOTP = Buffer.from("twenty bytes, secret");

/** A second factor as earlier versions stored it. */
function formerSeal(userId: string): Buffer {
  const iv = Buffer.alloc(12, 7);
  const key = Buffer.from(hkdfSync("sha256", AUTH_SECRET, "", "metacode second factor", 32));
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(userId));
  const text = Buffer.concat([cipher.update(TOTP), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]);
}

/** Rows as the version before sealing wrote them. */
async function plainRows() {
  const { orm } = database();
  const { ctx } = await makeTenant();
  const appId = ctx.app.id;
  const connection = { appId, id: uuidv7(), provider: "revenuecat" };
  const endpoint = { appId, id: uuidv7(), url: "https://a.example.com/", events: ["pool.low"] };
  const channel = { appId, id: uuidv7(), type: "slack" as const, name: "", target: SLACK };
  await orm
    .insert(providerConnections)
    .values({ ...connection, secret: "plain one", signingSecret: "plain two" });
  await orm.insert(webhookEndpoints).values({ ...endpoint, secret: "whsec_one", formerSecret: "whsec_two" });
  await orm.insert(alertChannels).values(channel);
  const account = { email: `${uuidv7()}@a.example`, name: "A", password: "correct horse" };
  const user = await createUser(database(), account);
  await orm
    .update(users)
    .set({ totpSecret: formerSeal(user.id) })
    .where(eq(users.id, user.id));
  return { ctx, connection, endpoint, channel, user };
}

type Rows = Awaited<ReturnType<typeof plainRows>>;

async function storedOf({ connection, endpoint, channel, user }: Rows) {
  const { orm } = database();
  const { id } = connection;
  const [connectionRow] = await orm.select().from(providerConnections).where(eq(providerConnections.id, id));
  const [endpointRow] = await orm.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, endpoint.id));
  const [channelRow] = await orm.select().from(alertChannels).where(eq(alertChannels.id, channel.id));
  const [userRow] = await orm.select().from(users).where(eq(users.id, user.id));
  if (!connectionRow || !endpointRow || !channelRow || !userRow?.totpSecret)
    throw new Error("a row is missing");
  return { connectionRow, endpointRow, channelRow, totp: userRow.totpSecret };
}

/** Checks that every reader still gets the secrets. */
async function expectReadable(rows: Rows) {
  connectionCache().forgetWhere(() => true);
  const { endpointRow, totp } = await storedOf(rows);
  const found = await findConnection(database(), "revenuecat", rows.connection.id);
  expect(found).toMatchObject({ secret: "plain one", signingSecret: "plain two" });
  const { secret, formerSecret } = endpointRow;
  const secrets = readEndpointSecrets({ secret, former_secret: formerSecret }, rows.endpoint.id);
  expect(secrets).toEqual({ secret: "whsec_one", former_secret: "whsec_two" });
  expect((await listChannels(rows.ctx))[0]?.masked).toBe("hooks.slack.com/…ijkl");
  expect(unseal(totp, rows.user.id)).toEqual(TOTP);
}

async function sealedTexts(rows: Rows): Promise<string[]> {
  const { connectionRow, endpointRow, channelRow, totp } = await storedOf(rows);
  const { secret, formerSecret } = endpointRow;
  const texts = [connectionRow.secret, connectionRow.signingSecret, secret, formerSecret, channelRow.target];
  return [...texts.map(String), totp.toString("latin1")];
}

async function expectSealed(rows: Rows) {
  for (const text of await sealedTexts(rows)) expect(text.startsWith(sealedPrefix())).toBe(true);
  await expectReadable(rows);
}

test("rows of the version before are read, sealed once, and stay as they are in the next pass", async () => {
  const rows = await plainRows();
  await expectReadable(rows);
  await resealSecrets(database());
  await expectSealed(rows);
  const first = await sealedTexts(rows);
  await resealSecrets(database());
  expect(await sealedTexts(rows)).toEqual(first);
});

test("a new first key seals everything again, and the former one is no longer needed", async () => {
  const rows = await plainRows();
  use(["1".repeat(32)]);
  await expectReadable(rows);
  await resealSecrets(database());
  await expectSealed(rows);
  use(["2".repeat(32), "1".repeat(32)], "another secret of the sessions, 32");
  await expectReadable(rows);
  await resealSecrets(database());
  use(["2".repeat(32)], "another secret of the sessions, 32");
  await expectSealed(rows);
});

test("a key that was removed too early is in the log and the health from the start, until every secret can be opened", async () => {
  Object.assign(env(), { DATA_DIR: await temporaryFolder() });
  const health = async () => (await checkHealth({} as ApiExchange)).body;
  const rows = await plainRows();
  await resealSecrets(database());
  const stored = await sealedTexts(rows);
  /** Starts the watch as a process with these keys does. */
  const start = (keys: string[], secret: string) => {
    use(keys, secret);
    const stop = watchSecrets(true);
    onTestFinished(stop);
    return stop;
  };
  const said = vi.spyOn(log(), "error");
  const stop = start(["9".repeat(32)], "another secret of the sessions, 32");
  await vi.waitFor(() => expect(said).toHaveBeenCalledTimes(4), 60_000);
  const text = "secrets that no key of SEALING_KEYS or AUTH_SECRET opens";
  const numbers = { unreadable: expect.any(Number), inUse: expect.any(Number) };
  expect(said).toHaveBeenCalledWith({ table: "webhook_endpoints", ...numbers }, text);
  const inUse = said.mock.calls.reduce((sum, [line]) => sum + Object(line).inUse, 0);
  expect(await health()).toEqual({ status: "degraded", late: [], secrets: inUse });
  const metric = /^metacode_unreadable_secrets\{.*\} (\d+)$/m;
  expect(metric.exec((await collectMetrics(database())).text)?.[1]).toBe(String(inUse));
  stop();
  const every = ["9", "2", "1"].map((digit) => digit.repeat(32));
  start(every, AUTH_SECRET);
  await vi.waitFor(async () => expect(await health()).toEqual({ status: "ok" }), 60_000);
  expect(metric.exec((await collectMetrics(database())).text)?.[1]).toBe("0");
  // The first pass of a process writes nothing, because processes of the previous version may still run.
  expect(await sealedTexts(rows)).toEqual(stored);
});

test("secrets that no operator can fix are in the log and do not degrade the health", async () => {
  const [switchedOff, deleted, expired] = [await plainRows(), await plainRows(), await plainRows()];
  const counted = async () => {
    use(["8".repeat(32)], "another secret of the sessions, 32");
    await resealSecrets(database(), false);
    use([]);
    return unreadableSecrets() ?? 0;
  };
  await resealSecrets(database());
  const before = await counted();
  const run = (change: SQL) => database().orm.execute(change);
  for (const table of ["provider_connections", "webhook_endpoints", "alert_channels"].map(sql.identifier))
    await run(sql`update ${table} set enabled = false where app_id = ${switchedOff.ctx.app.id}`);
  expect(before - (await counted())).toBe(4);
  await run(sql`update apps set deleted_at = now() where id = ${deleted.ctx.app.id}`);
  const ofFormer = sql`update webhook_endpoints set former_until = now()`;
  const own = sql`where id = ${expired.endpoint.id}`;
  await run(sql`${ofFormer} + interval '1 hour' ${own}`);
  expect(before - (await counted())).toBe(7);
  await run(sql`${ofFormer} ${own}`);
  expect(before - (await counted())).toBe(8);
});

test("passes of several processes at once leave every row readable", async () => {
  const all: Rows[] = [];
  for (let index = 0; index < 5; index++) all.push(await plainRows());
  await Promise.all(Array.from({ length: 4 }, () => resealSecrets(database())));
  for (const rows of all) await expectSealed(rows);
});

test("an older version beside may rotate a secret of a sealed row, and the next pass seals the new text", async () => {
  const rows = await plainRows();
  await resealSecrets(database());
  const { endpoint } = rows;
  await database().orm.execute(sql`
    update webhook_endpoints set former_secret = secret, former_until = now() + interval '1 hour', secret = 'whsec_new'
     where id = ${endpoint.id}`);
  await resealSecrets(database());
  const { endpointRow } = await storedOf(rows);
  expect(endpointRow.secret.startsWith(sealedPrefix())).toBe(true);
  const { secret, formerSecret } = endpointRow;
  const secrets = readEndpointSecrets({ secret, former_secret: formerSecret }, endpoint.id);
  expect(secrets).toEqual({ secret: "whsec_new", former_secret: "whsec_one" });
});

test("a secret that changes while a pass runs keeps its new value", async () => {
  const { ctx } = await makeTenant();
  const { id } = await createConnection(ctx, { provider: "revenuecat" });
  await ctx.db.orm.update(providerConnections).set({ secret: "plain" }).where(eq(providerConnections.id, id));
  let latest = "";
  const columns = { secret: "enabled" } as const;
  const table: SealedTable = { name: "provider_connections", key: ["app_id", "id"], columns };
  const { execute } = ctx.db.orm;
  const orm = new Proxy(ctx.db.orm, {
    get: (target, name) =>
      name !== "execute"
        ? Reflect.get(target, name)
        : async (...statement: Parameters<typeof execute>) => {
            const result = await execute.apply(target, statement);
            // Between the read of the page and the update of its rows.
            latest ||= (await rotateConnectionSecret(ctx, id)).secret;
            return result;
          },
  });
  await resealTable({ ...ctx.db, orm }, table);
  expect((await findConnection(database(), "revenuecat", id))?.secret).toBe(latest);
});

test("a pass goes through all pages, and past rows that no key opens", async () => {
  const { ctx } = await makeTenant();
  await ctx.db.orm.execute(sql`
    insert into alert_channels (app_id, id, type, name, target)
    select ${ctx.app.id}, gen_random_uuid(), 'slack', '', 'https://chat.example.com/' || n
      from generate_series(1, ${CHUNK + 5}::int) n`);
  const columns = { target: "enabled" } as const;
  const table: SealedTable = { name: "alert_channels", key: ["app_id", "id"], columns };
  use(["3".repeat(32)]);
  const { sealed, unreadable } = await resealTable(database(), table);
  expect(sealed).toBeGreaterThanOrEqual(CHUNK + 5);
  use(["4".repeat(32)]);
  expect(await resealTable(database(), table)).toMatchObject({ sealed: 0, unreadable: unreadable + sealed });
  use(["3".repeat(32)]);
  expect(await resealTable(database(), table)).toMatchObject({ sealed: 0, unreadable });
});
