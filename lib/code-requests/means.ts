import { openAppStore } from "@/lib/app-store-connect/open";
import type { Context } from "@/lib/context";
import type { CodeMaker } from "@/lib/stores/code-maker";

/** Where a process may die. Tests end one at each of them. */
export type Point = "before_post" | "after_post" | "before_import" | "during_import" | "after_import";

/** How a request is worked on. */
export interface Means {
  /** Opens the store with the app's key. */
  open: (ctx: Context) => Promise<CodeMaker>;
  at: (point: Point) => void;
}

export const MEANS: Means = { open: openAppStore, at: () => undefined };
