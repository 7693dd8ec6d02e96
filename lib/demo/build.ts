import { randomBytes } from "node:crypto";
import { addMember } from "@/lib/accounts/add-member";
import { createUser } from "@/lib/accounts/create-user";
import { insertKey } from "@/lib/api-keys/create";
import { createApp } from "@/lib/apps/create";
import { systemContext } from "@/lib/apps/system-context";
import { activateCampaign } from "@/lib/campaigns/activate";
import { createCampaign } from "@/lib/campaigns/create";
import { createConnection } from "@/lib/connections/create";
import type { Context } from "@/lib/context";
import type { Plan } from "@/lib/contract/plan";
import { READ_ONLY_SCOPES, REDEEM_ONLY_SCOPES, SCOPES } from "@/lib/contract/scopes";
import type { Db } from "@/lib/db/client";
import { env } from "@/lib/env";
import { fillPools, type SamplePools } from "@/lib/pools/fill";
import { createWorkspace } from "@/lib/workspaces/create";

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

/** A workspace ready for use, in the words of `npm run sample -- --json`. Keys and password exist nowhere else. */
export interface Sample {
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

async function makeOwner(db: Db, workspaceId: string, email: string): Promise<Sample["owner"]> {
  const password = randomBytes(12).toString("base64url");
  const { id: userId } = await createUser(db, { email, name: "Owner", password });
  await addMember(db, { workspaceId, userId, role: "owner" });
  return { email, password };
}

/** Straight from the store of keys: read-only ones are not for sale on every plan, but a sample has them on each. */
async function makeKeys(ctx: Context) {
  return {
    api_key: (await insertKey(ctx, "Full access", SCOPES)).key,
    read_only_key: (await insertKey(ctx, "Read only", READ_ONLY_SCOPES)).key,
    redeem_only_key: (await insertKey(ctx, "Redeem only", REDEEM_ONLY_SCOPES)).key,
  };
}

async function startCampaign(ctx: Context, pools: SamplePools, threshold: number): Promise<string> {
  const { id } = await createCampaign(ctx, {
    type: "referral",
    name: "Invite friends",
    platforms: {
      ios: { threshold, refereePoolId: pools.referee_ios, rewardPoolId: pools.reward_ios },
      android: { threshold, refereePoolId: pools.referee_android, rewardPoolId: pools.reward_android },
    },
  });
  await activateCampaign(ctx, id);
  return id;
}

async function connectProviders(ctx: Context): Promise<Sample["providers"]> {
  const revenuecat = await createConnection(ctx, { provider: "revenuecat" });
  const generic = await createConnection(ctx, { provider: "generic" });
  return {
    revenuecat: { url: revenuecat.url, authorization: revenuecat.secret },
    generic: { url: generic.url, secret: generic.secret },
  };
}

/** Makes an isolated workspace with everything that the referral loop needs, by the same verbs as the dashboard. */
export async function buildSample(db: Db, options: SampleOptions): Promise<Sample> {
  const { plan, codes, threshold, sandbox } = options;
  const workspace = await createWorkspace(db, { name: options.workspace, ...(plan && { plan }) });
  const store = { appleAppId: "1234567890", androidPackage: "com.example.app" };
  const app = await createApp(db, workspace.id, { name: options.app, sandbox, ...store });
  const ctx = systemContext(db, app);
  const pools = await fillPools(ctx, codes);
  return {
    base_url: `${env().APP_URL}/api`,
    landing_url: env().LANDING_URL,
    workspace_id: workspace.id,
    app_id: app.id,
    campaign_id: await startCampaign(ctx, pools, threshold),
    ...(await makeKeys(ctx)),
    owner: await makeOwner(db, workspace.id, options.email),
    providers: await connectProviders(ctx),
    pools,
  };
}
