import { pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { appId, createdAt } from "./columns";

/** A dead code exchanged by support. Its primary key is the rule that an assignment gets a second code at most once. */
export const codeReplacements = pgTable(
  "code_replacements",
  {
    appId: appId(),
    /** The referral or the reward. */
    assignmentId: uuid("assignment_id").notNull(),
    oldCodeId: uuid("old_code_id").notNull(),
    newCodeId: uuid("new_code_id").notNull(),
    reason: text("reason").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "code_replacements_pkey", columns: [t.appId, t.assignmentId] }),
    uniqueIndex("code_replacements_new").on(t.appId, t.newCodeId),
  ],
);
