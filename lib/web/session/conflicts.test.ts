import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { refillSettings } from "@/lib/contract/code-request";
import { ownNamesText } from "@/lib/contract/provider";
import { createChannel, updateChannel } from "@/lib/outward/problems/channels";
import { createEndpoint, updateEndpoint } from "@/lib/outward/webhooks/manage-endpoints";
import { auditLog, storeOffers } from "@/lib/platform/db/schema";
import type { AppError } from "@/lib/platform/errors";
import { createCampaign } from "@/lib/program/campaigns/create";
import { updateRefillRule } from "@/lib/program/code-requests/refill-rules";
import { updateBatch } from "@/lib/program/codes/update-batch";
import { createConnection } from "@/lib/program/connections/create";
import { renameConnection, updateOwnNames } from "@/lib/program/connections/update";
import { updatePool } from "@/lib/program/pools/pools";
import { createInfluencer } from "@/lib/program/referrers/create-influencer";
import { updateInfluencer, updateReferrerNotes } from "@/lib/program/referrers/update";
import { updateOwnTexts } from "@/lib/program/texts/own-texts";
import { createKey } from "@/lib/tenants/api-keys/create";
import { updateKeyLimits } from "@/lib/tenants/api-keys/limits";
import { conflictOf } from "@/lib/tenants/audit/changes";
import type { Context, UserActor } from "@/lib/tenants/context";
import { updateDomain } from "@/lib/tenants/domains/update-domain";
import { updateWorkspaceName } from "@/lib/tenants/workspaces/update";
import { updateRole, updateRoleInput } from "@/lib/tenants/workspaces/update-role";
import { useService } from "@/lib/testing/service";
import { makeBatch, makeTenant, type Tenant } from "@/lib/testing/tenant";
import { joinAs } from "@/lib/testing/workspace";

useService({ AUTH_SECRET: "a".repeat(32) });

type Editor = Context & { actor: UserActor };

/** A form that two people opened: the values that it showed, and the function that saves one field. */
interface OpenForm {
  seen: object;
  save: (ctx: Editor, value: string) => Promise<unknown>;
}

async function makeInfluencer({ ctx }: Tenant) {
  const platforms = { ios: { threshold: 1 } };
  const { id } = await createCampaign(ctx, { type: "influencer", name: "Stars", platforms });
  const profile = { name: "Anna", handle: "@anna", notes: "A friend of Ben" };
  const metacode = `m${crypto.randomUUID().slice(0, 8)}`;
  const made = await createInfluencer(ctx, { campaignId: id, metacode, ...profile });
  return { referrerId: made.id, metacode, ...profile };
}

