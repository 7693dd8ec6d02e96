import { and, eq } from "drizzle-orm";
import { DAY_MS, formatDate, formatLongDate, formatNumber, isoDay } from "@/lib/contract/format";
import type { ProblemView } from "@/lib/contract/problems";
import { QUOTA_WARN_PERCENT, quotaWarnLine } from "@/lib/contract/quota";
import { installationBacklogs } from "@/lib/outward/problems/backlogs";
import { type Channel, loadChannels } from "@/lib/outward/problems/channels";
import { abuseProblems } from "@/lib/outward/problems/detect-abuse";
import { campaignProblems } from "@/lib/outward/problems/detect-campaigns";
import { codeProblems, lineProblems } from "@/lib/outward/problems/detect-codes";
import { BACKLOG, deliveryProblems } from "@/lib/outward/problems/detect-deliveries";
import { providerProblems } from "@/lib/outward/problems/detect-providers";
import { rewardProblems, waitingRewards } from "@/lib/outward/problems/detect-rewards";
import { bySeverity, isAlerted, openAlerts, type Problem, problemKey } from "@/lib/outward/problems/problem";
import { apps, quotaUsage, workspaces } from "@/lib/platform/db/schema";
import { refusedAddresses } from "@/lib/platform/email/mailbox";
import { type Campaign, listCampaigns } from "@/lib/program/campaigns/read";
import { type PoolStock, stockOf } from "@/lib/program/stats/stock";
import { listKeys } from "@/lib/tenants/api-keys/list";
import type { Context } from "@/lib/tenants/context";
import { limitOf } from "@/lib/tenants/quota/plans";
import { monthOf } from "@/lib/tenants/quota/usage";

/** State that the caller has already read. */
interface Known {
  stock?: PoolStock[];
  campaigns?: Campaign[];
  /** Open alerts: some counts stay a problem until they are well below the threshold that raised them. */
  open?: ReadonlyMap<string, Date>;
}

/**
 * Everything that is wrong in an app now, the most urgent first. Each question has one threshold
 * (`docs/decisions/alerts.md`) and reads a bounded number of rows. One statement runs after the other, because a page
 * must not take the connections that the API needs.
 */
export async function detect(ctx: Context, known: Known = {}): Promise<Problem[]> {
  const open = known.open ?? (await openAlerts(ctx));
  const stock = known.stock ?? (await stockOf(ctx));
  const campaigns = known.campaigns ?? (await listCampaigns(ctx));
  const waiting = await waitingRewards(ctx, campaigns, stock);
  const problems = [
    ...(await appProblems(ctx)),
    ...campaignProblems(ctx.app, campaigns, stock, waiting),
    ...rewardProblems(waiting),
    ...(await lineProblems(ctx, stock)),
    ...(await codeProblems(ctx, stock, { open, waiting })),
    ...(await abuseProblems(ctx, open)),
    ...(await providerProblems(ctx, open, campaigns)),
    ...(await channelProblems(ctx)),
    ...(await deliveryProblems(ctx, await installationBacklogs(ctx.db), open)),
  ];
  return problems.sort(bySeverity);
}

/** Channels that did not accept the last alert, were disabled once the chat was gone, or have an unreadable address. */
async function channelProblems(ctx: Context): Promise<Problem[]> {
  const channels = await loadChannels(ctx);
  const mailboxes = channels.filter(({ type, enabled }) => type === "mail" && enabled);
  const refused = await refusedAddresses(
    ctx.db,
    mailboxes.flatMap(({ target }) => target ?? []),
  );
  return channels.flatMap((channel) => channelProblem(channel, refused));
}

function channelProblem(channel: Channel, refused: Map<string, Date>): Problem[] {
  const { id, type, name, enabled, target, stoppedBecause, createdAt } = channel;
  const label = name || (type === "mail" ? "An email channel" : "A chat");
  const common = { ...BACKLOG, subject: `channel ${id}`, path: "/alerts", action: "Open alerts" };
  if (enabled && target === null) {
    const detail = "Delete the channel and add it again: the key that sealed its address is missing.";
    return [{ ...common, title: `${label} gets no alerts`, detail }];
  }
  // Emails that were refused before the channel was added do not count.
  if (enabled && type === "mail" && (refused.get(target?.toLowerCase() ?? "") ?? 0) > createdAt) {
    const detail = "Check the address, then send a test: the mail server accepts no emails to it.";
    return [{ ...common, title: `${label} gets no alerts`, detail }];
  }
  if (!stoppedBecause) return [];
  return [
    {
      ...common,
      subject: enabled ? `channel ${id}` : `channel ${id} off`,
      title: `${label} ${enabled ? "does not accept alerts" : "was disabled: its address is gone"}`,
      detail: `${enabled ? "Check the chat, then send a test." : "Delete the channel and add it with the chat's new address."} ${stoppedBecause}`,
    },
  ];
}

