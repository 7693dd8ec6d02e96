import { Badge, type Tone } from "@/components/ui/badge";
import type { CodeStatus } from "@/lib/contract/batch";
import type { BatchView, PoolView } from "./types";
import { STATUS_NAME } from "./words";

/** Whether a pool has enough codes for now. */
export function StockBadge({ pool }: { pool: Pick<PoolView, "free" | "lowStock"> }) {
  if (pool.free === 0) return <Badge tone="bad">Empty</Badge>;
  if (pool.free <= pool.lowStock) return <Badge tone="warn">Low stock</Badge>;
  return <Badge tone="good">In stock</Badge>;
}

/** What redeem makes of a batch. */
export function BatchBadge({ batch }: { batch: Pick<BatchView, "state" | "expired" | "free"> }) {
  const [tone, words] = looks(batch);
  return <Badge tone={tone}>{words}</Badge>;
}

function looks({ state, expired, free }: Pick<BatchView, "state" | "expired" | "free">): [Tone, string] {
  if (state === "importing") return ["accent", "Importing"];
  if (state === "quarantined") return ["warn", "Quarantined"];
  if (state === "undone") return ["neutral", "Undone"];
  if (expired > 0) return ["bad", "Expired"];
  if (state === "drained" || free === 0) return ["neutral", "Used up"];
  return ["good", "In use"];
}

const TONES: Record<CodeStatus, Tone> = {
  available: "neutral",
  assigned: "accent",
  confirmed: "good",
  void: "bad",
};

/** What became of a code. */
export function CodeBadge({ status }: { status: CodeStatus }) {
  return <Badge tone={TONES[status]}>{STATUS_NAME[status]}</Badge>;
}
