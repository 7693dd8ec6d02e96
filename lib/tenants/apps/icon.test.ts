import { randomBytes, randomUUID } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";
import { eq } from "drizzle-orm";
import sharp from "sharp";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { database } from "@/lib/platform/db/client";
import { apps, auditLog } from "@/lib/platform/db/schema";
import { createApp } from "@/lib/tenants/apps/create";
import { findIcon, updateIcon } from "@/lib/tenants/apps/icon";
import { conflictOf } from "@/lib/tenants/audit/changes";
import type { Context } from "@/lib/tenants/context";
import { clientOf } from "@/lib/testing/client";
import { blockedBackends } from "@/lib/testing/database/locks";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { joinAs, makeWorkspace } from "@/lib/testing/workspace";
import { unsubscribeRoute } from "@/lib/web/http/unsubscribe";

useService();

const iconHashOf = async ({ db, app }: Context) =>
  (await db.orm.select().from(apps).where(eq(apps.id, app.id)))[0]?.iconHash ?? null;

const actionsOf = async ({ db, workspace }: Context) =>
  (await db.orm.select().from(auditLog).where(eq(auditLog.workspaceId, workspace.id))).map(
    ({ action }) => action,
  );

/** A PNG of one colour. */
const png = (width: number, height = width, r = 0): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: { r, g: 10, b: 20 } } })
    .png()
    .toBuffer();

/** A chunk of a PNG file. */
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A PNG with a chunk behind its header, which ends at byte 33. */
const withChunk = (bytes: Buffer, type: string, data: Buffer) =>
  Buffer.concat([bytes.subarray(0, 33), chunk(type, data), bytes.subarray(33)]);

/** A PNG whose header states another size than its pixels have. */
function resized(bytes: Buffer, side: number): Buffer {
  const header = Buffer.from(bytes.subarray(16, 29));
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  return Buffer.concat([bytes.subarray(0, 8), chunk("IHDR", header), bytes.subarray(33)]);
}

const store = (ctx: Context, bytes: Buffer) => updateIcon(ctx, bytes.toString("base64"));

async function stored(ctx: Context): Promise<Buffer> {
  const icon = await findIcon(ctx.app.id, (await iconHashOf(ctx)) ?? "");
  if (!icon) throw new Error("the app has no icon");
  return icon.bytes;
}

