import type { apps } from "@/lib/db/schema";

/** An app as it is stored. */
export type App = typeof apps.$inferSelect;
