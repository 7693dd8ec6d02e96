import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { z } from "zod";
import { database } from "@/lib/platform/db/client";
import { apps, batches, codes, workspaces } from "@/lib/platform/db/schema";
import { clientOf } from "@/lib/testing/client";
import { useService } from "@/lib/testing/service";

useService({ APP_URL: "https://metacode.example", LANDING_URL: "https://go.example" });

const provider = (name: string) =>
  z.string().regex(new RegExp(`^https://metacode\\.example/api/providers/${name}/[0-9a-f-]{36}$`));
const key = z.string().regex(/^mc_(test|live)_[0-9A-Za-z]{38}$/);

const shape = z.strictObject({
  base_url: z.literal("https://metacode.example/api"),
  landing_url: z.literal("https://go.example"),
  workspace_id: z.uuid(),
  app_id: z.uuid(),
  campaign_id: z.uuid(),
  api_key: key,
  read_only_key: key,
  redeem_only_key: key,
  owner: z.strictObject({ email: z.email(), password: z.string().min(10) }),
  providers: z.strictObject({
    revenuecat: z.strictObject({ url: provider("revenuecat"), authorization: z.string().min(20) }),
    generic: z.strictObject({ url: provider("generic"), secret: z.string().regex(/^whsec_/) }),
  }),
  pools: z.strictObject({
    referee_ios: z.uuid(),
    reward_ios: z.uuid(),
    referee_android: z.uuid(),
    reward_android: z.uuid(),
  }),
});

/** Runs a command as a user does; it reads this file's database from the environment. */
async function command(name: string, ...args: string[]) {
  const { stdout } = await promisify(execFile)(process.execPath, ["lib/cli/run.mjs", name, ...args]);
  return stdout;
}

const sample = async (...args: string[]) =>
  shape.parse(JSON.parse(await command("sample", "--json", ...args)));

test("a sample is one JSON object with all documented fields", async () => {
  const made = await sample("--codes", "25", "--threshold", "1");
  const full = clientOf(made.api_key);
  const { metacode, progress } = (await full.referrer("anna")).body;
  expect(progress.ios.threshold).toBe(1);
  expect((await clientOf(made.redeem_only_key).redeem("bob", metacode)).status).toBe(200);
  expect((await clientOf(made.redeem_only_key).referrer("anna")).status).toBe(403);
  expect((await clientOf(made.read_only_key).referrer("anna")).status).toBe(200);
  expect((await clientOf(made.read_only_key).redeem("eve", metacode)).status).toBe(403);
  const mine = eq(codes.appId, made.app_id);
  expect(await database().orm.select().from(codes).where(mine)).toHaveLength(100);
  const offers = await database().orm.select().from(batches).where(eq(batches.appId, made.app_id));
  expect(offers.map(({ offer }) => offer)).toEqual([null, null, null, null]);
});

test("samples are separate, with the requested plan and kind", async () => {
  const live = await sample("--codes", "1", "--plan", "free", "--live");
  const sandbox = await sample("--codes", "1", "--sandbox");
  const all = [...Object.values(live.pools), ...Object.values(sandbox.pools)];
  expect(new Set(all).size).toBe(8);
  const { metacode } = (await clientOf(live.api_key).referrer("anna")).body;
  expect((await clientOf(sandbox.api_key).redeem("bob", metacode)).status).toBe(404);
  expect([live.api_key.slice(0, 8), sandbox.api_key.slice(0, 8)]).toEqual(["mc_live_", "mc_test_"]);
  const kinds = await Promise.all(
    [live, sandbox].map(async ({ workspace_id }) => {
      const [row] = await database()
        .orm.select({ plan: workspaces.plan, sandbox: apps.sandbox })
        .from(workspaces)
        .innerJoin(apps, eq(apps.workspaceId, workspaces.id))
        .where(eq(workspaces.id, workspace_id));
      return row;
    }),
  );
  expect(kinds).toEqual([
    { plan: "free", sandbox: false },
    { plan: "pro", sandbox: true },
  ]);
  const quota = ["--quota", "1234"];
  expect(await command("plan", live.workspace_id, "enterprise", ...quota)).toContain(
    "1,234 requests a month",
  );
  const [changed] = await database()
    .orm.select()
    .from(workspaces)
    .where(eq(workspaces.id, live.workspace_id));
  expect(changed).toMatchObject({ plan: "enterprise", quotaOverride: 1_234 });
  expect(await command("plan", live.workspace_id, "pro")).toContain("on pro with 100,000 requests a month");
});

test.each([
  ["sample", ["--codes", "many"], "--codes must be a whole number from 0 to 1000000"],
  ["sample", ["--live", "--sandbox"], "--sandbox and --live exclude each other"],
  ["plan", [], "Usage: npm run plan"],
  ["plan", ["me", "pro"], "workspace-id must be a UUID"],
  ["plan", ["01890000-0000-7000-8000-000000000000", "pro"], "There is no workspace 01890000"],
])("npm run %s -- %j ends with one clear line", async (name, args, line) => {
  const failed = await command(name, ...args).catch((error: { code: number; stderr: string }) => error);
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining(line) });
});