describe("the icon of an app", () => {
  test("has an address that changes with it, and goes away", async () => {
    const { ctx } = await makeTenant();
    await store(ctx, await png(256, 256, 1));
    const first = (await iconHashOf(ctx)) ?? "";
    expect(await sharp(await stored(ctx)).metadata()).toMatchObject({
      format: "png",
      width: 256,
      height: 256,
    });
    await store(ctx, await png(256, 256, 2));
    expect(await findIcon(ctx.app.id, first)).toBeUndefined();
    await updateIcon(ctx, null);
    expect(await iconHashOf(ctx)).toBeNull();
    expect(await actionsOf(ctx)).toEqual(["app.icon_changed", "app.icon_changed", "app.icon_removed"]);
  });

  test("that was replaced since the form was opened is kept, and both versions are shown", async () => {
    const { ctx } = await makeTenant();
    const saver = (await joinAs(ctx.workspace.id, "admin", "Maria")).actor;
    const opened = JSON.stringify({ icon: null });
    await store({ ...ctx, actor: saver, seen: opened }, await png(64, 64, 1));
    const first = await iconHashOf(ctx);
    const refused = await store({ ...ctx, seen: opened }, await png(64, 64, 2)).catch((error) => error);
    expect(refused).toMatchObject({
      code: "CONFLICT",
      message: "Maria saved this just now, while you were editing. Your changes were not saved",
    });
    const conflict = conflictOf(refused);
    const second = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(conflict?.changes).toEqual([{ field: "icon", before: first, after: second }]);
    expect(await iconHashOf(ctx)).toBe(first);
    const removal = updateIcon({ ...ctx, seen: opened }, null);
    await expect(removal).rejects.toMatchObject({ code: "CONFLICT" });
    await store({ ...ctx, seen: opened }, await png(64, 64, 1));
    await store({ ...ctx, seen: conflict?.seen }, await png(64, 64, 2));
    expect(await actionsOf(ctx)).toEqual(["app.icon_changed", "app.icon_changed"]);
  });

  test("is known by its own app's address only", async () => {
    const [mine, other] = [await makeTenant(), await makeTenant()];
    await store(mine.ctx, await png(64));
    const hash = (await iconHashOf(mine.ctx)) ?? "";
    expect(await findIcon(other.ctx.app.id, hash)).toBeUndefined();
  });

  test("is stored as pixels only, whatever else the file contains", async () => {
    const { ctx } = await makeTenant();
    const whole = await png(64, 64, 200);
    const comment = Buffer.from("Comment\0<script>alert(1)</script>");
    await store(
      ctx,
      Buffer.concat([withChunk(whole, "tEXt", comment), Buffer.from("PK\u0003\u0004<script>")]),
    );
    const bytes = await stored(ctx);
    expect(bytes.toString("latin1")).not.toMatch(/script|tEXt/);
    const pixels = (picture: Buffer) => sharp(picture).removeAlpha().raw().toBuffer();
    expect(await pixels(bytes)).toEqual(await pixels(whole));
  });

  test("that unpacks to hundreds of megabytes is refused, or stored without them", async () => {
    const { ctx } = await makeTenant();
    const zeros = deflateSync(Buffer.alloc(150_000_000));
    const bomb = withChunk(await png(64), "zTXt", Buffer.concat([Buffer.from("Comment\0\0"), zeros]));
    expect(bomb.length).toBeLessThan(200_000);
    const before = process.memoryUsage().rss;
    const outcome = await store(ctx, bomb).catch((error: unknown) => error);
    expect(process.memoryUsage().rss - before).toBeLessThan(120_000_000);
    if (outcome === undefined) expect((await stored(ctx)).length).toBeLessThan(10_000);
    else expect(outcome).toMatchObject({ code: "VALIDATION_ERROR", field: "icon" });
  });

  test.each<[string, () => Promise<Buffer> | Buffer]>([
    ["an SVG", () => Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>")],
    [
      "a JPEG",
      async () =>
        sharp(await png(64))
          .jpeg()
          .toBuffer(),
    ],
    ["a header without a picture", async () => (await png(64)).subarray(0, 33)],
    ["a header and noise", async () => Buffer.concat([(await png(64)).subarray(0, 33), randomBytes(500)])],
    ["a truncated picture", async () => (await png(64)).subarray(0, -30)],
    ["fewer pixels than it states", async () => resized(await png(64), 1_024)],
    ["a broken checksum", async () => resized(await png(64), 64).fill(7, 29, 33)],
    ["not square", () => png(64, 65)],
    ["too small", () => png(15)],
    ["too many pixels", () => png(2_000)],
    ["too many bytes", async () => Buffer.concat([await png(64), randomBytes(200_000)])],
    ["nothing", () => Buffer.alloc(0)],
  ])("is refused: %s", async (_what, make) => {
    const { ctx } = await makeTenant();
    const attempt = store(ctx, await make());
    await expect(attempt).rejects.toMatchObject({ code: "VALIDATION_ERROR", field: "icon" });
    expect(await iconHashOf(ctx)).toBeNull();
  });
});

test("an app is created with its icon, and not at all when the icon is refused", async () => {
  const { workspaceContext, tenant } = await makeWorkspace();
  const created = await createApp(
    workspaceContext,
    { name: "With icon" },
    (await png(64)).toString("base64"),
  );
  const hash = await iconHashOf({ ...tenant.ctx, app: { ...tenant.ctx.app, id: created.id } });
  expect(await findIcon(created.id, hash ?? "")).toMatchObject({ type: "image/png" });
  const refused = createApp(workspaceContext, { name: "Not square" }, (await png(64, 32)).toString("base64"));
  await expect(refused).rejects.toMatchObject({ code: "VALIDATION_ERROR", field: "icon" });
  const { orm } = tenant.ctx.db;
  const names = await orm
    .select({ name: apps.name })
    .from(apps)
    .where(eq(apps.workspaceId, created.workspaceId));
  expect(names.map(({ name }) => name)).not.toContain("Not square");
});

test("made-up addresses of icons and of weekly emails take two connections each, however many they are", async () => {
  const { key } = await makeTenant();
  const { GET } = unsubscribeRoute();
  const made = () => ({ appId: randomUUID(), token: randomUUID() });
  const floods: [table: string, visit: () => Promise<unknown>][] = [
    ["app_icons", () => findIcon(randomUUID(), "0".repeat(64))],
    ["weekly_emails", () => GET(new Request("http://localhost"), { params: Promise.resolve(made()) })],
  ];
  for (const [table, visit] of floods) {
    const holder = await database().pool.connect();
    onTestFinished(() => holder.release(true));
    await holder.query(`begin; lock table ${table} in access exclusive mode`);
    const visits = Array.from({ length: 20 }, visit);
    expect(await blockedBackends(2)).toHaveLength(2);
    expect((await clientOf(key).referrer("bob")).status).toBe(200);
    expect(await blockedBackends(2)).toHaveLength(2);
    await holder.query("commit");
    await Promise.all(visits);
  }
});

test("icons beyond a number that may wait, and those that have waited for two seconds, are refused", async () => {
  const holder = await database().pool.connect();
  onTestFinished(() => holder.release(true));
  await holder.query("begin; lock table app_icons in access exclusive mode");
  const now = vi.spyOn(performance, "now").mockReturnValue(performance.now());
  onTestFinished(() => void now.mockRestore());
  const find = () => findIcon(randomUUID(), "0".repeat(64)).catch(({ code }) => code);
  const waiting = Array.from({ length: 202 }, find);
  // A race, so that icons without a bound fail the test and do not hang it.
  expect(await Promise.race([find(), blockedBackends(2)])).toBe("SERVICE_UNAVAILABLE");
  now.mockReturnValue(performance.now() + 2_001);
  await holder.query("commit");
  const refused = (await Promise.all(waiting)).filter((code) => code === "SERVICE_UNAVAILABLE");
  expect(refused).toHaveLength(200);
});

test("links in weekly emails beyond a number that may wait are answered with 503", async () => {
  const { GET } = unsubscribeRoute();
  const holder = await database().pool.connect();
  onTestFinished(() => holder.release(true));
  await holder.query("begin; lock table weekly_emails in access exclusive mode");
  const params = Promise.resolve({ appId: randomUUID(), token: randomUUID() });
  const visit = async () => (await GET(new Request("http://localhost"), { params })).status;
  const waiting = Array.from({ length: 202 }, visit);
  expect(await Promise.race([visit(), blockedBackends(2)])).toBe(503);
  await holder.query("commit");
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([200]));
});
