import { and, eq, lt } from "drizzle-orm";
import { problemHref } from "@/lib/contract/problems";
import type { AlertedProblem } from "@/lib/outward/problems/problem";
import { quotaUsage } from "@/lib/platform/db/schema";
import { pageAddress, sendEmail } from "@/lib/platform/email/send";
import { limits } from "@/lib/platform/limits/limits";
import type { Context } from "@/lib/tenants/context";
import { alertRecipients } from "@/lib/tenants/workspaces/members";

/** A problem as an email. Its subject names the app, or the workspace for a problem of the whole workspace. */
function problemEmail(ctx: Context, problem: AlertedProblem): { subject: string; text: string } {
  const { title, detail, action, path, more, workspace } = problem;
  const lines = [
    detail,
    "",
    `${action}:`,
    pageAddress(problemHref(ctx.app.id, path)),
    "",
    more ?? "This email is sent once, and again only if the problem comes back after it was solved.",
  ];
  return { subject: `${workspace?.name ?? ctx.app.name}: ${title}`, text: lines.join("\n") };
}

/**
 * Writes the emails about a problem in the transaction of `ctx.db`, one to each mailbox: the problem's own recipients or
 * the owners and admins, and the channels of type email.
 */
export async function sendProblemEmails(
  ctx: Context,
  problem: AlertedProblem,
  channels: string[],
): Promise<void> {
  const { recipients = [], workspace } = problem;
  const direct = await allowed(ctx, problem, recipients.length > 0 ? recipients : await alertRecipients(ctx));
  const others = await allowed(
    ctx,
    problem,
    channels.filter((to) => !direct.includes(to)),
  );
  // Runs last before the emails, because every request of the workspace waits for this row.
  const first = !workspace || (await claimWorkspaceEmail(ctx, workspace));
  const email = problemEmail(ctx, problem);
  for (const to of first ? [...direct, ...others] : others) await sendEmail(ctx.db, { to, ...email });
}

/** Addresses and most of the text are the owner's, so a problem that comes and goes must not flood a mailbox. */
async function allowed(ctx: Context, { kind }: AlertedProblem, addresses: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const to of new Set(addresses)) {
    const verdict = await limits().stockEmail(`${ctx.app.id}|${kind}`, to);
    if (verdict.allowed) found.push(to);
  }
  return found;
}

/** The guarded update lets one app through per threshold that the workspace's month crosses. */
async function claimWorkspaceEmail(
  ctx: Context,
  { month, line }: { month: string; line: number },
): Promise<boolean> {
  const { workspaceId, month: usageMonth, mailed } = quotaUsage;
  const claimed = await ctx.db.orm
    .update(quotaUsage)
    .set({ mailed: line })
    .where(and(eq(workspaceId, ctx.workspace.id), eq(usageMonth, month), lt(mailed, line)))
    .returning({ month: usageMonth });
  return claimed.length > 0;
}
