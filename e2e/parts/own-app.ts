import { insertKey } from "@/lib/api-keys/create";
import { createApp } from "@/lib/apps/create";
import { systemContext } from "@/lib/apps/system-context";
import type { Context } from "@/lib/context";
import { SCOPES } from "@/lib/contract/scopes";
import { fillPools } from "@/lib/pools/fill";
import { sample } from "../sample";
import { inDatabase } from "./database";

/** An app of its own in the sample's workspace, with filled pools and a key, but without a campaign. */
export function ownApp(
  name: string,
  prepare: (ctx: Context) => Promise<unknown> = async () => undefined,
): Promise<{ id: string; key: string }> {
  return inDatabase(async (db) => {
    const stores = { appleAppId: "1234567890", androidPackage: "com.example.app" };
    const app = await createApp(db, sample().workspace_id, { name, sandbox: true, ...stores });
    const ctx = systemContext(db, app);
    await fillPools(ctx, 20);
    await prepare(ctx);
    const { key } = await insertKey(ctx, "Full access", SCOPES);
    return { id: app.id, key };
  });
}
