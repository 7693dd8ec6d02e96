import { sql } from "drizzle-orm";
import type { Alert } from "@/lib/alerts/alert";
import { type Channel, loadChannels } from "@/lib/alerts/channel";
import { type AlertJob, SEND_ALERT } from "@/lib/alerts/send-to-channel";
import type { Context } from "@/lib/context";
import type { AlertKind } from "@/lib/contract/alerts";
import type { Db } from "@/lib/db/client";
import { alerts } from "@/lib/db/schema";
import { limits } from "@/lib/limits/limits";
import { pageAddress, sendMail } from "@/lib/mail/send";
import { alertedPeople } from "@/lib/stats/alerted-people";

/** Owners and admins get letters of their own about these, with more in them. */
const HAS_A_LETTER: readonly AlertKind[] = ["pool_low", "quota", "webhook_failing"];

/** A chat that does not answer is asked again for about an hour, ever more slowly. */
const ATTEMPTS = 9;

/**
 * Tells one alert to whoever wants to hear it. The row is what lets one process through; the letters and jobs are
 * written with it, so that neither goes without the other.
 */
export async function tell(ctx: Context, alert: Alert): Promise<void> {
  await ctx.db.transaction(async (db) => {
    const first = await db.orm
      .insert(alerts)
      .values({ appId: ctx.app.id, ...alert })
      .onConflictDoNothing()
      .returning({ kind: alerts.kind });
    if (first.length === 0) return;
    const message = {
      title: `${ctx.app.name}: ${alert.title}`,
      detail: alert.detail,
      url: pageAddress(`/dashboard/apps/${ctx.app.id}${alert.path}`),
    };
    const channels = (await loadChannels({ ...ctx, db })).filter(
      ({ enabled, kinds }) => enabled && kinds.includes(alert.kind),
    );
    for (const channel of channels.filter(({ type }) => type !== "mail")) {
      await enqueue(db, { appId: ctx.app.id, channelId: channel.id, message });
    }
    const people = await mailboxes({ ...ctx, db }, alert.kind, channels);
    await write({ ...ctx, db }, alert.kind, people, message);
  });
}

async function enqueue(db: Db, job: AlertJob): Promise<void> {
  await db.orm.execute(
    sql`select graphile_worker.add_job(${SEND_ALERT}, ${JSON.stringify(job)}::json, max_attempts => ${ATTEMPTS})`,
  );
}

async function mailboxes(ctx: Context, kind: AlertKind, channels: Channel[]): Promise<Set<string>> {
  const people = HAS_A_LETTER.includes(kind) ? [] : await alertedPeople(ctx);
  return new Set([...people, ...channels.filter(({ type }) => type === "mail").map(({ target }) => target)]);
}

async function write(
  ctx: Context,
  kind: AlertKind,
  people: Set<string>,
  message: AlertJob["message"],
): Promise<void> {
  const text = [
    message.detail,
    "",
    message.url,
    "",
    "You are told once, and again only after it was mended.",
  ].join("\n");
  for (const to of people) {
    // Most of the words are the owner's: something that breaks again and again writes to nobody.
    const { allowed } = await limits().stockMail(`${ctx.app.id}|${kind}`, to);
    if (allowed) await sendMail(ctx.db, { to, subject: message.title, text });
  }
}
