import { and, eq, inArray, isNull, lt, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { formatDateTime } from "@/lib/contract/format";
import type { ChannelType } from "@/lib/contract/problems";
import {
  type Channel,
  channelSubject,
  disableGone,
  getChannel,
  sendTestEmail,
  toChannel,
} from "@/lib/outward/problems/channels";
import type { Db } from "@/lib/platform/db/client";
import { alertChannels, alertPosts, apps } from "@/lib/platform/db/schema";
import { EgressError } from "@/lib/platform/egress/failure";
import { type EgressResponse, sendRequest } from "@/lib/platform/egress/send";
import { pageAddress } from "@/lib/platform/email/send";
import { fail } from "@/lib/platform/errors";
import type { DueRows } from "@/lib/platform/jobs/backlog";
import { LEASE_S, type Queue } from "@/lib/platform/jobs/queue";
import { markRounds } from "@/lib/platform/jobs/rounds";
import { untilStored } from "@/lib/platform/jobs/until-stored";
import { log } from "@/lib/platform/log";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";

/** A chat that does not respond is retried for about an hour, after e seconds, e squared and so on. */
const ATTEMPTS = 9;

const LEASE = sql`make_interval(secs => ${LEASE_S})`;

/** Discord refuses longer texts. */
const MAX_TEXT = 2_000;

/** Statuses that mean that the chat's address no longer exists. */
const GONE = [404, 410];

/** A chat, identified by its channel: its address is a secret and may be deleted meanwhile. */
type Chat = { appId: string; channelId: string };

/** An alert for one chat. */
type AlertPost = Chat & { message: AlertMessage };

/** An alert as plain text, with a link to one of our pages. */
interface AlertMessage {
  title: string;
  detail: string;
  url: string;
}

/** Breaks mentions and links with an invisible space, also for Mattermost, which reads Slack's posts as Markdown. */
const unlinked = (text: string) => text.replace(/[@~]|\](?=\()|:(?=\/\/)|www(?=\.)/gi, "$&\u200b");

/** Escapes names chosen by users, which must not format the text, become links, or mention anyone. */
const forSlack = (text: string) =>
  unlinked(text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"));

const forDiscord = (text: string) =>
  text.replace(/:(?=\/\/)|www(?=\.)/gi, "$&\u200b").replace(/[\\`*_~|<>@#[\]()]/g, "\\$&");

/**
 * The body of a post to an incoming webhook. `slack`: `{text}`, which Mattermost and others accept as well; `discord`:
 * `{content}` without mentions. Sources: the two services' pages on incoming webhooks.
 */
export function postBody(type: Exclude<ChannelType, "mail">, { title, detail, url }: AlertMessage): string {
  if (type === "slack")
    return JSON.stringify({ text: `*${forSlack(title)}*\n${forSlack(detail)}\n<${url}>` });
  const content = `**${forDiscord(title)}**\n${forDiscord(detail)}`.slice(0, MAX_TEXT - url.length - 3);
  return JSON.stringify({ content: `${content}\n<${url}>`, allowed_mentions: { parse: [] } });
}

/** Posts a message to a chat. Throws an `EgressError` without a response, and CONFLICT for an unreadable address. */
async function postMessage({ type, target }: Channel, message: AlertMessage): Promise<EgressResponse> {
  if (type === "mail") throw new Error("An email channel takes no posts");
  if (target === null) return failUnreadable();
  const headers = { "content-type": "application/json", "user-agent": "Metacode-Alerts/1" };
  return sendRequest({ url: target, method: "POST", headers, body: postBody(type, message) });
}

const failUnreadable = (): never =>
  fail("CONFLICT", "The address of this channel cannot be read. Delete the channel and add it again");

/** The reason of a chat's refusal, in the words of an app owner. */
function refusalOf(status: number): string {
  if (status === 429) return "The chat accepts no more alerts for now";
  if (status >= 500) return "The chat service reported an error";
  if ([401, 403, ...GONE].includes(status))
    return "The chat refused the alert. Its address may have been revoked";
  return "The chat did not accept the alert. Check that the address is an incoming webhook of this chat service";
}

const isAccepted = ({ status }: EgressResponse): boolean => status >= 200 && status < 300;

/** Queues a post in the transaction of `db`. */
export async function queuePost(db: Db, { message, ...chat }: AlertPost): Promise<void> {
  await db.orm.insert(alertPosts).values({ ...chat, ...message, id: uuidv7() });
}

/** A post that this process has leased, with its attempts including this one. */
interface LeasedPost extends AlertPost {
  id: string;
  attempts: number;
}

/** Posts that no process has taken. */
export const DUE_ALERTS: DueRows = {
  name: "alerts",
  select: (app) =>
    sql`select app_id, due_at as at from alert_posts
         where due_at <= now() ${app ? sql`and app_id = ${app}` : sql``} order by due_at`,
};

/**
 * Leases due posts, one of a channel at a time: the longest due. The later `due_at` is the lease; the sign of
 * `attempts` distinguishes it from a wait. `busy` looks two leases ahead: another statement may have begun after this
 * one and ended before it. `due` is materialized, because some plans would read it for each row and lease more.
 */
async function leasePosts(db: Db, limit: number): Promise<LeasedPost[]> {
  const { rows } = await db.orm.execute<LeasedPost & Record<string, unknown>>(sql`
    with busy as materialized (
      select app_id, channel_id from alert_posts where attempts < 0 and due_at > now() and due_at <= now() + 2 * ${LEASE}),
    heads as materialized (
      select distinct on (app_id, channel_id) app_id, id, due_at from alert_posts p
       where due_at <= now() and not exists (select from busy b where b.app_id = p.app_id and b.channel_id = p.channel_id)
       order by app_id, channel_id, due_at, id),
    due as materialized (
      select h.app_id, h.id from heads h join alert_posts a on h.app_id = a.app_id and a.id = h.id
       where a.due_at <= now() order by h.due_at limit ${limit} for update of a skip locked)
    update alert_posts p set attempts = -abs(p.attempts) - 1, due_at = now() + ${LEASE} from due
     where p.app_id = due.app_id and p.id = due.id
    returning p.app_id as "appId", p.id, p.channel_id as "channelId", -p.attempts as attempts,
              json_build_object('title', title, 'detail', detail, 'url', url) as message`);
  return rows;
}

/** Extends leases; a finished post is gone, and one that waits for a retry is left unchanged. */
async function extend(db: Db, leased: LeasedPost[]): Promise<void> {
  const of = (key: "appId" | "id") => leased.map((post) => post[key]);
  const own = and(inArray(alertPosts.appId, of("appId")), inArray(alertPosts.id, of("id")));
  const under = and(lt(alertPosts.attempts, 0), sql`${alertPosts.dueAt} < now() + ${LEASE}`);
  await db.orm
    .update(alertPosts)
    .set({ dueAt: sql`now() + ${LEASE}` })
    .where(and(own, under));
}

/** Lets other channels go first: makes this one's posts due now, or after a failure a lease later, so none is late. */
async function postpone(db: Db, { appId, channelId }: Chat, wait = sql`interval '0'`): Promise<void> {
  await db.orm.execute(sql`
    update alert_posts set due_at = now() + ${wait}
     where app_id = ${appId} and channel_id = ${channelId} and attempts >= 0 and due_at < now() + ${wait}`);
}

/** Attempts, over somewhat more than a minute, after which a channel that accepts nothing is a problem of its app. */
const REPORTED_AFTER = 5;

/** Stores why an enabled channel did not accept the last post, or null if it did, and has the app checked. */
async function storeOutcome(db: Db, { appId, channelId }: Chat, reason: string | null): Promise<void> {
  const stoppedBecause = reason && `${formatDateTime(new Date())}: an alert was not accepted. ${reason}.`;
  const enabled = and(byId(appId, channelId), eq(alertChannels.enabled, true));
  await untilStored(() => db.orm.update(alertChannels).set({ stoppedBecause }).where(enabled));
  await checkSoon(db, appId);
}

/** Has the app's problems detected again, so that other channels are notified about this one. */
const checkSoon = (db: Db, appId: string): Promise<void> =>
  untilStored(() => markRounds(db, "checks", sql`select ${appId}::uuid as app_id, now() as at`));

/** Sends a leased post; it is gone afterwards, or due again later. */
async function work(db: Db, leased: LeasedPost): Promise<void> {
  const { appId, id, attempts } = leased;
  const own = and(eq(alertPosts.appId, appId), eq(alertPosts.id, id));
  try {
    await sendAlert(db, leased);
  } catch (error) {
    const { message: reason, cause } = error instanceof Error ? error : new Error(String(error));
    const status = typeof cause === "number" ? cause : undefined;
    log().warn({ alert: id, attempts, reason, status }, "an alert was not accepted");
    if (attempts >= REPORTED_AFTER) await storeOutcome(db, leased, reason);
    await untilStored(() => postpone(db, leased, LEASE));
    if (attempts < ATTEMPTS) {
      const dueAt = sql`now() + make_interval(secs => exp(${attempts}::float8))`;
      await untilStored(() => db.orm.update(alertPosts).set({ dueAt, attempts }).where(own));
      return;
    }
  }
  await untilStored(() => db.orm.delete(alertPosts).where(own));
  await untilStored(() => postpone(db, leased));
}

/** The alerts to post, of all apps. An app posts as many at once as it has channels, whose chats may all be silent. */
export function alertQueue(db: Db): Queue<LeasedPost> {
  return {
    name: DUE_ALERTS.name,
    due: DUE_ALERTS.select(),
    take: (limit) => leasePosts(db, limit),
    extend: (leased) => extend(db, leased),
    lease: LEASE_S,
    work: (leased) => work(db, leased),
    concurrency: 64,
  };
}

const byId = (appId: string, id: string) => and(eq(alertChannels.appId, appId), eq(alertChannels.id, id));

/**
 * Posts a queued alert to an enabled channel of an app that is not deleted. Throws if it is not accepted, so that it is
 * retried; a deleted address disables the channel.
 */
export async function sendAlert(db: Db, { appId, channelId, message }: AlertPost): Promise<void> {
  // Otherwise a failure of the database would count as a refusal of the chat.
  const [found] = await untilStored(() =>
    db.orm
      .select({ channel: alertChannels, workspaceId: apps.workspaceId })
      .from(alertChannels)
      .innerJoin(apps, eq(apps.id, alertChannels.appId))
      .where(and(byId(appId, channelId), isNull(apps.deletedAt))),
  );
  if (!found?.channel.enabled) return;
  const channel = toChannel(found.channel);
  const response = await postMessage(channel, message);
  if (isAccepted(response) && !channel.stoppedBecause) return;
  if (isAccepted(response)) return storeOutcome(db, { appId, channelId }, null);
  if (GONE.includes(response.status)) {
    await disableGone(db, { ...found, channel }, response.status);
    return checkSoon(db, appId);
  }
  throw new Error(refusalOf(response.status), { cause: response.status });
}

/**
 * Sends a test alert at once and waits for the response, so that errors show during the set-up. Throws NOT_FOUND,
 * CONFLICT with the reason if it is not accepted or the mailbox has had its tests of the day, and RATE_LIMITED for email.
 */
export async function sendTestAlert(ctx: Context, channelId: string): Promise<void> {
  const channel = await getChannel(ctx, channelId);
  const message = {
    title: `${ctx.app.name}: this is a test`,
    detail: "Alerts of the app arrive here.",
    url: pageAddress(`/dashboard/apps/${ctx.app.id}/alerts`),
  };
  await recordAudit(ctx.db, ctx, { action: "alert_channel.tested", ...channelSubject(channel) });
  if (channel.type === "mail") return sendTestEmail(ctx, channel.target ?? failUnreadable(), message);
  const response = await postMessage(channel, message).catch((error: unknown) => {
    if (error instanceof EgressError) return fail("CONFLICT", `The test was not confirmed. ${error.message}`);
    throw error;
  });
  if (!isAccepted(response)) fail("CONFLICT", `${refusalOf(response.status)} (HTTP ${response.status})`);
  if (channel.stoppedBecause) await storeOutcome(ctx.db, { appId: ctx.app.id, channelId }, null);
}
