import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { flushRequests } from "@/lib/outward/request-log/buffer";
import { referrers, requestSubjects, slugDirectory } from "@/lib/platform/db/schema";
import { joinUids } from "@/lib/program/end-users/join";
import { releaseRedemption } from "@/lib/program/referrals/by-hand";
import { findEndUsers } from "@/lib/program/referrers/find";
import { updateMetacode } from "@/lib/program/referrers/metacode";
import { nearestMetacodes } from "@/lib/program/referrers/nearest";
import { updateEndUserNotes } from "@/lib/program/referrers/update";
import { clientOf } from "@/lib/testing/client";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember, referralIdOf, replaceCodeOf } from "@/lib/testing/support";
import { makeBatch, makeTenant } from "@/lib/testing/tenant";

useService();

test("a code that support replaced, or voided with its redemption, still finds its holder", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  const { code: first } = (await api.redeem("eve", metacode)).body;
  const id = await referralIdOf(ctx, "eve");
  await replaceCodeOf(ctx, id, "Expired");
  const { code: second } = (await api.redeem("eve-2", metacode)).body;
  await releaseRedemption(ctx, { referralId: await referralIdOf(ctx, "eve-2"), reason: "Wrong friend" });
  for (const [code, uid] of [
    [first, "eve"],
    [second, "eve-2"],
  ]) {
    expect(await findEndUsers(ctx, code)).toMatchObject([
      { kind: "code", section: "people", id: uid, note: `${uid}, void` },
    ]);
  }
});

test("a custom code finds five of its holders, and says where there are more", async () => {
  const { tenant, api, metacode } = await referringTenant({ codes: 0 });
  await makeBatch(tenant.ctx, tenant.pools.ios.referee, "ios", { size: 6, kind: "custom" });
  const redeem = async (uid: string): Promise<string> => (await api.redeem(uid, metacode)).body.code;
  const [code = ""] = await Promise.all(["a", "b", "c", "d", "e"].map(redeem));
  expect(await findEndUsers(tenant.ctx, code)).toHaveLength(5);
  const more = { kind: "code", section: "referrals", id: "", note: "more users: find by user ID" };
  expect((await findEndUsers(tenant.ctx, await redeem("f"))).slice(5)).toMatchObject([more]);
});

test("a pasted link finds the metacode or the code in it, whatever the rest of the link is", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const { ctx } = tenant;
  const { code, store_url: url } = (await api.redeem("eve", metacode)).body;
  const { store_url: play } = (await api.redeem("pia", metacode, "android")).body;
  for (const link of [
    `https://go.example.com/r/${metacode}`,
    `go.example.com/r/${metacode.toUpperCase()}/?utm=mail`,
  ]) {
    expect(await findEndUsers(ctx, link)).toMatchObject([{ kind: "referrer", note: metacode }]);
  }
  const mistyped = `https://go.example.com/r/${metacode.slice(0, -1)}`;
  expect(await findEndUsers(ctx, mistyped)).toMatchObject([{ note: `${metacode}, one character away` }]);
  for (const [link, uid] of [
    [url, "eve"],
    [`https://apps.apple.com/redeem?code=${code.toLowerCase()}#top`, "eve"],
    [play, "pia"],
  ]) {
    expect(await findEndUsers(ctx, link)).toMatchObject([{ kind: "code", note: uid }]);
  }
  // A user ID may look like a link.
  await api.redeem(`shop/r/${metacode}`, metacode);
  expect(await findEndUsers(ctx, `shop/r/${metacode}`)).toMatchObject([
    { kind: "referee" },
    { kind: "user" },
    { kind: "referrer" },
  ]);
});

