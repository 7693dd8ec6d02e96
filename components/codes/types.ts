import type { Platform } from "@/lib/contract/fields";

type BatchState = "importing" | "ready" | "drained" | "quarantined" | "undone";

/** A batch as the pages of codes show it. */
export interface BatchView {
  id: string;
  poolId: string;
  offer: string | null;
  origin: string | null;
  kind: "one_time" | "custom";
  state: BatchState;
  expiresAt: Date | null;
  createdAt: Date;
  size: number;
  given: number;
  confirmed: number;
  free: number;
  quarantined: number;
  expired: number;
}

/** A pool as the pages of codes show it. */
export interface PoolView {
  id: string;
  platform: Platform;
  use: "referee" | "reward";
  name: string;
  lowStock: number;
  alertTo: string[];
  batches: BatchView[];
  free: number;
  given: number;
  confirmed: number;
  quarantined: number;
  expired: number;
  usedBy: { id: string; name: string }[];
  nextExpiry: { at: Date; codes: number } | null;
  daysLeft: number | null;
}

/** What a form has to know of a pool. */
export type PoolChoice = Pick<PoolView, "id" | "platform" | "use" | "name">;
