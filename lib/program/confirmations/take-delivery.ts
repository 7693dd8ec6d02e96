import { isOutage } from "@/lib/platform/db/outage";
import { AppError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import { singleton } from "@/lib/platform/singleton";
import { type InboxRow, inboxRow, unreadableRow } from "@/lib/program/confirmations/inbox-row";
import { type ReceivedConfirmation, receiveRow } from "@/lib/program/confirmations/receive";
import { spoolDelivery } from "@/lib/program/confirmations/spool";
import type { Adapter, Delivery } from "@/lib/program/providers/common/adapter";
import type { Context } from "@/lib/tenants/context";

/** Apps with a proven delivery that could not be read, to be checked for problems. */
export const unreadableApps = () => singleton("unreadable-deliveries", () => new Set<string>());

/**
 * Takes a proven delivery. It is stored before it is applied, even if it cannot be read, and in a file while the
 * database is away. Throws VALIDATION_ERROR for an unreadable delivery, and the database's errors.
 */
export async function takeDelivery(
  ctx: Context,
  connectionId: string,
  adapter: Adapter,
  delivery: Delivery,
): Promise<ReceivedConfirmation & { type: string }> {
  const { row, refusal } = read(connectionId, adapter, delivery);
  const received = await store(ctx, row);
  if (refusal) {
    unreadableApps().add(ctx.app.id);
    throw refusal;
  }
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

async function store(ctx: Context, row: InboxRow): Promise<ReceivedConfirmation> {
  try {
    return await receiveRow(ctx.db, ctx.app.id, row);
  } catch (error) {
    if (isOutage(error)) await spoolOrLog(ctx, row);
    throw error;
  }
}

/** The response is 503 either way. If the disk is full or broken, only the provider's retry remains. */
async function spoolOrLog(ctx: Context, row: InboxRow): Promise<void> {
  try {
    if (await spoolDelivery(ctx.app.id, row)) return;
    log().error({ app: ctx.app.id }, "a delivery was not spooled: too many wait for the database");
  } catch (error) {
    log().error({ err: error, app: ctx.app.id }, "a delivery was not spooled while the database is away");
  }
}
