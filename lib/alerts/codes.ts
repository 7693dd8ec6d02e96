import type { Alert } from "@/lib/alerts/alert";
import { expiringSoon } from "@/lib/attention/codes";
import type { PoolStock } from "@/lib/stats/stock";

const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** Pools that are low by their own setting; a pool that never had a code is not low but new. */
function lowPools(stock: PoolStock[]): Alert[] {
  return stock
    .filter(({ size, free, lowStock }) => size > 0 && free <= lowStock)
    .map(({ id, name, free, use }) => ({
      kind: "pool_low",
      subject: id,
      title: free === 0 ? `The pool "${name}" is empty` : `The pool "${name}" has ${free} codes left`,
      detail:
        free === 0
          ? `Until it is refilled ${use === "referee" ? "redeem" : "claim"} answers NO_CODES_AVAILABLE.`
          : "Upload codes before it is empty.",
      path: `/codes/import?pool=${id}`,
    }));
}

function expiringBatches(stock: PoolStock[], now: number): Alert[] {
  return stock.flatMap((pool) =>
    expiringSoon(pool, now).map(({ id, name, free, at }) => ({
      kind: "batch_expiring" as const,
      subject: id,
      title: `Codes of "${name}" expire on ${day.format(at)}`,
      detail: `${free} are free, more than go out until then at the present pace.`,
      path: `/codes/batches/${id}`,
    })),
  );
}

/** Codes that run out, and codes that run out of time. Reads nothing: the stock is known. */
export function codeAlerts(stock: PoolStock[], now = Date.now()): Alert[] {
  return [...lowPools(stock), ...expiringBatches(stock, now)];
}
