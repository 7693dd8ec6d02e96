import pg from "pg";
import { runningPostgres } from "@/lib/postgres/url";
import type { Sample } from "../sample";
import type { Final, Platform } from "./history";

const CODES = `
  select code, redeemed_by_uid as referee, platform from codes where app_id = $1 and redeemed_by_uid is not null`;
const REFERRALS = `
  select f.referee_uid as referee, c.code from referrals f
  left join codes c on c.app_id = f.app_id and c.assignment_id = f.id
  where f.app_id = $1`;
const SIZES = `
  select c.platform, count(*)::int as size from codes c
  join batches b on b.app_id = c.app_id and b.id = c.batch_id
  join pools p on p.app_id = c.app_id and p.id = b.pool_id
  where c.app_id = $1 and p.use = 'referee' group by c.platform`;
const QUOTA = "select sum(used)::int as used from quota_usage where workspace_id = $1";

/** Reads all that the run left behind, past the service. */
export async function readFinal(dataDir: string, sample: Sample): Promise<Final> {
  const client = new pg.Client({ connectionString: await runningPostgres(dataDir) });
  await client.connect();
  try {
    const read = async <Row>(text: string, id: string) => (await client.query(text, [id])).rows as Row[];
    const sizes = await read<{ platform: Platform; size: number }>(SIZES, sample.app_id);
    const size = (platform: Platform) => sizes.find((row) => row.platform === platform)?.size ?? 0;
    const [quota] = await read<{ used: number | null }>(QUOTA, sample.workspace_id);
    return {
      codes: await read<Final["codes"][number]>(CODES, sample.app_id),
      referrals: await read<Final["referrals"][number]>(REFERRALS, sample.app_id),
      poolSize: { ios: size("ios"), android: size("android") },
      quotaUsed: quota?.used ?? 0,
    };
  } finally {
    await client.end();
  }
}
