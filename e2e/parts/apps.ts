import { sample } from "@/e2e/sample";
import { SCOPES } from "@/lib/contract/api-key";
import { createSamplePools } from "@/lib/program/codes/sample-codes";
import { insertKey } from "@/lib/tenants/api-keys/create";
import { systemContext } from "@/lib/tenants/apps/app";
import { insertApp } from "@/lib/tenants/apps/create";
import type { Context } from "@/lib/tenants/context";
import { inDatabase } from "./database";

/** Creates a separate app in the sample's workspace, with filled pools and a key, but without a campaign. */
export function makeSeparateApp(
  name: string,
  prepare: (ctx: Context) => Promise<unknown> = async () => undefined,
): Promise<{ id: string; key: string }> {
  return inDatabase(async (db) => {
    const stores = { appleAppId: "1234567890", androidPackage: "com.example.app" };
    const app = await insertApp(db, sample().workspace_id, { name, sandbox: true, ...stores });
    const ctx = systemContext(db, app);
    await createSamplePools(ctx, 20);
    await prepare(ctx);
    const { key } = await insertKey(ctx, "Full access", SCOPES);
    return { id: app.id, key };
  });
}
