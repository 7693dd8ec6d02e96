import { type InboxRow, inboxRow, unreadableRow } from "@/lib/confirmations/inbox-row";
import { type Received, receiveRow } from "@/lib/confirmations/receive";
import { spool } from "@/lib/confirmations/spool";
import type { Context } from "@/lib/context";
import { isOutage } from "@/lib/db/outage";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";
import type { Adapter, Delivery } from "@/lib/providers/adapter";

/**
 * Takes a delivery that has proved where it comes from. It is kept before it is judged: one that cannot be read too, and
 * while the database is away in a file. Throws VALIDATION_ERROR of an unreadable one, and what the database throws.
 */
export async function takeDelivery(
  ctx: Context,
  connectionId: string,
  adapter: Adapter,
  delivery: Delivery,
): Promise<Received & { type: string }> {
  const { row, refusal } = read(connectionId, adapter, delivery);
  const received = await keep(ctx, row);
  if (refusal) throw refusal;
  return { ...received, type: String(row.type) };
}

function read(connectionId: string, adapter: Adapter, delivery: Delivery) {
  try {
    const row = inboxRow(connectionId, adapter.read(delivery), delivery.headers);
    return { row, refusal: undefined };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { row: unreadableRow(connectionId, delivery, error.message), refusal: error };
  }
}

async function keep(ctx: Context, row: InboxRow): Promise<Received> {
  try {
    return await receiveRow(ctx.db, ctx.app.id, row);
  } catch (error) {
    if (isOutage(error)) await spoolOrTell(ctx, row);
    throw error;
  }
}

/** The answer is 503 either way: with a full or broken disk the provider's next try is all there is. */
async function spoolOrTell(ctx: Context, row: InboxRow): Promise<void> {
  try {
    if (await spool(ctx.app.id, row)) return;
    log().error({ app: ctx.app.id }, "a delivery was not kept: too many wait for the database");
  } catch (error) {
    log().error({ err: error, app: ctx.app.id }, "a delivery was not kept while the database is away");
  }
}
