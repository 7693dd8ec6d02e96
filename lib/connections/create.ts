import { uuidv7 } from "uuidv7";
import { type Connection, toConnection } from "@/lib/connections/connection";
import { parseSigningSecret } from "@/lib/connections/signing-secret";
import type { Context } from "@/lib/context";
import { providerConnections } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { isProvider, PROVIDERS } from "@/lib/providers/registry";

export interface NewConnection {
  provider: string;
  /** RevenueCat's webhook signing secret, where its owner has switched signatures on. */
  signingSecret?: string | null;
}

/** Opens an address for a provider, with a secret of its own. Throws VALIDATION_ERROR. */
export async function createConnection(ctx: Context, input: NewConnection): Promise<Connection> {
  const { provider } = input;
  if (!isProvider(provider)) {
    return fail("VALIDATION_ERROR", `\`provider\` must be one of ${Object.keys(PROVIDERS).join(", ")}`, {
      field: "provider",
    });
  }
  const [row] = await ctx.db.orm
    .insert(providerConnections)
    .values({
      id: uuidv7(),
      appId: ctx.app.id,
      provider,
      secret: PROVIDERS[provider].adapter.makeSecret(),
      signingSecret: parseSigningSecret(provider, input.signingSecret),
    })
    .returning();
  return row ? toConnection(row) : fail("INTERNAL_ERROR");
}
