import { uuidv7 } from "uuidv7";
import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import { webhookEndpoints } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { parseInput } from "@/lib/parse-input";
import { endpointSubject, listEndpoints } from "@/lib/webhooks/endpoint";
import { type EndpointInput, endpointInput } from "@/lib/webhooks/input";
import { makeWebhookSecret } from "@/lib/webhooks/secret";

/** Every event is sent to every endpoint that wants it, so their number is bounded. */
export const MAX_ENDPOINTS = 20;

/** An endpoint's id and its secret, which pages show in this one answer only. */
interface CreatedEndpoint {
  id: string;
  secret: string;
}

/** Adds an address that is told of events. Throws VALIDATION_ERROR, and CONFLICT beyond {@link MAX_ENDPOINTS}. */
export async function createEndpoint(ctx: Context, input: EndpointInput): Promise<CreatedEndpoint> {
  const { url, description, events } = parseInput(endpointInput, input);
  const created = { id: uuidv7(), secret: makeWebhookSecret() };
  await ctx.db.transaction(async (db) => {
    const known = await listEndpoints({ ...ctx, db });
    if (known.length >= MAX_ENDPOINTS) fail("CONFLICT", `An app has at most ${MAX_ENDPOINTS} endpoints`);
    await db.orm
      .insert(webhookEndpoints)
      .values({ ...created, appId: ctx.app.id, url, description: description || null, events });
    const subject = endpointSubject({ id: created.id, url });
    await recordAudit(db, ctx, { action: "webhook.created", ...subject, after: { events } });
  });
  return created;
}
