import { randomBytes } from "node:crypto";
import { READ_ONLY_SCOPES, REDEEM_ONLY_SCOPES, SCOPES } from "@/lib/contract/api-key";
import type { Plan } from "@/lib/contract/workspace";
import type { Db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { createSamplePools, type SamplePools } from "@/lib/program/codes/sample-codes";
import { createConnection } from "@/lib/program/connections/create";
import { startSampleCampaign } from "@/lib/program/demo/renew";
import { createUser } from "@/lib/tenants/accounts/create-user";
import { insertKey } from "@/lib/tenants/api-keys/create";
import { systemContext } from "@/lib/tenants/apps/app";
import { insertApp } from "@/lib/tenants/apps/create";
import type { Context } from "@/lib/tenants/context";
import { insertWorkspace } from "@/lib/tenants/workspaces/create";
import { addMember } from "@/lib/tenants/workspaces/members";

interface SampleOptions {
  workspace: string;
  app: string;
  email: string;
  plan?: Plan;
  /** Codes in each of the four pools. */
  codes: number;
  threshold: number;
  sandbox: boolean;
}

/** A workspace ready for use, as `npm run sample -- --json` prints it. Keys and password are not stored in plain text. */
export interface SampleWorkspace {
  base_url: string;
  landing_url: string;
  workspace_id: string;
  app_id: string;
  campaign_id: string;
  api_key: string;
  read_only_key: string;
  redeem_only_key: string;
  owner: { email: string; password: string };
  providers: { revenuecat: { url: string; authorization: string }; generic: { url: string; secret: string } };
  pools: SamplePools;
}

async function createOwner(db: Db, workspaceId: string, email: string): Promise<SampleWorkspace["owner"]> {
  const password = randomBytes(12).toString("base64url");
  const { id: userId } = await createUser(db, { email, name: "Owner", password });
  await addMember(db, { workspaceId, userId, role: "owner" });
  return { email, password };
}

/** Inserts the keys without checks: a sample has read-only keys on every plan. */
async function createKeys(ctx: Context) {
  return {
    api_key: (await insertKey(ctx, "Full access", SCOPES)).key,
    read_only_key: (await insertKey(ctx, "Read only", READ_ONLY_SCOPES)).key,
    redeem_only_key: (await insertKey(ctx, "Redeem only", REDEEM_ONLY_SCOPES)).key,
  };
}

async function connectProviders(ctx: Context): Promise<SampleWorkspace["providers"]> {
  const revenuecat = await createConnection(ctx, { provider: "revenuecat" });
  const generic = await createConnection(ctx, { provider: "generic" });
  return {
    revenuecat: { url: revenuecat.url, authorization: revenuecat.secret },
    generic: { url: generic.url, secret: generic.secret },
  };
}

/** Creates an isolated workspace with everything that the referral loop needs, through the verbs of the dashboard. */
export async function buildSample(db: Db, options: SampleOptions): Promise<SampleWorkspace> {
  const { plan, codes, threshold, sandbox } = options;
  const workspace = await insertWorkspace(db, { name: options.workspace, ...(plan && { plan }) });
  const store = { appleAppId: "1234567890", androidPackage: "com.example.app" };
  const app = await insertApp(db, workspace.id, { name: options.app, sandbox, ...store });
  const ctx = systemContext(db, app);
  const pools = await createSamplePools(ctx, codes);
  return {
    base_url: `${env().APP_URL}/api`,
    landing_url: env().LANDING_URL,
    workspace_id: workspace.id,
    app_id: app.id,
    campaign_id: await startSampleCampaign(ctx, pools, threshold),
    ...(await createKeys(ctx)),
    owner: await createOwner(db, workspace.id, options.email),
    providers: await connectProviders(ctx),
    pools,
  };
}
