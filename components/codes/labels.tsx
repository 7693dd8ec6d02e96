import { Badge, type BadgeTone } from "@/components/ui/badge";
import { StatusBadge, type StatusLooks } from "@/components/ui/status-badge";
import type { BatchView, CodeStatus } from "@/lib/contract/batch";
import { type PoolView, stockLevel } from "@/lib/contract/pool";

export const POOL_USE_LABEL = { referee: "For referees", reward: "For rewards" } as const;

export const CODE_STATUS_LOOKS: StatusLooks<CodeStatus> = {
  available: { label: "Free", tone: "neutral" },
  reserved: { label: "Set aside", tone: "warn" },
  assigned: { label: "Assigned", tone: "accent" },
  confirmed: { label: "Confirmed", tone: "good" },
  void: { label: "Void", tone: "bad" },
};

/** The status of one code. */
export function CodeBadge({ status }: { status: CodeStatus }) {
  return <StatusBadge status={status} looks={CODE_STATUS_LOOKS} />;
}

export const STOCK_LOOKS: StatusLooks<ReturnType<typeof stockLevel>> = {
  empty: { label: "Empty", tone: "bad" },
  low: { label: "Low stock", tone: "warn" },
  good: { label: "In stock", tone: "good" },
};

/** Whether a pool has enough free codes. */
export function StockBadge({ pool }: { pool: Pick<PoolView, "free" | "lowStock" | "daysLeft"> }) {
  return <StatusBadge status={stockLevel(pool)} looks={STOCK_LOOKS} />;
}

type BatchStatus = Pick<BatchView, "state" | "expired" | "free" | "reserved" | "expiresAt">;

/** Whether codes of a batch can be assigned. */
export function BatchBadge({ batch }: { batch: BatchStatus }) {
  const [tone, label] = looksOf(batch);
  return <Badge tone={tone}>{label}</Badge>;
}

/** The label of a batch that is no longer used. Within the safety margin before the expiry, its codes are still valid. */
export const expiredLabel = ({ expiresAt }: Pick<BatchView, "expiresAt">): string =>
  expiresAt && expiresAt.getTime() > Date.now() ? "Too close to expiry" : "Expired";

function looksOf({ state, expired, free, reserved, expiresAt }: BatchStatus): [BadgeTone, string] {
  if (state === "importing") return ["accent", "Importing"];
  if (state === "quarantined") return ["warn", "Quarantined"];
  if (state === "undone") return ["neutral", "Undone"];
  if (expired > 0) return ["bad", expiredLabel({ expiresAt })];
  if (free === 0 && reserved > 0) return ["good", "Set aside"];
  if (state === "drained" || free === 0) return ["neutral", "Used up"];
  return ["good", "In use"];
}