/** The problems of an app, hints included, as the overview lists them. */
export async function listProblems(ctx: Context, known: Known = {}): Promise<ProblemView[]> {
  const open = known.open ?? (await openAlerts(ctx));
  const problems = await detect(ctx, { ...known, open });
  const found = [...problems, ...(await unusedKeys(ctx))].sort(bySeverity);
  return found.map((problem) => {
    const { kind, subject, severity, title, detail, path, action, needs = "viewer" } = problem;
    const notifiedAt = open.get(problemKey(problem)) ?? null;
    return { kind, subject, severity, title, detail, path, action, needs, notifiedAt };
  });
}

/** The problems that channels are notified about, with the time of their alert, in the order of the overview. */
export async function listAlerts(ctx: Context): Promise<ProblemView[]> {
  return (await listProblems(ctx)).filter(isAlerted);
}

/** The quota of the workspace, and the app's own domain: one statement. */
async function appProblems(ctx: Context): Promise<Problem[]> {
  const { start, end } = monthOf(new Date());
  const month = isoDay(start);
  const [row] = await ctx.db.orm
    .select({ app: apps, workspace: workspaces, used: quotaUsage.used })
    .from(apps)
    .innerJoin(workspaces, eq(workspaces.id, apps.workspaceId))
    .leftJoin(quotaUsage, and(eq(quotaUsage.workspaceId, workspaces.id), eq(quotaUsage.month, month)))
    .where(eq(apps.id, ctx.app.id));
  if (!row) return [];
  return [...quotaProblems(row.workspace, row.used ?? 0, { month, end }), ...lostDomain(row.app)];
}

/** The workspace's requests this month: a warning at {@link QUOTA_WARN_PERCENT}, critical at 100%: every app stops. */
function quotaProblems(
  workspace: typeof workspaces.$inferSelect,
  used: number,
  { month, end }: { month: string; end: Date },
): Problem[] {
  const limit = limitOf(workspace);
  const line = quotaWarnLine(limit);
  if (used === 0 || used < line) return [];
  const counts = `${formatNumber(used)} of ${formatNumber(limit)} requests this month are used`;
  const reset = `${formatLongDate(end)}, 00:00 UTC`;
  const common = {
    kind: "quota" as const,
    path: `/dashboard/workspaces/${workspace.id}/plan`,
    action: "Open plan",
  };
  if (used < limit) {
    return [
      {
        ...common,
        subject: `${month} ${QUOTA_WARN_PERCENT}`,
        severity: "warning",
        title: `${Math.floor((used * 100) / limit)}% of the monthly quota is used`,
        detail: `Upgrade the plan if you need more: ${counts}. Beyond that, API requests are refused until ${reset}.`,
        workspace: { name: workspace.name, month, line, limit },
      },
    ];
  }
  return [
    {
      ...common,
      subject: `${month} 100`,
      includes: `${month} ${QUOTA_WARN_PERCENT}`,
      severity: "critical",
      title: "The monthly quota is used up",
      detail: `Upgrade the plan: API requests are refused until ${reset}. ${counts}.`,
      workspace: { name: workspace.name, month, line: limit, limit },
    },
  ];
}

/** The app's own domain without its record: another app could claim it, or has done so. */
function lostDomain(app: typeof apps.$inferSelect): Problem[] {
  const { id, landingDomain, landingDomainLostAt, landingDomainVerifiedAt } = app;
  if (!landingDomain || !landingDomainLostAt) return [];
  const common = { kind: "domain_lost", severity: "warning", path: "/settings/domain" } as const;
  if (!landingDomainVerifiedAt) {
    return [
      {
        ...common,
        subject: `${id} moved`,
        includes: id,
        title: `Another app has verified ${landingDomain}`,
        detail:
          "Links to it no longer show your invitations. Enter another domain, or verify this one again.",
        action: "Open domain",
      },
    ];
  }
  return [
    {
      ...common,
      subject: id,
      title: `The DNS record of ${landingDomain} has been missing since ${formatDate(landingDomainLostAt)}`,
      detail: "Put the TXT record back. Links still work, but another app could claim the domain.",
      action: "Show the record",
    },
  ];
}

/** Hints about valid keys older than a day that were never used: forgotten, or not yet in the app. */
async function unusedKeys(ctx: Context): Promise<Problem[]> {
  const keys = await listKeys(ctx);
  return keys
    .filter(({ state, lastUsedAt }) => state === "active" && !lastUsedAt)
    .filter(({ createdAt }) => Date.now() - createdAt.getTime() > DAY_MS)
    .map(({ id, name }) => ({
      kind: "key_unused",
      subject: id,
      severity: "hint",
      title: `The key “${name}” has never been used`,
      detail: "Add it to your app, or revoke it.",
      path: "/keys",
      action: "Open keys",
    }));
}
