import { uuidv7 } from "uuidv7";
import { recordAudit } from "@/lib/audit/record";
import { type Connection, connectionSubject, toConnection } from "@/lib/connections/connection";
import { parseName } from "@/lib/connections/name";
import { secretOf } from "@/lib/connections/secret";
import { parseSigningSecret } from "@/lib/connections/signing-secret";
import type { Context } from "@/lib/context";
import { providerConnections } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { isProvider, PROVIDERS } from "@/lib/providers/registry";

interface NewConnection {
  provider: string;
  /** The owner's word for it, where one app has several. */
  name?: string | null | undefined;
  /** The provider's own secret, where it makes one; it can follow later. */
  secret?: string | null | undefined;
  /** RevenueCat's webhook signing secret, where its owner has switched signatures on. */
  signingSecret?: string | null | undefined;
}

/** Opens an address for a provider, with a secret of its own where that is ours to make. Throws VALIDATION_ERROR. */
export async function createConnection(ctx: Context, input: NewConnection): Promise<Connection> {
  const { provider } = input;
  if (!isProvider(provider)) {
    return fail("VALIDATION_ERROR", `\`provider\` must be one of ${Object.keys(PROVIDERS).join(", ")}`, {
      field: "provider",
    });
  }
  const values = {
    ...{ id: uuidv7(), appId: ctx.app.id, provider, name: parseName(input.name) },
    secret: secretOf(provider, input.secret),
    signingSecret: parseSigningSecret(provider, input.signingSecret),
  };
  return ctx.db.transaction(async (db) => {
    const [row] = await db.orm.insert(providerConnections).values(values).returning();
    if (!row) return fail("INTERNAL_ERROR");
    const made = toConnection(row);
    const after = { provider, signed: made.signed };
    await recordAudit(db, ctx, { action: "connection.created", ...connectionSubject(made), after });
    return made;
  });
}