test("an ID in other capitals and a code in groups are found, where nothing has the text as typed", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const { ctx } = tenant;
  const { code } = (await api.redeem("eve@example.com", metacode)).body;
  const phone = crypto.randomUUID().toUpperCase();
  await api.redeem(phone, metacode);
  await api.redeem("milo-7", "zzzzzzzz");
  await flushRequests();
  const found = async (text: string) => (await findEndUsers(ctx, text)).map(({ kind, id }) => [kind, id]);
  expect(await found("Eve@Example.com")).toContainEqual(["user", "eve@example.com"]);
  expect(await found(phone.toLowerCase())).toContainEqual(["user", phone]);
  expect(await found("MILO-7 ")).toEqual([["user", "milo-7"]]);
  for (const text of [
    `${code.slice(0, 4)} ${code.slice(4)}`,
    `${code.slice(0, 4)}-${code.slice(4)}`.toLowerCase(),
  ]) {
    expect(await findEndUsers(ctx, text), text).toMatchObject([{ kind: "code", note: "eve@example.com" }]);
  }
  for (const text of ["-", "- -"]) expect(await found(text), text).toEqual([]);
  // A user ID is compared byte for byte: the text as typed comes alone.
  await api.redeem("Milo-7", metacode);
  expect(await found("Milo-7")).not.toContainEqual(["user", "milo-7"]);
});

test("a pasted response finds the person of its request, and an ID that is not in the log leads to the reasons", async () => {
  const { tenant, api } = await referringTenant();
  const { error } = (await api.redeem("eve", "zzzzzzzz")).body;
  await flushRequests();
  for (const text of [JSON.stringify({ error }, null, 2), `Error ${error.request_id}.`]) {
    expect(await findEndUsers(tenant.ctx, text), text).toMatchObject([{ kind: "user", id: "eve" }]);
  }
  const unknown = uuidv7();
  for (const text of [unknown, `request_id: ${unknown}`]) {
    expect(await findEndUsers(tenant.ctx, text)).toMatchObject([
      { kind: "request", id: unknown, note: "not found" },
    ]);
  }
});

test("a person of a released redemption is found when the requests are gone", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  await api.redeem("eve", metacode);
  const referralId = await referralIdOf(ctx, "eve");
  await releaseRedemption(ctx, { referralId, reason: "Wrong friend" });
  // As after seven days.
  await flushRequests();
  await ctx.db.orm.delete(requestSubjects).where(eq(requestSubjects.appId, ctx.app.id));
  expect(await findEndUsers(ctx, "eve")).toMatchObject([{ kind: "user", id: "eve" }]);
  const other = (await makeTenant()).ctx;
  for (const text of [referralId, `"referral_id": "${referralId}"`]) {
    expect(await findEndUsers(ctx, text)).toMatchObject([{ kind: "user", id: "eve" }]);
    expect(await findEndUsers(other, text)).not.toContainEqual(expect.objectContaining({ kind: "user" }));
  }
});

/** A tenant whose referrer has a chosen metacode, of a text that no other test takes. */
async function withMetacode(slug: string) {
  const tenant = await makeTenant();
  const { referrer_id: id } = (await clientOf(tenant.key).referrer("ann")).body;
  await tenant.ctx.db.orm.update(slugDirectory).set({ slug }).where(eq(slugDirectory.referrerId, id));
  await tenant.ctx.db.orm.update(referrers).set({ slug }).where(eq(referrers.id, id));
  return tenant.ctx;
}

test("a metacode is found however it was typed, with one mistake or with characters that look alike", async () => {
  const ctx = await withMetacode("8good10z");
  const found = (note: string) => [expect.objectContaining({ kind: "referrer", note })];
  for (const text of ["8GOOD10Z", " 8good-10z ", "8goo d10z"]) {
    expect(await findEndUsers(ctx, text)).toEqual(found("8good10z"));
  }
  for (const text of ["8god10z", "8goood10z", "8godo10z", "8GOOD1OZ"]) {
    expect(await findEndUsers(ctx, text)).toEqual(found("8good10z, one character away"));
  }
  for (const text of ["8G00DIO2", "bgoodlo2", "8g0od1oz"]) {
    expect(await findEndUsers(ctx, text)).toEqual(found("8good10z, which looks alike"));
  }
  for (const text of ["8good1", "good10", "xgood10x"]) expect(await findEndUsers(ctx, text)).toEqual([]);
  await ctx.db.orm.update(referrers).set({ status: "ended" }).where(eq(referrers.appId, ctx.app.id));
  expect(await findEndUsers(ctx, "8god10z")).toEqual(found("8good10z, one character away, ended"));
});

