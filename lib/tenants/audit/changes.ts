import { and, eq } from "drizzle-orm";
import { AUDIT_SHOWN } from "@/lib/contract/audit";
import type { EditConflict } from "@/lib/contract/form-state";
import { formatRelative } from "@/lib/contract/format";
import type { Db } from "@/lib/platform/db/client";
import { auditLog } from "@/lib/platform/db/schema";
import { newestFirst, walkPage } from "@/lib/platform/db/walk";
import { type AppError, fail } from "@/lib/platform/errors";
import type { Actor } from "@/lib/tenants/context";
import { diff, type Values } from "./diff";

const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** The named values; null for a missing one. */
const pick = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(names.map((name) => [name, values[name] ?? null]));

/** The fields in which two states differ, for the audit log; null for a missing value. */
export function changesOf(before: Values, after: Values): { before: Values; after: Values } {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const differ = names.filter((name) => !same(before[name], after[name]));
  return { before: pick(before, differ), after: pick(after, differ) };
}

/** The context of a change that came from a form; without a workspace, the editor's own account is changed. */
type Editor = { seen?: string | undefined; db: Db } & (TeamScope | { workspace?: never });

type TeamScope = { workspace: { id: string }; app?: { id: string } | undefined; actor: Actor };

/**
 * Throws CONFLICT with both versions if the change from `before` to `after` would undo another one that was made since
 * its form was opened. The caller has locked the row of `before`. `audited` names a field as the audit log does.
 */
export async function refuseUndoing(
  ctx: Editor,
  subjectId: string,
  before: Values,
  after: Values,
  audited = (field: string) => field,
): Promise<void> {
  if (ctx.seen === undefined) return;
  const seen = readSeen(ctx.seen);
  const undone = Object.keys(changesOf(before, after).after).filter(
    (name) => Object.hasOwn(seen, name) && !same(seen[name], before[name]),
  );
  if (undone.length === 0) return;
  const conflict: EditConflict = {
    changes: diff(pick(before, undone), pick(after, undone)),
    seen: JSON.stringify(pick(before, Object.keys(seen))),
  };
  const message = `${await nameOfEditor(ctx, subjectId, undone.map(audited))}. Your changes were not saved`;
  fail("CONFLICT", message, { extra: { conflict } });
}

/** The user who saved the fields last, and when, in words; no name where the audit log has no entry of a user. */
async function nameOfEditor(ctx: Editor, subjectId: string, fields: string[]): Promise<string> {
  if (!ctx.workspace) return "You saved this in another tab or window";
  const last = await findLastChange(ctx, subjectId, fields);
  if (last?.actorKind !== "user") return "This was changed while you were editing";
  const when = formatRelative(last.createdAt);
  return ctx.actor.kind === "user" && last.actorId === ctx.actor.id
    ? `You saved this in another tab or window ${when}`
    : `${last.actorName} saved this ${when}, while you were editing`;
}

/** The newest entry about one thing by which one of the fields changed, among the newest 10,000 of the workspace. */
async function findLastChange(
  { db, workspace, app }: TeamScope & { db: Db },
  subjectId: string,
  fields: string[],
) {
  const { data } = await walkPage(db, auditLog, {
    ...newestFirst(auditLog.id),
    within: eq(auditLog.workspaceId, workspace.id),
    filter: and(eq(auditLog.subjectId, subjectId), app ? eq(auditLog.appId, app.id) : undefined),
    size: AUDIT_SHOWN,
  });
  return data.find(({ before, after }) => diff(before, after).some(({ field }) => fields.includes(field)));
}

/** The conflict that refused a change, if one did. */
export const conflictOf = (error: AppError): EditConflict | undefined =>
  error.extra?.conflict as EditConflict | undefined;

function readSeen(text: string): Values {
  try {
    const seen: unknown = JSON.parse(text);
    if (typeof seen === "object" && seen !== null) return { ...seen };
  } catch {
    // Not JSON: refused below.
  }
  return fail("VALIDATION_ERROR", "Reload the page and save again");
}
