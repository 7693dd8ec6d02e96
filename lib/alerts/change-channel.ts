import { uuidv7 } from "uuidv7";
import { channelSubject, getChannel, loadChannels, ownChannel } from "@/lib/alerts/channel";
import { parseTarget } from "@/lib/alerts/target";
import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import { type AlertKind, type ChannelInput, channelInput } from "@/lib/contract/alerts";
import { alertChannels } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { parseInput } from "@/lib/parse-input";

/** Every alert goes to every channel that wants it, so their number is bounded. */
const MAX_CHANNELS = 10;

/** Adds a way to be told. Throws VALIDATION_ERROR, and CONFLICT beyond ten. */
export async function addChannel(ctx: Context, input: ChannelInput): Promise<{ id: string }> {
  const { type, name, kinds, target: given } = parseInput(channelInput, input);
  const channel = { id: uuidv7(), appId: ctx.app.id, type, name, kinds, target: parseTarget(type, given) };
  await ctx.db.transaction(async (db) => {
    const known = await loadChannels({ ...ctx, db });
    if (known.length >= MAX_CHANNELS) fail("CONFLICT", `An app has at most ${MAX_CHANNELS} channels`);
    await db.orm.insert(alertChannels).values(channel);
    const after = { type, kinds };
    await recordAudit(db, ctx, { action: "alert_channel.created", ...channelSubject(channel), after });
  });
  return { id: channel.id };
}

/** What a channel is called and what it is told of. Throws NOT_FOUND. */
export async function changeChannel(
  ctx: Context,
  { channelId, name, kinds }: { channelId: string; name: string; kinds: AlertKind[] },
): Promise<void> {
  const before = await getChannel(ctx, channelId);
  await ctx.db.transaction(async (db) => {
    await db.orm.update(alertChannels).set({ name, kinds }).where(ownChannel(ctx, channelId));
    await recordAudit(db, ctx, {
      ...{ action: "alert_channel.changed", ...channelSubject({ ...before, name }) },
      ...{ before: { kinds: before.kinds }, after: { kinds } },
    });
  });
}

/** Whether anything is sent to it; on again, why it was off is forgotten. Throws NOT_FOUND. */
export async function setChannelEnabled(ctx: Context, channelId: string, enabled: boolean): Promise<void> {
  const channel = await getChannel(ctx, channelId);
  await ctx.db.transaction(async (db) => {
    await db.orm
      .update(alertChannels)
      .set({ enabled, stoppedBecause: null })
      .where(ownChannel(ctx, channelId));
    const action = enabled ? "alert_channel.enabled" : "alert_channel.disabled";
    await recordAudit(db, ctx, { action, ...channelSubject(channel) });
  });
}

/** Takes a channel away for good. Throws NOT_FOUND. */
export async function removeChannel(ctx: Context, channelId: string): Promise<void> {
  const channel = await getChannel(ctx, channelId);
  await ctx.db.transaction(async (db) => {
    await db.orm.delete(alertChannels).where(ownChannel(ctx, channelId));
    await recordAudit(db, ctx, { action: "alert_channel.deleted", ...channelSubject(channel) });
  });
}
