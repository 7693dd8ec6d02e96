import { and, asc, eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { z } from "zod";
import { isUuid } from "@/lib/contract/fields";
import { keysOf, pick } from "@/lib/contract/pick";
import {
  type AlertKind,
  type ChannelInput,
  type ChannelType,
  type ChannelView,
  channelInput,
} from "@/lib/contract/problems";
import { parseEndpointUrl } from "@/lib/outward/webhooks/input";
import type { Db } from "@/lib/platform/db/client";
import { alertChannels } from "@/lib/platform/db/schema";
import { sendEmail } from "@/lib/platform/email/send";
import { AppError, fail } from "@/lib/platform/errors";
import { limits } from "@/lib/platform/limits/limits";
import { parseInput } from "@/lib/platform/parse-input";
import { readSecret, sealSecret } from "@/lib/platform/secrets/seal";
import { throttle } from "@/lib/tenants/accounts/throttle";
import { lockApp } from "@/lib/tenants/apps/app";
import { refuseUndoing } from "@/lib/tenants/audit/changes";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";
import { memberAddresses } from "@/lib/tenants/workspaces/members";

type Row = typeof alertChannels.$inferSelect;

/** A channel with its address, which no page and no log may show; null where no key of the environment opens it. */
export interface Channel extends Omit<Row, "target"> {
  target: string | null;
}

const bindingOf = (id: string): string => `alert_channels:${id}`;

/** A channel with its address in the clear. */
export function toChannel(row: Row): Channel {
  return { ...row, target: readSecret(row.target, bindingOf(row.id)).text ?? null };
}

/** Every alert goes to every subscribed channel, so their number is bounded. */
const MAX_CHANNELS = 10;

/** Characters of an address that are shown: enough to distinguish two, too few to post to one. */
const SHOWN = 4;

const mailbox = z.email().max(254);

const ownChannel = (ctx: Context, id: string) =>
  and(eq(alertChannels.appId, ctx.app.id), eq(alertChannels.id, id));

/** The app's channels, the oldest first; at most {@link MAX_CHANNELS}. */
export async function loadChannels(ctx: Context): Promise<Channel[]> {
  const rows = await ctx.db.orm
    .select()
    .from(alertChannels)
    .where(eq(alertChannels.appId, ctx.app.id))
    .orderBy(asc(alertChannels.id));
  return rows.map(toChannel);
}

/** The app's channels as pages show them. */
export async function listChannels(ctx: Context): Promise<ChannelView[]> {
  return (await loadChannels(ctx)).map(toChannelView);
}

/** A channel of the app, with its row locked on request. Throws NOT_FOUND. */
export async function getChannel(ctx: Context, id: string, lock = false): Promise<Channel> {
  if (!isUuid(id)) return fail("NOT_FOUND", "There is no such channel");
  const query = ctx.db.orm.select().from(alertChannels).where(ownChannel(ctx, id));
  const [row] = await (lock ? query.for("no key update") : query);
  return row ? toChannel(row) : fail("NOT_FOUND", "There is no such channel");
}

function maskTarget({ type, target }: Channel): string {
  if (target === null) return "Address unreadable: delete the channel and add it again";
  return type === "mail" ? target : `${new URL(target).host}/…${target.slice(-SHOWN)}`;
}

function toChannelView(channel: Channel): ChannelView {
  const { id, type, name, kinds, enabled, stoppedBecause, createdAt } = channel;
  const masked = maskTarget(channel);
  return {
    id,
    type,
    name,
    label: name || masked,
    masked,
    kinds: kinds as AlertKind[],
    enabled,
    stoppedBecause,
    createdAt,
  };
}

/** A channel as the audit log names its subject: never its address. */
export function channelSubject({ id, type, name }: Pick<Channel, "id" | "type" | "name">) {
  return { subject: "alert_channel", subjectId: id, subjectName: name || type };
}

/** The stored form of a channel's address. Throws VALIDATION_ERROR for `target`. */
function parseChannelTarget(type: ChannelType, target: string): string {
  if (type === "mail") {
    const parsed = mailbox.safeParse(target);
    return parsed.data ?? fail("VALIDATION_ERROR", "target must be an email address", { field: "target" });
  }
  try {
    return parseEndpointUrl(target);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return fail("VALIDATION_ERROR", error.message.replace(/^url /, "target "), { field: "target" });
  }
}

/** Adds an alert channel. Throws VALIDATION_ERROR, and CONFLICT beyond {@link MAX_CHANNELS}. */
export async function createChannel(ctx: Context, input: ChannelInput): Promise<{ id: string }> {
  const { type, name, kinds, target } = parseInput(channelInput, input);
  const channel = { id: uuidv7(), appId: ctx.app.id, type, name, kinds };
  const stored = { ...channel, target: sealSecret(parseChannelTarget(type, target), bindingOf(channel.id)) };
  await ctx.db.transaction(async (db) => {
    await lockApp({ ...ctx, db });
    const existing = await loadChannels({ ...ctx, db });
    if (existing.length >= MAX_CHANNELS) fail("CONFLICT", `An app can have at most ${MAX_CHANNELS} channels`);
    await db.orm.insert(alertChannels).values(stored);
    const after = { type, kinds };
    await recordAudit(db, ctx, { action: "alert_channel.created", ...channelSubject(channel), after });
  });
  return { id: channel.id };
}

/** Updates the name of a channel and the kinds it is notified about. Throws NOT_FOUND, CONFLICT. */
export async function updateChannel(
  ctx: Context,
  { channelId, name, kinds }: { channelId: string; name: string; kinds: AlertKind[] },
): Promise<void> {
  const after = { name, kinds };
  await ctx.db.transaction(async (db) => {
    const scope = { ...ctx, db };
    const channel = await getChannel(scope, channelId, true);
    const before = pick(channel, keysOf(after));
    await refuseUndoing(scope, channelId, before, after);
    await db.orm.update(alertChannels).set(after).where(ownChannel(ctx, channelId));
    await recordAudit(db, ctx, {
      action: "alert_channel.changed",
      ...channelSubject({ ...channel, name }),
      before,
      after,
    });
  });
}

/** Sends alerts to a channel again and forgets why it was disabled. Throws NOT_FOUND. */
export function enableChannel(ctx: Context, channelId: string): Promise<void> {
  return switchChannel(ctx, channelId, true);
}

/** Sends no alerts to a channel until it is enabled again. Throws NOT_FOUND. */
export function disableChannel(ctx: Context, channelId: string): Promise<void> {
  return switchChannel(ctx, channelId, false);
}

async function switchChannel(ctx: Context, channelId: string, enabled: boolean): Promise<void> {
  await ctx.db.transaction(async (db) => {
    const channel = await getChannel({ ...ctx, db }, channelId, true);
    await db.orm
      .update(alertChannels)
      .set({ enabled, stoppedBecause: null })
      .where(ownChannel(ctx, channelId));
    const action = enabled ? "alert_channel.enabled" : "alert_channel.disabled";
    await recordAudit(db, ctx, { action, ...channelSubject(channel) });
  });
}

/** Disables a channel whose chat says that its address is gone. */
export async function disableGone(
  db: Db,
  { channel, workspaceId }: { channel: Channel; workspaceId: string },
  status: number,
): Promise<void> {
  const { appId, id } = channel;
  const stoppedBecause = "The chat says that this address no longer exists.";
  const own = and(eq(alertChannels.appId, appId), eq(alertChannels.id, id));
  await db.transaction(async (tx) => {
    const { rowCount } = await tx.orm
      .update(alertChannels)
      .set({ enabled: false, stoppedBecause })
      .where(and(own, eq(alertChannels.enabled, true)));
    // A member deleted or disabled the channel while the chat answered.
    if (!rowCount) return;
    await recordAudit(
      tx,
      { app: { id: appId }, workspace: { id: workspaceId }, actor: { kind: "system" } },
      { action: "alert_channel.disabled", ...channelSubject(channel), after: { status } },
    );
  });
}

/** Deletes a channel and its address. Throws NOT_FOUND. */
export async function deleteChannel(ctx: Context, channelId: string): Promise<void> {
  await ctx.db.transaction(async (db) => {
    const channel = await getChannel({ ...ctx, db }, channelId, true);
    await db.orm.delete(alertChannels).where(ownChannel(ctx, channelId));
    await recordAudit(db, ctx, { action: "alert_channel.deleted", ...channelSubject(channel) });
  });
}

/**
 * Sends a test. The mailbox may belong to a stranger, so tests are limited; for a mailbox that is not a member's, all
 * apps share the limit, and the subject has no text of the owner.
 */
export async function sendTestEmail(
  { db, app, workspace, actor }: Context,
  to: string,
  { title, detail, url }: { title: string; detail: string; url: string },
): Promise<void> {
  if (actor.kind !== "system") throttle(await limits().testSender(actor.id));
  const ofMember = (await memberAddresses({ db, workspace }, [to])).size > 0;
  const { allowed } = await limits().testEmail(ofMember ? app.id : "all", to);
  if (!allowed)
    fail(
      "CONFLICT",
      "This mailbox has received its test emails for today, perhaps from other apps. Try again tomorrow",
    );
  const subject = ofMember ? title : "This is a test of an alert channel";
  await sendEmail(db, { to, subject, text: `${detail}\n\n${url}` });
}
