import { listCampaigns } from "@/lib/campaigns/list";
import type { Context } from "@/lib/context";
import type { Attention } from "@/lib/contract/overview";
import type { PoolStock } from "@/lib/stats/stock";
import { DAY_MS } from "@/lib/stats/tail";

/** A batch that ends within so many days is told of where codes of it would be left over. */
const SOON_DAYS = 14;

/** A pool that lasts no longer than this is low, however many codes it has: stores take days to give new ones. */
const SHORT_DAYS = 7;

function poolAttention(pool: PoolStock): Attention[] {
  const { id, name, free, daysLeft, lowStock, usedBy, size } = pool;
  const inUse = usedBy.some(({ status }) => status === "active");
  if (free === 0 && (inUse || size > 0)) return [{ kind: "pool_empty", id, name, free, daysLeft }];
  const low = free <= lowStock || (daysLeft !== null && daysLeft < SHORT_DAYS);
  return low && free > 0 ? [{ kind: "pool_low", id, name, free, daysLeft }] : [];
}

/** Batches that end before the pace of their pool has used them up. */
export function expiringSoon(pool: PoolStock, now: number): Extract<Attention, { kind: "batch_expiring" }>[] {
  let days = 0;
  const ordered = pool.batches
    .filter(({ free, expiresAt }) => free > 0 && expiresAt)
    .sort((a, b) => Number(a.expiresAt) - Number(b.expiresAt));
  return ordered.flatMap(({ id, offer, origin, free, expiresAt }) => {
    const left = (Number(expiresAt) - now) / DAY_MS;
    days += pool.perDay > 0 ? free / pool.perDay : Number.POSITIVE_INFINITY;
    if (!expiresAt || left > SOON_DAYS || days <= left) return [];
    return [{ kind: "batch_expiring" as const, id, name: offer ?? origin ?? pool.name, free, at: expiresAt }];
  });
}

async function missingPools(ctx: Context): Promise<Attention[]> {
  const campaigns = await listCampaigns(ctx);
  return campaigns
    .filter(({ status }) => status === "active")
    .flatMap(({ id, name, type, platforms }) =>
      platforms.flatMap(({ platform, refereePoolId, rewardPoolId }) => {
        const lacks = (use: "referee" | "reward"): Attention => ({
          kind: "no_pool",
          id,
          name,
          platform,
          use,
        });
        return [
          ...(refereePoolId ? [] : [lacks("referee")]),
          ...(rewardPoolId || type === "influencer" ? [] : [lacks("reward")]),
        ];
      }),
    );
}

/** Pools that are empty or low, active campaigns without one, and batches that end with codes left over. */
export async function codesAttention(ctx: Context, stock: PoolStock[]): Promise<Attention[]> {
  const pools = stock.flatMap(poolAttention);
  const empty = pools.filter(({ kind }) => kind === "pool_empty");
  const low = pools.filter(({ kind }) => kind !== "pool_empty");
  const expiring = stock.flatMap((pool) => expiringSoon(pool, Date.now()));
  return [...empty, ...(await missingPools(ctx)), ...low, ...expiring];
}
