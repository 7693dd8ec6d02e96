import { eq } from "drizzle-orm";
import { ALERT_KINDS, type AlertKind, type ProblemView, SEVERITIES } from "@/lib/contract/problems";
import { alerts } from "@/lib/platform/db/schema";
import type { Context } from "@/lib/tenants/context";

/** Something that is wrong in an app now. Lists show its {@link ProblemView}. */
export interface Problem extends Omit<ProblemView, "notifiedAt" | "needs"> {
  /** Absent where the action only opens a page. */
  needs?: ProblemView["needs"];
  /**
   * The lesser state that this one includes, as empty includes low: its alert stays open, so it is not sent again
   * afterwards.
   */
  includes?: string;
  /** Recipients of the email instead of the owners and admins. */
  recipients?: string[];
  /** More lines for the email alone. */
  more?: string;
  /** A problem of the whole workspace is emailed once for all of its apps. */
  workspace?: { name: string; month: string; line: number; limit: number };
}

/** A problem that channels and recipients are notified about. */
export type AlertedProblem = Problem & { kind: AlertKind };

const isAlertKind = (kind: string): kind is AlertKind => (ALERT_KINDS as string[]).includes(kind);

/** Hints are shown in the overview and sent to no channel. */
export function isAlerted(problem: Problem): problem is AlertedProblem {
  return problem.severity !== "hint" && isAlertKind(problem.kind);
}

/** The identity of a problem among those of its app, as the primary key of `alerts` has it. */
export const problemKey = ({ kind, subject }: { kind: string; subject: string }): string =>
  `${kind} ${subject}`;

/** The most urgent first; within a severity the order of detection stays. */
export function bySeverity(a: Problem, b: Problem): number {
  return SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity);
}

/** The time of each open alert of the app, by {@link problemKey}. Kinds of a newer version are left out. */
export async function openAlerts(ctx: Context): Promise<ReadonlyMap<string, Date>> {
  const { kind, subject, notifiedAt } = alerts;
  const rows = await ctx.db.orm
    .select({ kind, subject, notifiedAt })
    .from(alerts)
    .where(eq(alerts.appId, ctx.app.id));
  return new Map(rows.filter((row) => isAlertKind(row.kind)).map((row) => [problemKey(row), row.notifiedAt]));
}
