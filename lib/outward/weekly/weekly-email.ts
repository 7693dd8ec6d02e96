import { randomUUID } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { isUuid } from "@/lib/contract/fields";
import { formatDayAndMonth, formatNumber } from "@/lib/contract/format";
import { STEP_NAMES, STEPS, type Trend } from "@/lib/contract/overview";
import type { Db } from "@/lib/platform/db/client";
import { apps, rounds, weeklyEmails } from "@/lib/platform/db/schema";
import { pageAddress, sendEmail } from "@/lib/platform/email/send";
import { fail } from "@/lib/platform/errors";
import { readTrend } from "@/lib/program/stats/trend";
import type { Context } from "@/lib/tenants/context";

/** The round of an app that sends its weekly emails. */
export const WEEKLY_ROUND = "weekly email" as const;

/** Monday of the current week, UTC; the week before it is over. */
const THIS_MONDAY = sql`date_trunc('week', now() at time zone 'UTC')::date`;
const LAST_WEEK = sql`(${THIS_MONDAY} - 7)`;

/** Mondays from 06:00 UTC, spread over two hours, because an installation has many apps. */
const NEXT_DUE = sql`((${THIS_MONDAY} + 7 + time '06:00') at time zone 'UTC' + random() * interval '2 hours')`;

const userIdOf = ({ actor }: Context) => (actor.kind === "user" ? actor.id : fail("FORBIDDEN"));

const rowOf = (ctx: Context) =>
  and(eq(weeklyEmails.appId, ctx.app.id), eq(weeklyEmails.userId, userIdOf(ctx)));

/** Whether the user gets the app's figures by email every week. */
export async function hasWeeklyEmail(ctx: Context): Promise<boolean> {
  return (await ctx.db.orm.$count(weeklyEmails, rowOf(ctx))) > 0;
}

/** Switches the user's weekly email on, from next Monday, or off. */
export async function updateWeeklyEmail(ctx: Context, enabled: boolean): Promise<void> {
  if (!enabled) {
    await ctx.db.orm.delete(weeklyEmails).where(rowOf(ctx));
    return;
  }
  const userId = userIdOf(ctx);
  const appId = ctx.app.id;
  await ctx.db.transaction(async ({ orm }) => {
    await orm
      .insert(weeklyEmails)
      .values({ appId, userId, token: randomUUID(), sentWeek: sql`${LAST_WEEK}` })
      .onConflictDoNothing();
    // Marked, because a run that ends now may not have seen this subscriber.
    await orm
      .insert(rounds)
      .values({ appId, name: WEEKLY_ROUND, dueAt: sql`${NEXT_DUE}`, markedAt: sql`now()` })
      .onConflictDoUpdate({
        target: [rounds.appId, rounds.name],
        set: { dueAt: sql`coalesce(${rounds.dueAt}, excluded.due_at)`, markedAt: sql`now()` },
      });
  });
}

interface EmailLink {
  appId: string;
  token: string;
}

/** The name of the app of a link in a weekly email; undefined once it is switched off. */
export async function findWeeklyEmail(db: Db, { appId, token }: EmailLink): Promise<string | undefined> {
  if (!isUuid(appId) || !isUuid(token)) return undefined;
  const [row] = await db.orm.select().from(weeklyEmails).where(linked(appId, token));
  if (!row) return undefined;
  // Also of a deleted app, which may be restored.
  const [app] = await db.orm.select({ name: apps.name }).from(apps).where(eq(apps.id, appId));
  return app?.name;
}

/** Switches a weekly email off by the link in it. Has no effect if it is off already. */
export async function unsubscribe(db: Db, { appId, token }: EmailLink): Promise<void> {
  if (isUuid(appId) && isUuid(token)) await db.orm.delete(weeklyEmails).where(linked(appId, token));
}

const linked = (appId: string, token: string) =>
  and(eq(weeklyEmails.appId, appId), eq(weeklyEmails.token, token));

interface Recipient extends Record<string, unknown> {
  email: string;
  token: string;
}

/**
 * Queues the emails about the last week, and returns the seconds until the next one; null where no member wants any.
 * The week and the emails are stored in one transaction, so each member gets one a week even if a process dies; the
 * email queue decides whether the mail server may get it twice. A week without figures has no email.
 */
export async function sendWeeklyEmails(ctx: Context): Promise<number | null> {
  const { app, db } = ctx;
  const { rows } = await db.orm.execute<{ from: string; to: string; seconds: number }>(sql`
    select ${LAST_WEEK}::text as from, (${THIS_MONDAY} - 1)::text as to,
           extract(epoch from ${NEXT_DUE} - now())::float8 as seconds`);
  const week = rows[0] ?? fail("INTERNAL_ERROR");
  const trend = await readTrend(ctx, { range: "custom", ...week, campaign: undefined, platform: undefined });
  const silent = STEPS.every((step) => trend.now[step] === 0);
  return db.transaction(async (tx) => {
    const recipients = await claimWeek(ctx, tx, week.from);
    if (!silent) {
      for (const { email, token } of recipients) {
        const unsubscribeUrl = pageAddress(`/unsubscribe/${app.id}/${token}`);
        await sendEmail(tx, { to: email, unsubscribeUrl, ...weeklyEmail(ctx, trend, unsubscribeUrl) });
      }
    }
    const left = await tx.orm.$count(weeklyEmails, eq(weeklyEmails.appId, app.id));
    return left > 0 ? week.seconds : null;
  });
}

/** Stores the week for the members who have not had its email; the row locks make a second process find none. */
async function claimWeek({ app, workspace }: Context, db: Db, week: string): Promise<Recipient[]> {
  await db.orm.execute(sql`
    delete from weekly_emails w where w.app_id = ${app.id} and not exists (
      select from memberships m where m.workspace_id = ${workspace.id} and m.user_id = w.user_id)`);
  const { rows } = await db.orm.execute<Recipient>(sql`
    update weekly_emails w set sent_week = ${week} from users u
     where w.app_id = ${app.id} and w.sent_week < ${week} and u.id = w.user_id and u.email_verified_at is not null
    returning u.email, w.token`);
  return rows;
}

function weeklyEmail(
  { app }: Context,
  trend: Trend,
  unsubscribeUrl: string,
): { subject: string; text: string } {
  const { from, until, now, before } = trend;
  const [first, last] = [from, until].map((day) => formatDayAndMonth(new Date(day)));
  const figures = STEPS.map(
    (step) => `${STEP_NAMES[step]}: ${formatNumber(now[step])} (week before: ${formatNumber(before[step])})`,
  );
  const lines = [
    `${app.name}, ${first} to ${last} (Monday to Sunday, UTC):`,
    "",
    ...figures,
    "",
    "Open the overview:",
    pageAddress(`/dashboard/apps/${app.id}?range=custom&from=${from}&to=${until}`),
    "",
    "You get this email on Mondays because you switched it on under Alerts. We send no email for a week without activity.",
    "Unsubscribe:",
    unsubscribeUrl,
  ];
  const confirmed = `${formatNumber(now.confirmed)} confirmed ${now.confirmed === 1 ? "referral" : "referrals"}`;
  return { subject: `${app.name}: ${confirmed} last week`, text: lines.join("\n") };
}
