import { and, asc, eq } from "drizzle-orm";
import { maskedTarget } from "@/lib/alerts/target";
import type { Context } from "@/lib/context";
import type { AlertKind, ChannelView } from "@/lib/contract/alerts";
import { isUuid } from "@/lib/contract/uuid";
import { alertChannels } from "@/lib/db/schema";
import { fail } from "@/lib/errors";

/** A channel with its address, which no page and no log may see. */
export type Channel = typeof alertChannels.$inferSelect;

/** The one channel of the app with this id. */
export const ownChannel = (ctx: Context, id: string) =>
  and(eq(alertChannels.appId, ctx.app.id), eq(alertChannels.id, id));

/** The app's channels, the oldest first; at most a handful. */
export function loadChannels(ctx: Context): Promise<Channel[]> {
  return ctx.db.orm
    .select()
    .from(alertChannels)
    .where(eq(alertChannels.appId, ctx.app.id))
    .orderBy(asc(alertChannels.id));
}

/** One channel. Throws NOT_FOUND. */
export async function getChannel(ctx: Context, id: string): Promise<Channel> {
  if (!isUuid(id)) return fail("NOT_FOUND", "No channel has this id");
  const [row] = await ctx.db.orm.select().from(alertChannels).where(ownChannel(ctx, id));
  return row ?? fail("NOT_FOUND", "No channel has this id");
}

/** A channel as pages show it. */
export function toChannelView(channel: Channel): ChannelView {
  const { id, type, name, target, kinds, enabled, stoppedBecause, createdAt } = channel;
  const masked = maskedTarget(type, target);
  const label = name || masked;
  return { id, type, label, masked, kinds: kinds as AlertKind[], enabled, stoppedBecause, createdAt };
}

/** The app's channels as pages show them. */
export async function listChannels(ctx: Context): Promise<ChannelView[]> {
  return (await loadChannels(ctx)).map(toChannelView);
}

/** A channel as the audit log names its subject: never its address. */
export function channelSubject({ id, type, name }: Pick<Channel, "id" | "type" | "name">) {
  return { subject: "alert_channel", subjectId: id, subjectName: name || type };
}
