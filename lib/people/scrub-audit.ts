import { sql } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { walkRows } from "./walk-rows";

/** Values of an entry that say who somebody is, or that a person wrote about somebody. */
const PERSONAL = ["uid", "name", "handle", "notes", "reason", "q"];

interface Named {
  uid: string;
  pseudonym: string;
  /** Ids of the person's referrer, referrals and rewards. */
  subjects: string[];
}

/** Entries that name the person: what was done stays, to whom does not. */
export async function scrubAudit(ctx: Context, { uid, pseudonym, subjects }: Named): Promise<void> {
  const rows = { table: "audit_log", tenant: sql`workspace_id = ${ctx.workspace.id}` } as const;
  const named = sql`(subject_id = ${uid} or subject_name = ${uid})`;
  const personal = sql`${sql.param(PERSONAL)}::text[]`;
  await walkRows(
    ctx.db,
    rows,
    // A code's name is its last four characters, which stay.
    sql`update audit_log
           set subject_id = case when subject_id = ${uid} then ${pseudonym} else subject_id end,
               subject_name = case when ${named} or subject = 'referrer' then ${pseudonym} else subject_name end,
               before = before - ${personal}, after = after - ${personal}
         where app_id = ${ctx.app.id} and (${named} or after ->> 'uid' = ${uid} or after ->> 'q' = ${uid}
            or subject_id = any(${sql.param(subjects)}::text[]))`,
  );
}