/** Each form by the field that two people change, with two valid values of it. */
const FORMS: [
  form: string,
  field: string,
  values: [string, string],
  open: (t: Tenant) => Promise<OpenForm>,
][] = [
  [
    "an alert channel",
    "name",
    ["On call", "Nights"],
    async ({ ctx }) => {
      const kinds = ["quota" as const];
      const target = "https://discord.com/api/webhooks/1/x";
      const { id } = await createChannel(ctx, { type: "discord", name: "", target, kinds });
      const save = (by: Editor, name: string) => updateChannel(by, { channelId: id, name, kinds });
      return { seen: { name: "", kinds }, save };
    },
  ],
  [
    "a new refill rule",
    "threshold",
    ["5", "50"],
    async ({ ctx, pools }) => {
      const offer = { type: "subscription", id: "offer1", name: "First month", active: true } as const;
      const product = { product: "Premium", productId: "premium" };
      await ctx.db.orm.insert(storeOffers).values({ appId: ctx.app.id, ...offer, ...product });
      const rule = { poolId: pools.ios.referee, offer: "subscription:offer1", amount: 20 };
      return {
        seen: refillSettings(undefined),
        save: (by, threshold) =>
          updateRefillRule(by, { ...rule, threshold: Number(threshold), quarterCap: 50, validDays: 90 }),
      };
    },
  ],
  [
    "event names",
    "events",
    ["Kauf = trial_started", "Achat = trial_started"],
    async ({ ctx }) => {
      const { id, ownNames } = await createConnection(ctx, { provider: "adapty" });
      return { seen: ownNamesText(ownNames), save: (by, events) => updateOwnNames(by, id, { events }) };
    },
  ],
  [
    "the name of a connection",
    "name",
    ["Shop", "Web shop"],
    async ({ ctx }) => {
      const { id } = await createConnection(ctx, { provider: "adapty" });
      return { seen: { name: "Adapty" }, save: (by, name) => renameConnection(by, id, name) };
    },
  ],
  [
    "the name of a workspace",
    "name",
    ["Acme", "Apex"],
    async () => ({
      seen: { name: "Test" },
      save: (by, name) => {
        const workspace = { ...by.workspace, name: "Test", plan: "pro" } as const;
        return updateWorkspaceName({ ...by, workspace, role: "admin" }, { name });
      },
    }),
  ],
  [
    "a member's role",
    "role",
    ["admin", "viewer"],
    async ({ ctx }) => {
      await joinAs(ctx.workspace.id, "owner", "Olga");
      const { actor, workspace } = await joinAs(ctx.workspace.id, "member", "Cora");
      const input = (role: string) => updateRoleInput.parse({ userId: actor.id, role });
      const save = (by: Editor, role: string) => updateRole({ ...by, role: "admin", workspace }, input(role));
      return { seen: { role: "member" }, save };
    },
  ],
  [
    "a domain",
    "landingDomain",
    ["go.example.org", "get.example.org"],
    async () => ({ seen: { landingDomain: null }, save: (by, domain) => updateDomain(by, domain) }),
  ],
  [
    "a pool",
    "name",
    ["Friends", "Invited"],
    async ({ pools }) => {
      const settings = { lowStock: 50, alertTo: [] };
      const save = (by: Editor, name: string) =>
        updatePool(by, { poolId: pools.ios.referee, ...settings, name });
      return { seen: { ...settings, name: "ios referee" }, save };
    },
  ],
  [
    "a batch",
    "offer",
    ["One month", "Two months"],
    async ({ ctx, pools }) => {
      const batchId = await makeBatch(ctx, pools.ios.referee, "ios", { size: 1 });
      const save = (by: Editor, offer: string) => updateBatch(by, { batchId, offer });
      return { seen: { offer: null, expiresAt: null }, save };
    },
  ],
  [
    "an influencer",
    "handle",
    ["@anne", "@annie"],
    async (tenant) => {
      const { referrerId, ...seen } = await makeInfluencer(tenant);
      return { seen, save: (by, handle) => updateInfluencer(by, { ...seen, referrerId, handle }) };
    },
  ],
  [
    "notes",
    "notes",
    ["Met at the fair", "Prefers email"],
    async (tenant) => {
      const { referrerId, notes: stored } = await makeInfluencer(tenant);
      return { seen: { notes: stored }, save: (by, notes) => updateReferrerNotes(by, { referrerId, notes }) };
    },
  ],
  [
    "the limits of a key",
    "dailyBudget",
    ["100", "200"],
    async ({ ctx }) => {
      const { id: keyId } = await createKey(ctx, { name: "Phone" });
      const save = (by: Editor, budget: string) =>
        updateKeyLimits(by, { keyId, dailyBudget: Number(budget), addressCap: null });
      return { seen: { dailyBudget: null, addressCap: null }, save };
    },
  ],
  [
    "a webhook endpoint whose path changes",
    "url",
    ["https://example.com/a", "https://example.com/b"],
    async ({ ctx }) => {
      const opened = { url: "https://example.com/", description: "", events: ["referral.redeemed" as const] };
      const { id } = await createEndpoint(ctx, opened);
      const save = (by: Editor, url: string) => updateEndpoint(by, id, { ...opened, url });
      return { seen: { ...opened, description: null }, save };
    },
  ],
  [
    "texts of the landing page",
    "lead",
    ["Ride along", "Join in"],
    async () => ({ seen: { lead: null }, save: (by, lead) => updateOwnTexts(by, { language: "en", lead }) }),
  ],
];

/** Two admins of the workspace. */
async function twoEditors({ ctx }: Tenant): Promise<[Editor, Editor]> {
  const as = async (name: string): Promise<Editor> => ({
    ...ctx,
    actor: (await joinAs(ctx.workspace.id, "admin", name)).actor,
  });
  return [await as("Maria"), await as("Bob")];
}

test.each(FORMS)("of two saves of %s at once, one is stored and the other refused", async (...row) => {
  const [, , [first, second], open] = row;
  const tenant = await makeTenant({ codes: 0 });
  const [maria, bob] = await twoEditors(tenant);
  const { seen, save } = await open(tenant);
  const opened = JSON.stringify(seen);
  const saves = [save({ ...maria, seen: opened }, first), save({ ...bob, seen: opened }, second)];
  const refused = (await Promise.allSettled(saves)).flatMap((save) =>
    save.status === "rejected" ? [save.reason] : [],
  );
  expect(refused).toEqual([expect.objectContaining({ code: "CONFLICT" })]);
});

test.each(FORMS)(
  "the second save of %s is refused with both versions and the first saver",
  async (...row) => {
    const [, field, [first, second], open] = row;
    const tenant = await makeTenant({ codes: 0 });
    const { ctx } = tenant;
    const [maria, bob] = await twoEditors(tenant);
    const { seen, save } = await open(tenant);
    const entries = () => ctx.db.orm.$count(auditLog, eq(auditLog.workspaceId, ctx.workspace.id));
    const opened = JSON.stringify(seen);
    await save({ ...maria, seen: opened }, first);
    const saved = await entries();
    const refused = await save({ ...bob, seen: opened }, second).catch((error: AppError) => error);
    expect(refused).toMatchObject({
      code: "CONFLICT",
      message: "Maria saved this just now, while you were editing. Your changes were not saved",
    });
    const conflict = conflictOf(refused as AppError);
    expect(conflict?.changes).toEqual([{ field, before: first, after: second }]);
    expect(await entries()).toBe(saved);
    await save({ ...bob, seen: conflict?.seen }, second);
    expect(await entries()).toBe(saved + 1);
  },
);
