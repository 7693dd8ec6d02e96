import { eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { PHONE_SCOPES } from "@/lib/contract/api-key";
import { database } from "@/lib/platform/db/client";
import { apps, batches, refereesInLine, referrers, slugDirectory } from "@/lib/platform/db/schema";
import { limits } from "@/lib/platform/limits/limits";
import { importCodes } from "@/lib/program/codes/import";
import { randomCodeFile } from "@/lib/program/codes/sample-codes";
import { insertKey } from "@/lib/tenants/api-keys/create";
import { clientOf, postToApi } from "@/lib/testing/client";
import { persistently } from "@/lib/testing/parallel";
import { assignedCodes } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { makeTenant, type Tenant } from "@/lib/testing/tenant";
import { addressToken, CLIENT_ADDRESS_HEADER } from "@/lib/web/http/client-address";
import { withinAddressCap, YOUNG_HOURS } from "./address-cap";
import { approveReferee, listReviews } from "./review";

const CAP = 6;
useService();

let tenant: Tenant;
let phone: string;

beforeEach(async () => {
  tenant = await makeTenant({ codes: 60 });
  phone = (await insertKey(tenant.ctx, "Phone app", PHONE_SCOPES, { dailyBudget: null, addressCap: CAP }))
    .key;
});

const from = (address: string) => ({ [CLIENT_ADDRESS_HEADER]: `${addressToken()}${address}` });

const redeem = (uid: string, metacode: string, { key = phone, address = "192.0.2.7", extra = {} } = {}) =>
  clientOf(key).redeem(uid, metacode, "ios", {}, { ...from(address), ...extra });

/** The metacode of a referrer who is older than a day, as its id says. */
async function oldReferrer(): Promise<string> {
  const [app, slug] = [tenant.ctx.app.id, `old${uuidv7().slice(-6)}`];
  const time = (Date.now() - (YOUNG_HOURS + 1) * 3_600_000).toString(16).padStart(12, "0");
  const id = `${time.slice(0, 8)}-${time.slice(8)}${uuidv7().slice(13)}`;
  await tenant.ctx.db.orm.insert(slugDirectory).values({ slug, appId: app, referrerId: id });
  await tenant.ctx.db.orm.insert(referrers).values({ appId: app, id, uid: slug, slug });
  return slug;
}

describe("in an app that holds redeems beyond a cap for review", () => {
  /** The statuses of redeems over the cap. */
  const beyond = async (...uids: string[]) => {
    const replies = [];
    for (const uid of uids) replies.push(await redeem(uid, metacode));
    return replies.map(({ status, body }) => body.error?.code ?? status);
  };
  let metacode: string;

  beforeEach(async () => {
    await tenant.ctx.db.orm
      .update(apps)
      .set({ reviewsBeyondCaps: true })
      .where(eq(apps.id, tenant.ctx.app.id));
    metacode = await oldReferrer();
    for (let n = 0; n < CAP; n++) expect((await redeem(`friend-${n}`, metacode)).status).toBe(200);
  });

  test("such a redeem is held, and an approved one gets its code", async () => {
    expect(await beyond("bob", "cat")).toEqual(["NO_CODES_AVAILABLE", "NO_CODES_AVAILABLE"]);
    const { data } = await listReviews(tenant.ctx, { state: undefined, cursor: undefined });
    expect(data).toMatchObject([{ refereeUid: "bob", beyond: "codes_per_address" }, { refereeUid: "cat" }]);
    await approveReferee(tenant.ctx, data[0]?.id ?? "");
    expect(await beyond("bob", "cat", "friend-0")).toEqual([200, "NO_CODES_AVAILABLE", "ALREADY_REDEEMED"]);
  });

  test("a full list refuses, and no Idempotency-Key remembers that", async () => {
    await tenant.ctx.db.orm.execute(sql`
      insert into referees_in_line (app_id, campaign_id, referee_uid, platform, referrer_id, place, state, beyond)
      select app_id, id, 'made-up-' || n, 'ios', gen_random_uuid(), new_id(), 'review', 'codes_per_address'
        from campaigns, generate_series(1, 1000) n where app_id = ${tenant.ctx.app.id}`);
    const once = () => redeem("bob", metacode, { extra: { "idempotency-key": "bob" } });
    expect((await once()).body.error.code).toBe("RATE_LIMITED");
    await tenant.ctx.db.orm.delete(refereesInLine).where(eq(refereesInLine.appId, tenant.ctx.app.id));
    expect((await once()).body.error.code).toBe("NO_CODES_AVAILABLE");
  });
});

/** Redeems of made-up people. A busy machine answers some with 503, which counts nothing and invites another try. */
const atOnce = (count: number, metacode: string) =>
  Promise.all(
    Array.from({ length: count }, (_, n) =>
      persistently(
        () => redeem(`made-up-${n}`, metacode),
        ({ status }) => status !== 503,
      ),
    ),
  );

describe("the cap of an address", () => {
  test("bounds one person with made-up uids, however many come at once", async () => {
    const metacode = await oldReferrer();
    const replies = await atOnce(50, metacode);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(CAP);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(50 - CAP);
    expect(await assignedCodes(tenant)).toHaveLength(CAP);
    expect((await redeem("neighbour", metacode, { address: "198.51.100.1" })).status).toBe(200);
  });

  test("is used up twice as fast through referrers younger than a day, who may be made up", async () => {
    const codes: number[] = [];
    for (let n = 0; n < CAP; n++) {
      const made = await postToApi("referrer", { uid: `made-up-${n}` }, phone, from("192.0.2.7"));
      codes.push((await redeem(`friend-${n}`, made.body.metacode)).status);
    }
    expect(codes.filter((status) => status === 200)).toHaveLength(CAP / 2);
  });

  test("is used up twice as fast through a young referrer, however many come at once", async () => {
    const { metacode } = (await clientOf(tenant.key).referrer("ann")).body;
    const replies = await atOnce(20, metacode);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(CAP / 2);
    expect(await assignedCodes(tenant)).toHaveLength(CAP / 2);
  });

  test("counts a place in line once, and not again for the code that is set aside", async () => {
    await tenant.ctx.db.orm
      .update(batches)
      .set({ state: "quarantined" })
      .where(eq(batches.appId, tenant.ctx.app.id));
    const metacode = await oldReferrer();
    const statuses = async () => {
      const seen = [];
      for (let n = 0; n <= CAP; n++) seen.push((await redeem(`made-up-${n}`, metacode)).status);
      return seen;
    };
    // Each is in line once, however often the app asks.
    for (let n = 0; n < CAP; n++) expect((await redeem("made-up-0", metacode)).status).toBe(503);
    expect(await statuses()).toEqual([...Array(CAP).fill(503), 429]);
    const poolId = tenant.pools.ios.referee;
    const file = { poolId, kind: "one_time", source: randomCodeFile("ios", 20) } as const;
    expect(await importCodes(tenant.ctx, file)).toMatchObject({ setAside: CAP });
    expect(await statuses()).toEqual([...Array(CAP).fill(200), 429]);
  });

  test("counts no redeem without a code, and no retry", async () => {
    const metacode = await oldReferrer();
    for (let n = 0; n < CAP; n++) expect((await redeem("bob", "zzzzzzzz")).status).toBe(404);
    const first = await redeem("bob", metacode, { extra: { "idempotency-key": "bob" } });
    expect(first.status).toBe(200);
    for (let n = 1; n < CAP; n++) expect((await redeem(`bob-${n}`, metacode)).status).toBe(200);
    expect((await redeem("late", metacode)).status).toBe(429);
    // A referee who has a code gets it again, whatever others at the address have used.
    const again = await redeem("bob", metacode, { extra: { "idempotency-key": "bob" } });
    expect([again.status, again.body]).toEqual([200, first.body]);
    const plain = await redeem("bob", metacode);
    expect([plain.status, plain.body.redemption]).toEqual([409, first.body]);
  });

  test("counts a referrer once whose first calls come at once", async () => {
    const make = (uid: string) => postToApi("referrer", { uid }, phone, from("192.0.2.7"));
    const first = await Promise.all(Array.from({ length: CAP - 1 }, () => make("ann")));
    for (const { status } of first) expect(status).toBe(200);
    for (let n = 1; n < CAP; n++) expect((await make(`bob-${n}`)).status).toBe(200);
    const { status, body } = await make("cat");
    expect([status, body.error.message]).toEqual([
      429,
      expect.stringMatching(/ try again in (an?|\d+) (minute|hour)s?$/),
    ]);
  });

  test("does not count a referrer that the database could not store", async () => {
    const make = (uid: string) => postToApi("referrer", { uid }, phone, from("192.0.2.7"));
    const full = Object.assign(new Error("disk full"), { code: "53100" });
    const insert = vi.spyOn(database().orm, "insert").mockImplementation(() => {
      throw full;
    });
    for (let n = 0; n < CAP; n++) expect((await make("ann")).status).toBe(503);
    insert.mockRestore();
    expect((await make("ann")).status).toBe(200);
  });

  test("bounds new referrers, and never the reading of one that exists", async () => {
    const create = (uid: string, address = "192.0.2.7") =>
      postToApi("referrer", { uid }, phone, from(address));
    for (let n = 0; n < CAP; n++) expect((await create(`ann-${n}`)).status).toBe(200);
    expect((await create("one-too-many")).status).toBe(429);
    expect((await create("ann-0")).status).toBe(200);
    expect((await create("other", "198.51.100.1")).status).toBe(200);
    const rows = await tenant.ctx.db.orm
      .select()
      .from(referrers)
      .where(eq(referrers.appId, tenant.ctx.app.id));
    expect(rows).toHaveLength(CAP + 1);
  });

  test("does not exist for a server's key, because all users share its address", async () => {
    const metacode = await oldReferrer();
    for (let n = 0; n < 2 * CAP; n++) {
      expect((await redeem(`bob-${n}`, metacode, { key: tenant.key })).status).toBe(200);
    }
  });
});

test("redeems that come at once count as often as they are, however many wait for units", async () => {
  const counted = vi.spyOn(limits(), "perAddress");
  await Promise.all(Array.from({ length: 200 }, (_, n) => redeem(`friend-${n}`, `unknown${n}`)));
  expect(counted.mock.calls.length).toBeLessThan(2 * 2 * 200);
  counted.mockRestore();
});

test("a redeem that returns its unit while the last other one ends still gets its answer", async () => {
  const metacode = await oldReferrer();
  for (let n = 0; n < CAP - 3; n++) await redeem(`friend-${n}`, metacode);
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const { returnUnit } = limits();
  // The first unit to come back is that of the redeem that waits.
  const spy = vi.spyOn(limits(), "returnUnit").mockImplementationOnce(async (...unit) => {
    await ended;
    await returnUnit(...unit);
  });
  const replies = await Promise.all([redeem("ann", metacode).finally(end), redeem("ben", metacode)]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  expect(spy).toHaveBeenCalled();
  spy.mockRestore();
});

test("a redeem that finds its units taken by another process, which returns them, is not refused", async () => {
  const metacode = await oldReferrer();
  for (let n = 0; n < CAP; n++) await redeem(`friend-${n}`, metacode);
  const { perAddress, returnUnit } = limits();
  const spy = vi.spyOn(limits(), "perAddress");
  const both = spy.mockImplementationOnce(perAddress).mockImplementationOnce(async (...taken) => {
    const verdict = await perAddress(...taken);
    await returnUnit("code", CAP, taken[2]);
    return verdict;
  });
  expect((await redeem("ann", metacode)).status).toBe(200);
  both.mockRestore();
  expect((await redeem("ben", metacode)).status).toBe(429);
});

test("a redeem that has waited for another process still leaves those known that began meanwhile", async () => {
  const actor = { kind: "api_key", limitsId: uuidv7(), address: "192.0.2.7", addressCap: 2 };
  const spy = vi.spyOn(limits(), "perAddress");
  for (let n = 0; n < 4; n++) spy.mockResolvedValueOnce({ allowed: false, retryAfter: 1 } as never);
  const run = vi.fn(() => new Promise((done) => setTimeout(done, 20, { replayed: true })));
  await Promise.all([1, 2].map(() => withinAddressCap({ actor } as never, run as never)));
  expect(run.mock.calls).toEqual([[], []]);
  spy.mockRestore();
});
