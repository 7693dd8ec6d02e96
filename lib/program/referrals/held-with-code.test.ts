import { and, asc, eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { HOUR_MS } from "@/lib/contract/format";
import { getPerson } from "@/lib/outward/person/get";
import { apps, outbox, refereesInLine } from "@/lib/platform/db/schema";
import { setAsideOverlooked } from "@/lib/program/code-requests/overlooked";
import { joinUids } from "@/lib/program/end-users/join";
import { endPlaces, setAside } from "@/lib/program/line/line";
import { updateReferrerStatus } from "@/lib/program/referrers/update";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember } from "@/lib/testing/support";
import { makeBatch } from "@/lib/testing/tenant";
import { approveReferee, dismissReferee } from "./review";

useService({ AUTH_SECRET: "a secret of the tests, 32 characters" });

/** Two people in line, the first of whom is held over a cap although a code was set aside for them. */
async function heldWithCode() {
  const { tenant, api, metacode } = await referringTenant({ codes: 1, app: { reviewsBeyondCaps: true } });
  const ctx = asTeamMember(tenant.ctx);
  const own = eq(refereesInLine.appId, ctx.app.id);
  const redeem = async (uid: string) => (await api.redeem(uid, metacode)).status;
  for (const uid of ["friend", "bob", "cat"]) expect(await redeem(uid)).toBe(uid === "friend" ? 200 : 503);
  await makeBatch(ctx, tenant.pools.ios.referee, "ios", { size: 1 });
  expect(await setAside(ctx, tenant.pools.ios.referee)).toBe(1);
  await ctx.db.orm.update(apps).set({ referrerDailyCap: 1 }).where(eq(apps.id, ctx.app.id));
  expect(await redeem("bob")).toBe(503);
  const rows = () => ctx.db.orm.select().from(refereesInLine).where(own).orderBy(asc(refereesInLine.place));
  const places = async () =>
    (await rows()).map(({ refereeUid, state, codeId }) => [refereeUid, state, codeId !== null]);
  const placeOf = async (uid: string) => (await rows()).find((row) => row.refereeUid === uid)?.place ?? "";
  expect((await places())[0]).toEqual(["bob", "review", true]);
  const events = async () =>
    (
      await ctx.db.orm
        .select()
        .from(outbox)
        .where(and(eq(outbox.appId, ctx.app.id), eq(outbox.type, "referral.code_ready")))
        .orderBy(outbox.id)
    ).map(({ payload }) => payload);
  return { ctx, tenant, redeem, rows, places, placeOf, events };
}

test.each(["their own id", "a joined id"])(
  "a code that is set aside for a person who is dismissed by %s goes to the next in line at the next check",
  async (how) => {
    const { ctx, redeem, places, placeOf } = await heldWithCode();
    if (how === "a joined id") {
      expect(await redeem("bob-2")).toBe(503);
      await dismissReferee(ctx, await placeOf("bob-2"));
      await joinUids(ctx, { uid: "bob", otherUid: "bob-2", reason: "Reinstalled", keepApart: "true" });
    } else await dismissReferee(ctx, await placeOf("bob"));
    await setAsideOverlooked(ctx);
    await endPlaces(ctx);
    const line = [
      ["bob", "dismissed", false],
      ["cat", "waiting", true],
    ];
    expect((await places()).filter(([uid]) => uid !== "bob-2")).toEqual(line);
  },
);

test("a person who is approved between the check after a dismissal and the next round keeps the place in line", async () => {
  const { ctx, places, placeOf } = await heldWithCode();
  await dismissReferee(ctx, await placeOf("bob"));
  await setAsideOverlooked(ctx);
  await approveReferee(ctx, await placeOf("bob"));
  await endPlaces(ctx);
  expect((await places())[0]).toEqual(["bob", "waiting", false]);
});

test("a code that is set aside on a platform which its person has left goes to the next in line at the next check", async () => {
  const { ctx, places, placeOf } = await heldWithCode();
  // As after a move, when a pause ends before the next round and the 48 hours begin again.
  const move = sql`update referees_in_line set platform = 'android' where place = ${await placeOf("bob")}`;
  await ctx.db.orm.execute(move);
  await setAsideOverlooked(ctx);
  await endPlaces(ctx);
  expect((await places()).map(([, , hasCode]) => hasCode)).toEqual([false, true]);
});

test("an approval begins the 48 hours of a code that is set aside again, with an event", async () => {
  const { ctx, redeem, rows, placeOf, events } = await heldWithCode();
  const soon = sql`now() + interval '1 hour'`;
  await ctx.db.orm
    .update(refereesInLine)
    .set({ reservedUntil: soon })
    .where(and(eq(refereesInLine.appId, ctx.app.id), eq(refereesInLine.refereeUid, "bob")));
  await approveReferee(ctx, await placeOf("bob"));
  const until = (await rows())[0]?.reservedUntil;
  expect(Number(until) - Date.now()).toBeGreaterThan(47 * HOUR_MS);
  const own = { referee_uid: "bob", platform: "ios" };
  expect(await events()).toMatchObject([own, { ...own, reserved_until: until?.toISOString() }]);
  expect([await redeem("cat"), await redeem("bob")]).toEqual([503, 200]);
  // As if the 48 hours that the approval replaced had ended before this redeem.
  const over = JSON.stringify({ reserved_until: new Date(Date.now() - HOUR_MS / 2) });
  await ctx.db.orm.execute(sql`
    update outbox set created_at = now() - interval '1 hour', payload = payload
           || case when payload ->> 'reserved_until' < ${until?.toISOString()} then ${over}::jsonb else '{}' end
     where app_id = ${ctx.app.id} and type = 'referral.code_ready'`);
  expect((await getPerson(ctx, "bob")).places).toEqual([]);
});

test.each([
  ["whose batch expires within those hours", "update batches set expires_at = now() + interval '60 hours'"],
  ["whose campaign is paused", "update campaigns set status = 'paused'"],
  ["whose campaign is over", "update campaigns set ends_at = now()"],
  ["that their person has had", "update batches set offer = 'Month', expires_at = null"],
])("an approval leaves the time of a code %s as it is", async (_, change) => {
  const { ctx, rows, placeOf, events } = await heldWithCode();
  await ctx.db.orm.execute(sql`${sql.raw(change)} where app_id = ${ctx.app.id}`);
  await ctx.db.orm.execute(
    sql`insert into offer_takers (app_id, platform, offer, uid) values (${ctx.app.id}, 'ios', 'Month', 'bob')`,
  );
  const [before] = await rows();
  await approveReferee(ctx, await placeOf("bob"));
  expect((await rows())[0]?.reservedUntil).toEqual(before?.reservedUntil);
  expect(await events()).toHaveLength(1);
});

test("a redemption whose referrer has ended is not approved, and says why", async () => {
  const { ctx, rows, placeOf, places } = await heldWithCode();
  await updateReferrerStatus(ctx, (await rows())[0]?.referrerId ?? "", "ended");
  await expect(approveReferee(ctx, await placeOf("bob"))).rejects.toMatchObject({
    code: "CONFLICT",
    message: expect.stringContaining("metacode of another friend"),
  });
  expect((await places())[0]).toEqual(["bob", "review", true]);
  await dismissReferee(ctx, await placeOf("bob"));
});