test("a former metacode finds its referrer, once, and in its own app only", async () => {
  const ctx = await withMetacode("8f0rmer2");
  const [ann] = await findEndUsers(ctx, "8f0rmer2");
  await updateMetacode(ctx, ann?.id ?? "", "ann-runs-2");
  for (const [text, note] of [
    ["8F0RMER2", "annruns2, formerly 8f0rmer2"],
    ["ann-runs-2", "annruns2"],
  ] as const) {
    expect(await findEndUsers(ctx, text)).toEqual([{ ...ann, note }]);
    expect(await findEndUsers((await makeTenant()).ctx, text)).toEqual([]);
  }
});

test("a metacode of the least length is found with a character missing", async () => {
  const ctx = await withMetacode("q7kz");
  expect(await findEndUsers(ctx, "q7k")).toMatchObject([{ note: "q7kz, one character away" }]);
});

test("many long metacodes that were mistyped are looked up at once", async () => {
  const slug = "b8".repeat(16);
  const ctx = await withMetacode(slug);
  const typed = Array.from({ length: 49 }, (_, n) => `${n}`.padStart(32, "z8s5"));
  const nearest = await nearestMetacodes(ctx, [...typed, `${slug}x`]);
  expect([...nearest]).toMatchObject([[`${slug}x`, { metacode: slug, by: "edit" }]]);
});

test("a user ID with spaces around it is found by its exact text, before those without", async () => {
  const { tenant, api, metacode } = await referringTenant();
  for (const uid of [" eve ", "eve", "\u00a0ann"]) await api.redeem(uid, metacode);
  const found = async (text: string) =>
    (await findEndUsers(tenant.ctx, text)).map(({ id, title }) => [id, title]);
  const eve = ["eve", "eve"];
  expect(await found(" eve ")).toEqual([
    [" eve ", " eve "],
    [await referralIdOf(tenant.ctx, "eve"), "eve"],
    eve,
  ]);
  expect(await found("\u00a0ann")).toContainEqual(["\u00a0ann", "\u00a0ann"]);
  expect(await found("  eve")).toEqual([[await referralIdOf(tenant.ctx, "eve"), "eve"], eve]);
  expect((await findEndUsers(tenant.ctx, " eve ")).map(({ note }) => note)[0]).toBe(
    "with the spaces as typed",
  );
  const id = ` ${crypto.randomUUID()}`;
  await api.redeem(id, metacode);
  expect(await found(id)).toEqual([[id, id]]);
});

test.each([
  "100%",
  "_under_%score",
  `o'neill "the" \\ slash`,
  "🦊 fox-🦊",
  "a".repeat(255),
  "🦊".repeat(255),
  "../x?y=z&a#b",
])("a user ID of any characters is found by all of them, and by the beginning: %#", async (uid) => {
  const { tenant, api, metacode } = await referringTenant();
  expect((await api.redeem(uid, metacode)).status).toBe(200);
  await api.redeem("other", metacode);
  for (const text of [uid, [...uid].slice(0, 3).join("")]) {
    expect((await findEndUsers(tenant.ctx, text)).map(({ title }) => title)).toContain(uid);
    expect((await findEndUsers(tenant.ctx, text)).map(({ title }) => title)).not.toContain("other");
  }
});

test.each(["a".repeat(256), "%", "'; drop table codes; --", "\0", "\ud800", "  ", "🦊".repeat(300)])(
  "a text without a match finds no one and does not fail: %#",
  async (text) => {
    const { tenant, api, metacode } = await referringTenant();
    await api.redeem("eve", metacode);
    expect(await findEndUsers(tenant.ctx, text)).toEqual([]);
  },
);

test("a response or a message pasted whole finds the code or the metacode in it", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const { body } = await api.redeem("eve", metacode);
  expect(await findEndUsers(tenant.ctx, JSON.stringify(body))).toMatchObject([{ kind: "code", note: "eve" }]);
  const message = `Use my link https://go.example.com/r/${metacode}, it works`;
  expect(await findEndUsers(tenant.ctx, message)).toMatchObject([{ kind: "referrer", note: metacode }]);
});

test("a user is found by the exact ID that only notes or a join name", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  await updateEndUserNotes(ctx, { uid: "vip-1", notes: "Called on Monday" });
  await api.redeem("old-id", metacode);
  const ids = { uid: "old-id", otherUid: "fresh-77", reason: "New phone", keepApart: "true" } as const;
  await joinUids(ctx, ids);
  for (const id of ["vip-1", "fresh-77"])
    expect(await findEndUsers(ctx, id)).toMatchObject([{ kind: "user", id }]);
});
