import { bigint, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { createdAt } from "./columns";

/** Who pays: apps, people and the monthly quota hang on it. */
export const workspaces = pgTable("workspaces", {
  id: uuid("id").primaryKey(),
  name: text("name").notNull(),
  plan: text("plan", { enum: ["free", "basic", "pro", "enterprise"] }).notNull(),
  /** Requests a month in place of the plan's own number. */
  quotaOverride: bigint("quota_override", { mode: "number" }),
  createdAt: createdAt(),
});
