import { join } from "node:path";
import { and, eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import AccountPage from "@/app/dashboard/account/page";
import { createWorkspaceAction } from "@/app/dashboard/workspaces/actions";
import { ATTEMPT_FIELD } from "@/lib/contract/form-state";
import type { Role } from "@/lib/contract/workspace";
import { database } from "@/lib/platform/db/client";
import { memberships } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { createUser } from "@/lib/tenants/accounts/create-user";
import { createKey } from "@/lib/tenants/api-keys/create";
import { listKeys } from "@/lib/tenants/api-keys/list";
import { createApp } from "@/lib/tenants/apps/create";
import { listAppNames } from "@/lib/tenants/apps/list";
import { addMember } from "@/lib/tenants/workspaces/members";
import { leaveWorkspace } from "@/lib/tenants/workspaces/remove-member";
import { clientOf } from "@/lib/testing/client";
import { makeCast, makeMember, makeTenantWith } from "@/lib/testing/matrix/cast";
import { makeVictim } from "@/lib/testing/matrix/strays";
import { type Visitor, visit } from "@/lib/testing/matrix/visit";
import { captureLog } from "@/lib/testing/redis/limits";
import { projectFiles } from "@/lib/testing/rules/tree";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { dashboardAction } from "@/lib/web/session/action";
import { appContextFor, workspaceContextFor } from "@/lib/web/session/context";

vi.mock("next/headers", () => import("@/lib/testing/matrix/visit"));
vi.mock("next/cache", () => ({ revalidatePath: () => undefined }));

useService({ AUTH_SECRET: "m".repeat(32), APP_URL: "http://localhost:3000" });
const log = captureLog();

async function member(workspaceId: string, role: Role) {
  const account = { email: `${uuidv7()}@example.com`, name: "Ann", password: "correct horse" };
  const { id } = await createUser(database(), account);
  await addMember(database(), { workspaceId, userId: id, role });
  return { ...account, id, workspaces: [] };
}

test("a user acts in an app under their own name, without using its quota", async () => {
  const { ctx } = await makeTenant();
  const admin = await member(ctx.workspace.id, "admin");
  const context = await appContextFor(admin, ctx.app.id, "admin");
  expect(context.ctx).toMatchObject({
    app: ctx.app,
    workspace: ctx.workspace,
    actor: { kind: "user", id: admin.id },
  });
  expect(context.ctx.meter.state()).toEqual({ limit: 0, remaining: 0, reset: 0 });
  expect(await listKeys(context.ctx)).toHaveLength(1);
});

test("a role that is too low may read but not write", async () => {
  const { ctx } = await makeTenant();
  const viewer = await member(ctx.workspace.id, "viewer");
  await expect(appContextFor(viewer, ctx.app.id, "viewer")).resolves.toBeDefined();
  await expect(appContextFor(viewer, ctx.app.id, "admin")).rejects.toMatchObject({ code: "FORBIDDEN" });
});

test("another workspace's app is unknown, whatever the role in the own one", async () => {
  const { ctx } = await makeTenant();
  await member(ctx.workspace.id, "owner");
  const stranger = await member((await makeTenant()).ctx.workspace.id, "owner");
  await expect(appContextFor(stranger, ctx.app.id, "viewer")).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("a member who loses the role or the membership after the check changes nothing", async () => {
  const { ctx } = await makeTenant();
  const workspaceId = ctx.workspace.id;
  await member(workspaceId, "owner");
  const admin = await member(workspaceId, "admin");
  const workspaces = [{ id: workspaceId, name: "Test", plan: "free" as const, role: "admin" as const }];
  const inApp = (await appContextFor(admin, ctx.app.id, "admin")).ctx;
  const inWorkspace = await workspaceContextFor({ ...admin, workspaces }, workspaceId, "admin");
  const changes = [() => createKey(inApp, { name: "Mine" }), () => createApp(inWorkspace, { name: "Mine" })];
  await addMember(database(), { workspaceId, userId: admin.id, role: "member" });
  for (const change of changes) await expect(change()).rejects.toMatchObject({ code: "FORBIDDEN" });
  await leaveWorkspace(inWorkspace);
  for (const change of changes) await expect(change()).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await listKeys(ctx)).toHaveLength(1);
  expect(await listAppNames(database(), [workspaceId])).toHaveLength(1);
});

test("a refused access is in the log with the user and the place, but never a text from the address", async () => {
  const { ctx } = await makeTenant();
  const viewer = await member(ctx.workspace.id, "viewer");
  const foreign = (await makeTenant()).ctx;
  const [app, workspace] = [ctx.app.id, foreign.workspace.id];
  log.length = 0;
  await appContextFor(viewer, app, "viewer");
  await expect(appContextFor(viewer, app, "admin")).rejects.toThrow();
  await expect(appContextFor(viewer, foreign.app.id, "viewer")).rejects.toThrow();
  await expect(appContextFor(viewer, "mc_live_secret", "viewer")).rejects.toThrow();
  await expect(workspaceContextFor(viewer, workspace, "viewer")).rejects.toThrow();
  const user = viewer.id;
  expect(log).toMatchObject([
    { user, app, reason: "This needs the role admin in the workspace" },
    { user, app: foreign.app.id, reason: "There is no such app" },
    { user, reason: "There is no such app" },
    { user, workspace, reason: "There is no such workspace" },
  ]);
  expect(JSON.stringify(log)).not.toContain("mc_live_secret");
});

test("a form that is sent again after a lost response does its work once; work that failed is done again", async () => {
  const [own, stranger] = [await makeTenantWith("member"), await makeTenantWith("member")];
  let runs = 0;
  const action = dashboardAction(
    "member",
    z.object({ appId: z.string(), fails: z.string().optional() }),
    async (_, { fails }) => (fails && runs++ === 0 ? fail("CONFLICT", "Busy") : { id: ++runs }),
  );
  const colleague = { member: await makeMember(own.tenant.ctx.workspace.id, "member") };
  const send = async (fields: Record<string, string | File>, by: Pick<typeof own, "member"> = own) => {
    await visit({ session: by.member });
    const form = new FormData();
    for (const [name, value] of Object.entries({ appId: own.tenant.ctx.app.id, ...fields }))
      form.set(name, value);
    return action({}, form);
  };
  const first = { [ATTEMPT_FIELD]: "1" };
  expect(await Promise.all([send(first), send(first)])).toEqual([
    { ok: { result: { id: 1 } } },
    { ok: { result: { id: 1 } } },
  ]);
  expect(await send({ ...first, name: "Other" })).toEqual({ ok: { result: { id: 2 } } });
  expect(await send({})).toEqual({ ok: { result: { id: 3 } } });
  expect((await send(first, stranger)).error).toBeDefined();
  const file = { ...first, file: new File(["icon"], "icon.png") };
  expect([await send(file), await send(file)]).toMatchObject([
    { ok: { result: { id: 4 } } },
    { ok: { result: { id: 5 } } },
  ]);
  expect(await send(first, colleague)).toEqual({ ok: { result: { id: 6 } } });
  runs = 0;
  const second = { [ATTEMPT_FIELD]: "2", fails: "once" };
  expect((await send(second)).error?.message).toBe("Busy");
  expect(await send(second)).toEqual({ ok: { result: { id: 3 } } });
});

test("a new workspace that is sent again after a lost response is created once, also while the first is under way", async () => {
  const { member, tenant } = await makeTenantWith("member");
  await visit({ session: member });
  const send = (attempt: string) => {
    const form = new FormData();
    for (const [name, value] of [[ATTEMPT_FIELD, attempt] as const, ["name", "Acme"] as const])
      form.set(name, value);
    return createWorkspaceAction({}, form).catch(({ digest }) => digest);
  };
  const [first, together] = await Promise.all([send("1"), send("1")]);
  expect(first).toContain("/dashboard/workspaces/");
  expect([together, await send("1")]).toEqual([first, first]);
  expect(await send("2")).not.toBe(first);
  const owned = await tenant.ctx.db.orm
    .select({ id: memberships.workspaceId })
    .from(memberships)
    .where(and(eq(memberships.userId, member.id), eq(memberships.role, "owner")));
  expect(owned).toHaveLength(2);
});

/** Every page of the dashboard that shows rows. */
const PAGES = projectFiles()
  .map(({ path }) => path)
  .filter((path) => /^app\/dashboard\/(?!ui\/|workspaces\/new\/).*\bpage\.tsx$/.test(path))
  .filter((path) => !path.includes("[...missing]"));

type Draw = (props: { params: Promise<object>; searchParams: Promise<object> }) => Promise<unknown>;

/** The outcomes of a page and of its title for a visitor: a redirect, a missing page, or "shown". */
async function endsOf(path: string, session: Visitor["session"], ids: object): Promise<string[]> {
  const { default: page, generateMetadata } = await import(/* @vite-ignore */ join(process.cwd(), path));
  await visit(session ? { session } : {});
  const ends = [page as Draw, generateMetadata as Draw | undefined].map((draw) =>
    draw?.({ params: Promise.resolve(ids), searchParams: Promise.resolve({}) }).then(
      () => "shown",
      (thrown) => String(thrown.digest ?? thrown),
    ),
  );
  return (await Promise.all(ends)).filter((end) => end !== undefined);
}

test("no page and no title shows a row to a visitor without a session or outside of the workspace, or of another app", async () => {
  const [cast, own] = [await makeCast(), await makeTenantWith("owner")];
  const { tenant, ids } = await makeVictim();
  await clientOf(own.tenant.key).referrer("victim");
  const [app, workspace] = [{ appId: tenant.ctx.app.id }, { workspaceId: tenant.ctx.workspace.id }];
  const rows = {
    batchId: ids.batches,
    campaignId: ids.campaigns,
    connectionId: ids.provider_connections,
    endpointId: ids.webhook_endpoints,
    poolId: ids.pools,
    referralId: ids.referrals,
    referrerId: ids.referrers,
  };
  const shown: string[] = [];
  for (const path of PAGES) {
    const expectEnds = async (end: string, session: Visitor["session"], given: object) => {
      const ends = await endsOf(path, session, given);
      if (ends.some((each) => !each.startsWith(end))) shown.push(`${path} ${end}: ${ends}`);
    };
    const place = { ...app, ...workspace, ...rows };
    for (const session of [undefined, cast.stale])
      await expectEnds("NEXT_REDIRECT;replace;/sign-in?", session, place);
    if (!/\[\w+Id\]/.test(path)) continue;
    for (const session of [cast.neighbour, cast.removed]) await expectEnds(MISSING, session, place);
    // The title may be that of the app alone.
    if (/\[appId\].*\[/.test(path))
      shown.push(
        ...(await endsOf(path, own.member, { ...place, appId: own.tenant.ctx.app.id }))
          .slice(0, 1)
          .filter((end) => end !== MISSING)
          .map((end) => `${path} of another app: ${end}`),
      );
  }
  expect(shown).toEqual([]);
  expect(PAGES.length).toBeGreaterThan(35);
});

/** The error by which a page is a missing one. */
const MISSING = "NEXT_HTTP_ERROR_FALLBACK;404";

test("the account page lets only the sole owner of a workspace act before the account is deleted", async () => {
  const { member } = await makeTenantWith("member");
  await visit({ session: member });
  const page = await AccountPage({ searchParams: Promise.resolve({}) });
  const shown = JSON.stringify(page, (_, value) =>
    value?.type?.name === "Deletion" ? value.type(value.props) : value,
  );
  expect(shown).toContain("If you are the only owner of another one");
});
