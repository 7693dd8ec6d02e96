import { Readable } from "node:stream";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { flushRequests } from "@/lib/outward/request-log/buffer";
import { listEndpoints } from "@/lib/outward/webhooks/endpoints";
import { database } from "@/lib/platform/db/client";
import { completeEnv } from "@/lib/platform/env";
import { forgetSingleton } from "@/lib/platform/singleton";
import { STORE_CLICKS } from "@/lib/program/clicks/buffer";
import { importCodes } from "@/lib/program/codes/import";
import { listUnmatched } from "@/lib/program/confirmations/list";
import { linkConfirmation } from "@/lib/program/confirmations/resolve";
import { listConnections } from "@/lib/program/connections/connection";
import { stockOf } from "@/lib/program/stats/stock";
import { rotateKey } from "@/lib/tenants/api-keys/lifecycle";
import { listKeys } from "@/lib/tenants/api-keys/list";
import { clientOf } from "@/lib/testing/client";
import { applyEvent, refer } from "@/lib/testing/confirm";
import {
  SHARDS,
  type StatementPlan,
  scatteredStatements,
  shardedDatabase,
  watchPlans,
} from "@/lib/testing/database/shards";
import type { TestDatabase } from "@/lib/testing/database/test-database";
import { makeBatch, makeTenant, type Tenant } from "@/lib/testing/tenant";
import { findInvitation } from "@/lib/web/landing/find-invitation";

let own: TestDatabase;
let plans: StatementPlan[];

beforeAll(async () => {
  own = await shardedDatabase();
  completeEnv({ LOG_LEVEL: "silent", DATABASE_URL: own.url });
  plans = watchPlans(database().pool);
});
afterAll(async () => {
  await database().close();
  forgetSingleton("database");
  await own.drop();
});

/** The whole loop of the specification for one app. */
async function loop(tenant: Tenant): Promise<void> {
  const { ctx } = tenant;
  const api = clientOf(tenant.key);
  const { metacode } = (await api.referrer("ann", { name: "Ann" })).body;
  const [referee = ""] = await refer(tenant, metacode, 3);
  const headers = { "idempotency-key": "once" };
  for (const uid of ["cid", "cid", "dan"]) await api.redeem(uid, metacode, "android", {}, headers);
  await api.redeem("cid", metacode, "android");
  expect(await applyEvent(ctx, referee, "reverse")).toBe("reversed");
  expect(await applyEvent(ctx, referee, "restore")).toBe("restored");
  expect((await api.claim("ann", headers)).body.message).toBe("Successfully claimed 1 reward");
  expect((await api.claim("ann")).body.recent_claims).toHaveLength(1);
  expect((await findInvitation(metacode))?.appId).toBe(ctx.app.id);
}

/** The paths beside it: the inbox, clicks, imports, empty pools, and the lists of the dashboard. */
async function rest(tenant: Tenant): Promise<void> {
  const { ctx, pools } = tenant;
  const api = clientOf(tenant.key);
  const { referrer_id, metacode } = (await api.referrer("ann")).body;
  expect(await applyEvent(ctx, "stranger")).toBe("unmatched");
  const [waiting] = (await listUnmatched(ctx)).data;
  await linkConfirmation(ctx, { eventId: waiting?.id ?? "", uid: "cid", reason: "The receipt" });
  const click = uuidv7();
  await ctx.db.call(STORE_CLICKS, {
    app: ctx.app.id,
    ids: [click],
    referrers: [referrer_id],
    visitors: [Buffer.from("v")],
    times: [new Date()],
  });
  expect((await api.redeem("eve", metacode, "ios", { click_id: click })).status).toBe(200);
  const source = Readable.from([Buffer.from("IMPORTED1\nIMPORTED2\n")]);
  await importCodes(ctx, { poolId: pools.ios.referee, source, kind: "one_time" });
  await makeBatch(ctx, pools.ios.referee, "ios", { size: 1, offer: "spring" });
  for (let guest = 0; guest < 30; guest++) await api.redeem(`guest ${guest}`, metacode);
  const [key] = await listKeys(ctx);
  await rotateKey(ctx, { keyId: key?.id ?? "", grace: "1h" });
  await Promise.all([stockOf(ctx), listConnections(ctx), listEndpoints(ctx)]);
}

/** The look-up of a key or connection finds the app, and returns the app's row as well. */
const BEFORE_THE_APP = /^select .* from "(api_keys|provider_connections)" inner join "apps"/;

const FUNCTIONS = [
  "redeem_metacode",
  "get_referrer",
  "create_referrer",
  "claim_rewards",
  "receive_confirmation",
  "link_confirmation",
  "store_clicks",
  "import_codes",
  "find_invitation",
];

describe(`with every tenant's table in ${SHARDS} parts`, () => {
  test("each statement of a request needs only its own app's partition", async () => {
    const tenants = [
      await makeTenant({ codes: 8 }),
      await makeTenant({ codes: 8 }),
      await makeTenant({ codes: 8 }),
    ];
    for (const tenant of tenants) await loop(tenant);
    plans.splice(
      0,
      plans.findIndex(({ text }) => text.includes("get_referrer")),
    );
    for (const tenant of tenants) {
      // The log of the other tenants' requests would be written a second after them, possibly right now.
      await flushRequests();
      const before = plans.length;
      await rest(tenant);
      const mine = plans.slice(before).filter(({ text }) => !BEFORE_THE_APP.test(text));
      const parts = new Set(
        mine.flatMap(({ partitions }) => partitions.map((name) => name.replace(/^.*_p/, ""))),
      );
      expect(parts.size).toBe(1);
    }
    expect(scatteredStatements(plans).filter((text) => !BEFORE_THE_APP.test(text))).toEqual([]);
    for (const name of FUNCTIONS)
      expect(plans.some(({ text }) => text.startsWith(`select ${name}(`))).toBe(true);
    const tables = new Set(
      plans.flatMap(({ partitions }) => partitions.map((part) => part.replace(/_p\d+$/, ""))),
    );
    expect([...tables].sort()).toEqual(
      expect.arrayContaining([
        "batches",
        "campaign_platforms",
        "campaigns",
        "clicks",
        "codes",
        "idempotency_keys",
      ]),
    );
    expect([...tables].sort()).toEqual(
      expect.arrayContaining([
        "pools",
        "provider_events",
        "referrals",
        "referrer_progress",
        "referrers",
        "rewards",
      ]),
    );
  });

  test.each([
    ["a statement that names no app", `select count(*) from codes where code = 'x'`],
    [
      "a join that loses the app",
      `select c.code from codes c join batches b on b.id = c.batch_id where c.app_id = '${uuidv7()}'`,
    ],
    ["one inside a function", "select planted('x')"],
  ])("%s is found", async (_, text) => {
    const { pool } = database();
    await pool.query(`create or replace function planted(p_uid text) returns int language plpgsql as $$
      begin update referrals set reversed_at = now() where referee_uid = p_uid; return 1; end $$`);
    const before = plans.length;
    await pool.query(text);
    expect(scatteredStatements(plans.slice(before))).toHaveLength(1);
  });
});
