import { uuidv7 } from "uuidv7";
import { providerConnections } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import {
  type ConnectionWithSecret,
  connectionSubject,
  toConnection,
} from "@/lib/program/connections/connection";
import {
  generateConnectionSecret,
  parseConnectionName,
  parseSigningSecret,
} from "@/lib/program/connections/fields";
import { sealConnectionSecret } from "@/lib/program/connections/secrets";
import { isProvider, PROVIDERS } from "@/lib/program/providers/registry";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";

interface NewConnection {
  provider: string;
  /** The owner's name for it, for apps with several. */
  name?: string | null | undefined;
  /** The provider's own secret, if it generates one; it can be pasted later. */
  secret?: string | null | undefined;
  /** RevenueCat's webhook signing secret, if its owner has enabled signatures. */
  signingSecret?: string | null | undefined;
}

/** Creates a connection with its address, and with its secret if it is generated here. Throws VALIDATION_ERROR. */
export async function createConnection(ctx: Context, input: NewConnection): Promise<ConnectionWithSecret> {
  const { provider } = input;
  if (!isProvider(provider)) {
    return fail("VALIDATION_ERROR", `\`provider\` must be one of ${Object.keys(PROVIDERS).join(", ")}`, {
      field: "provider",
    });
  }
  const id = uuidv7();
  const secret = generateConnectionSecret(provider, input.secret);
  const signingSecret = parseSigningSecret(provider, input.signingSecret);
  const values = {
    id,
    appId: ctx.app.id,
    provider,
    name: parseConnectionName(input.name),
    secret: sealConnectionSecret(secret, id),
    signingSecret: signingSecret && sealConnectionSecret(signingSecret, id),
  };
  return ctx.db.transaction(async (db) => {
    const [row] = await db.orm.insert(providerConnections).values(values).returning();
    if (!row) return fail("INTERNAL_ERROR");
    const connection = toConnection(row);
    await recordAudit(db, ctx, {
      action: "connection.created",
      ...connectionSubject(connection),
      after: { provider, signed: connection.signed },
    });
    return { ...connection, secret };
  });
}
