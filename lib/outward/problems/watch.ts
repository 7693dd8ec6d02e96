import { and, eq, gt, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import { HOUR_MS } from "@/lib/contract/format";
import { ALERT_GROUPS, type AlertKind, problemHref } from "@/lib/contract/problems";
import { type Channel, loadChannels } from "@/lib/outward/problems/channels";
import { detect } from "@/lib/outward/problems/detect";
import { queuePost } from "@/lib/outward/problems/post";
import { type AlertedProblem, isAlerted, openAlerts, problemKey } from "@/lib/outward/problems/problem";
import { databaseNow } from "@/lib/platform/db/chunks";
import { alerts, pools, quotaUsage } from "@/lib/platform/db/schema";
import { pageAddress, sendEmail } from "@/lib/platform/email/send";
import { limits } from "@/lib/platform/limits/limits";
import { log } from "@/lib/platform/log";
import { type Campaign, listCampaigns } from "@/lib/program/campaigns/read";
import { ownPool } from "@/lib/program/pools/get";
import { type PoolStock, stockOf } from "@/lib/program/stats/stock";
import type { Context } from "@/lib/tenants/context";
import { emitEvent } from "@/lib/tenants/events/emit";
import { alertRecipients, memberAddresses } from "@/lib/tenants/workspaces/members";

const KINDS: Record<AlertKind, readonly [heading: string, reason: string]> = Object.assign(
  {},
  ...Object.values(ALERT_GROUPS),
);

/** A mailbox that gets a problem's email, and whether a member of the workspace has confirmed the address. */
interface Mailbox {
  to: string;
  ofMember: boolean;
}

/**
 * A problem as an email. Its subject names the app, or the workspace for a problem of the whole workspace. In an
 * email to a mailbox that is not a member's, names chosen by the owner are in the text only.
 */
function problemEmail(ctx: Context, problem: AlertedProblem, { to, ofMember }: Mailbox) {
  const { kind, severity, title, detail, action, path, more, workspace } = problem;
  const named = `${workspace?.name ?? ctx.app.name}: ${title}`;
  const lines = [
    ...(ofMember ? [] : [named, ""]),
    detail,
    "",
    `${action}:`,
    pageAddress(problemHref(ctx.app.id, path)),
    "",
    more ?? "This email is sent once, and again only if the problem comes back after it was solved.",
  ];
  const neutral = `${severity === "critical" ? "Critical alert" : "Alert"}: ${KINDS[kind][0]}`;
  return { to, subject: ofMember ? named : neutral, text: lines.join("\n") };
}

/**
 * Writes the emails about a problem in the transaction of `ctx.db`, one to each mailbox: the problem's own recipients,
 * the owners and admins if it has none or is critical (a recipient may be mistyped), and the channels of type email.
 */
async function sendProblemEmails(ctx: Context, problem: AlertedProblem, channels: string[]): Promise<void> {
  const { recipients = [], severity, workspace } = problem;
  const owners = recipients.length === 0 || severity === "critical" ? await alertRecipients(ctx) : [];
  const direct = await allowed(ctx, problem, [...recipients, ...owners]);
  const reached = new Set(direct.map(({ to }) => to.toLowerCase()));
  const others = await allowed(
    ctx,
    problem,
    channels.filter((to) => !reached.has(to.toLowerCase())),
  );
  // Runs last before the emails, because every request of the workspace waits for this row.
  const first = !workspace || (await claimWorkspaceEmail(ctx, workspace));
  for (const mailbox of first ? [...direct, ...others] : others)
    await sendEmail(ctx.db, problemEmail(ctx, problem, mailbox));
}

/**
 * Addresses and most of the text are the owner's, so a problem that comes and goes must not flood a mailbox. The apps
 * of a workspace share one allowance for a mailbox that is not a member's. Critical problems, and those of the whole
 * workspace, which one app claims for all, have a separate allowance: end users can cause many others.
 */
async function allowed(ctx: Context, problem: AlertedProblem, addresses: string[]): Promise<Mailbox[]> {
  const found: Mailbox[] = [];
  const members = await memberAddresses(ctx, addresses);
  const { kind, subject, severity, workspace } = problem;
  for (const to of new Map(addresses.map((each) => [each.toLowerCase(), each])).values()) {
    const ofMember = members.has(to.toLowerCase());
    const usual = ofMember && !workspace ? ctx.app.id : ctx.workspace.id;
    const within = workspace || severity === "critical" ? `${usual} critical` : usual;
    const decision = await limits().problemEmail(ctx.app.id, problemKey(problem), to, within);
    if (decision.allowed) found.push({ to, ofMember });
    else log().warn({ app: ctx.app.id, kind, subject }, "a mailbox has had its emails about this for today");
  }
  return found;
}

/** The guarded update lets one app through per threshold that the workspace's month crosses under the current plan. */
async function claimWorkspaceEmail(
  ctx: Context,
  { month, line, limit }: { month: string; line: number; limit: number },
): Promise<boolean> {
  const { workspaceId, month: usageMonth, mailed } = quotaUsage;
  const claimed = await ctx.db.orm
    .update(quotaUsage)
    .set({ mailed: line })
    .where(
      and(eq(workspaceId, ctx.workspace.id), eq(usageMonth, month), or(lt(mailed, line), gt(mailed, limit))),
    )
    .returning({ month: usageMonth });
  return claimed.length > 0;
}

/** Seconds until an unchanged app is checked again: some problems begin or end by time alone. */
export const LOOK_S = 24 * 3_600;

/** Seconds until the next check while an alert may resolve without a write on our side. */
const SOON_S = 600;

const ENDING_BY_ITSELF: readonly AlertKind[] = [
  "quota",
  "provider_refused",
  "provider_silent",
  "unmatched",
  "pace",
  "key_limited",
  "webhook_failing",
];

/**
 * Notifies about new problems of an app, the most urgent first, each exactly once, even if several processes check at
 * the same time. Deletes the rows of solved problems, so that they are notified again if they return. Returns the
 * seconds until the next check if nothing changes before.
 */
export async function watchApp(ctx: Context): Promise<number> {
  const stock = await stockOf(ctx);
  for (const pool of stock) await emitLowStock(ctx, pool);
  const open = await openAlerts(ctx);
  const campaigns = await listCampaigns(ctx);
  const problems = (await detect(ctx, { stock, open, campaigns })).filter(isAlerted);
  const started = problems.filter((problem) => !open.has(problemKey(problem)));
  for (const problem of started) await notify(ctx, problem);
  const current = new Set(problems.flatMap(problemKeys));
  for (const key of open.keys()) if (!current.has(key)) await rearm(ctx, key);
  // A mailbox may refuse the emails about new problems.
  const isSoon = started.length > 0 || problems.some(({ kind }) => ENDING_BY_ITSELF.includes(kind));
  const soon = isSoon ? [SOON_S] : [];
  return Math.min(
    LOOK_S,
    ...soon,
    ...stock.flatMap((pool) => untilExpiry(pool, campaigns)),
    ...campaigns.flatMap(untilStart),
  );
}

/**
 * Seconds until a campaign starts, when codes are set aside for those in line. For a minute after the start the next
 * check is still soon, because the start may have passed during this one.
 */
function untilStart({ status, startsAt }: Campaign): number[] {
  const ms = status === "active" && startsAt ? startsAt.getTime() - databaseNow() : Number.NEGATIVE_INFINITY;
  return ms > -60_000 ? [ms > 0 ? ms / 1_000 : 60] : [];
}

/**
 * Seconds until batches of a pool fall within the safety margin of one of its campaigns, which may leave the pool empty or
 * end the use of codes that are set aside.
 */
function untilExpiry({ batches, marginMs, usedBy }: PoolStock, campaigns: Campaign[]): number[] {
  const own = campaigns.filter(({ id }) => usedBy.some((user) => user.id === id));
  const margins = new Set([marginMs, ...own.map(({ safetyMarginHours }) => safetyMarginHours * HOUR_MS)]);
  return (
    batches
      .filter(({ free, reserved }) => free + reserved > 0)
      .flatMap(({ expiresAt }) =>
        expiresAt ? [...margins].map((margin) => expiresAt.getTime() - margin - databaseNow()) : [],
      )
      // Once more soon after, because the time may have passed during this check.
      .filter((ms) => ms > -60_000)
      .map((ms) => Math.max(60, Math.ceil(ms / 1_000)))
  );
}

/** The keys of a problem and of the lesser state that it includes. */
const problemKeys = ({ kind, subject, includes }: AlertedProblem): string[] =>
  [subject, includes].filter((name) => name !== undefined).map((name) => problemKey({ kind, subject: name }));

async function rearm(ctx: Context, key: string): Promise<void> {
  const [kind = ""] = key.split(" ", 1);
  const subject = key.slice(kind.length + 1);
  await ctx.db.orm
    .delete(alerts)
    .where(and(eq(alerts.appId, ctx.app.id), eq(alerts.kind, kind), eq(alerts.subject, subject)));
}

/**
 * The inserted row admits one process. Emails and posts are written in its transaction, so neither is stored
 * without the other.
 */
async function notify(ctx: Context, problem: AlertedProblem): Promise<void> {
  const { kind, subject, includes, title, detail, path } = problem;
  await ctx.db.transaction(async (db) => {
    const row = { appId: ctx.app.id, kind, title, detail, path };
    const first = await db.orm
      .insert(alerts)
      .values({ ...row, subject })
      .onConflictDoNothing()
      .returning({ kind: alerts.kind });
    if (first.length === 0) return;
    if (includes !== undefined) {
      await db.orm
        .insert(alerts)
        .values({ ...row, subject: includes })
        .onConflictDoNothing();
    }
    const channels = await channelsFor({ ...ctx, db }, kind);
    const message = {
      title: `${ctx.app.name}: ${title}`,
      detail,
      url: pageAddress(problemHref(ctx.app.id, path)),
    };
    for (const { id, type } of channels) {
      if (type !== "mail") await queuePost(db, { appId: ctx.app.id, channelId: id, message });
    }
    const mailboxes = channels.flatMap(({ type, target }) => (type === "mail" && target ? [target] : []));
    await sendProblemEmails({ ...ctx, db }, problem, mailboxes);
  });
}

async function channelsFor(ctx: Context, kind: AlertKind): Promise<Channel[]> {
  return (await loadChannels(ctx)).filter(({ enabled, kinds }) => enabled && kinds.includes(kind));
}

/** Emits `pool.low` once per crossing of the pool's own threshold. A pool that never had a code is new, not low. */
async function emitLowStock(ctx: Context, pool: PoolStock): Promise<void> {
  const { id, name, platform, use, free, lowStock } = pool;
  const own = ownPool(ctx, id);
  const low = pool.size > 0 && free <= lowStock;
  if (low && !pool.lowSince) {
    await ctx.db.transaction(async (db) => {
      const crossed = await db.orm
        .update(pools)
        .set({ lowSince: sql`now()` })
        .where(and(own, isNull(pools.lowSince)))
        .returning({ id: pools.id });
      if (crossed.length === 0) return;
      const payload = { pool_id: id, name, platform, use, free, low_stock: lowStock };
      await emitEvent({ ...ctx, db }, "pool.low", payload);
    });
  }
  if (low || !pool.lowSince) return;
  await ctx.db.orm
    .update(pools)
    .set({ lowSince: null })
    .where(and(own, isNotNull(pools.lowSince)));
}
