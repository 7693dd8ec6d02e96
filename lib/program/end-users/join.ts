import { z } from "zod";
import { nameField, uidField } from "@/lib/contract/fields";
import type { Context } from "@/lib/platform/context";
import { sqlFunction } from "@/lib/platform/db/calls";
import { fail } from "@/lib/platform/errors";
import { parseInput } from "@/lib/platform/parse-input";
import { recordAudit } from "@/lib/tenants/audit/record";

export const joinInput = z.object({
  uid: uidField("uid"),
  otherUid: uidField("otherUid"),
  reason: nameField("reason"),
});

const JOIN_UIDS = sqlFunction("join_uids", { app: "uuid", from: "text", to: "text" }).returns<boolean>();

/**
 * Joins two ids of one person, as a provider's alias event does: from now on an event that names one finds the referral of
 * the other, and events that waited are applied. Rewards and metacodes stay with the id that has them. Throws CONFLICT.
 */
export async function joinUids(ctx: Context, input: z.input<typeof joinInput>): Promise<void> {
  const { uid, otherUid, reason } = parseInput(joinInput, input);
  if (uid === otherUid) fail("CONFLICT", "Enter another ID than the user's own", { field: "otherUid" });
  await ctx.db.transaction(async (db) => {
    if (!(await db.call(JOIN_UIDS, { app: ctx.app.id, from: uid, to: otherUid }))) {
      fail("CONFLICT", "These IDs are joined already", { field: "otherUid" });
    }
    await recordAudit(db, ctx, {
      action: "person.joined",
      subject: "person",
      subjectId: uid,
      after: { uid: otherUid, reason },
    });
  });
}
