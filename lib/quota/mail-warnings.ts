import { and, eq, gt } from "drizzle-orm";
import type { Db } from "@/lib/db/client";
import { quotaUsage, workspaces } from "@/lib/db/schema";
import { pageAddress, sendMail } from "@/lib/mail/send";
import { alertedPeople } from "@/lib/stats/alerted-people";
import { limitOf } from "./limit";
import { monthOf } from "./usage";

/** Workspaces of one round; the next one takes the rest. */
const BATCH = 100;

type Warned = { usage: typeof quotaUsage.$inferSelect; workspace: typeof workspaces.$inferSelect };

/**
 * Writes to the owners and admins of every workspace that has passed 80 or 100 % of its month: once for each line,
 * however many processes look. Returns how many workspaces were told.
 */
export async function mailWarnings(db: Db, now = new Date()): Promise<number> {
  const month = monthOf(now).start.toISOString().slice(0, 10);
  const found: Warned[] = await db.orm
    .select({ usage: quotaUsage, workspace: workspaces })
    .from(quotaUsage)
    .innerJoin(workspaces, eq(workspaces.id, quotaUsage.workspaceId))
    .where(and(eq(quotaUsage.month, month), gt(quotaUsage.alerted, quotaUsage.mailed)))
    .limit(BATCH);
  let told = 0;
  for (const warned of found) told += (await tell(db, warned, now)) ? 1 : 0;
  return told;
}

async function tell(db: Db, { usage, workspace }: Warned, now: Date): Promise<boolean> {
  const { workspaceId, month, alerted } = usage;
  // Asked before the lock: every request of the workspace waits for that row.
  const people = await alertedPeople({ db, workspace });
  const letter = warningLetter(workspace, usage.used, now);
  return db.transaction(async (tx) => {
    const first = await tx.orm
      .update(quotaUsage)
      .set({ mailed: alerted })
      .where(
        and(
          eq(quotaUsage.workspaceId, workspaceId),
          eq(quotaUsage.month, month),
          gt(quotaUsage.alerted, quotaUsage.mailed),
        ),
      )
      .returning({ month: quotaUsage.month });
    if (first.length === 0 || !letter) return false;
    for (const to of people) await sendMail(tx, { to, ...letter });
    return true;
  });
}

/** What is written; nothing where a larger plan has put the line out of reach since. */
function warningLetter(
  workspace: Warned["workspace"],
  used: number,
  now: Date,
): { subject: string; text: string } | undefined {
  const limit = limitOf(workspace);
  const percent = Math.floor((used * 100) / limit);
  if (percent < 80) return undefined;
  const full = used >= limit;
  const { end } = monthOf(now);
  const reset = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(end);
  const counts = `${used.toLocaleString("en")} of ${limit.toLocaleString("en")} requests`;
  const lines = [
    `The workspace ${workspace.name} has used ${counts} of this month.`,
    full
      ? `API requests are refused with RATE_LIMITED until ${reset}, 00:00 UTC, or until its plan is changed.`
      : `When all are used, API requests are refused until ${reset}, 00:00 UTC.`,
    "",
    "What is used, by month and app:",
    pageAddress(`/dashboard/workspaces/${workspace.id}/plan`),
  ];
  const subject = full
    ? `${workspace.name}: the monthly quota is used up`
    : `${workspace.name}: ${percent} % of the monthly quota is used`;
  return { subject, text: lines.join("\n") };
}
