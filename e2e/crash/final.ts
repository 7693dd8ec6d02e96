import pg from "pg";
import type { SampleWorkspace } from "@/lib/cli/sample-workspace/build";
import type { Platform } from "@/lib/contract/fields";
import type { Final } from "./history";

const CODES = `
  select c.code, c.redeemed_by_uid as referee, c.platform from codes c
  join batches b on b.app_id = c.app_id and b.id = c.batch_id
  join pools p on p.app_id = c.app_id and p.id = b.pool_id
  where c.app_id = $1 and c.redeemed_by_uid is not null and p.use = 'referee'`;
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

const SHRINK = `
  delete from codes where app_id = $1 and platform = 'android' and id not in (
    select id from codes where app_id = $1 and platform = 'android' and batch_id in (
      select b.id from batches b join pools p on p.app_id = b.app_id and p.id = b.pool_id
      where b.app_id = $1 and p.use = 'referee')
    order by id limit $2)`;

type Read = <Row>(text: string, values: unknown[]) => Promise<Row[]>;

async function directly<Result>(url: string, work: (read: Read) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const read = async <Row>(text: string, values: unknown[]) =>
    (await client.query(text, values)).rows as Row[];
  return work(read).finally(() => client.end());
}

/** Deletes codes for Android down to `size`, so that the pool becomes empty during a run. */
export async function shrinkAndroid(url: string, { app_id }: SampleWorkspace, size: number): Promise<void> {
  await directly(url, (read) => read(SHRINK, [app_id, size]));
}

/** Reads the final state from the database of an address, without the service. */
export function readFinal(url: string, { app_id, workspace_id }: SampleWorkspace): Promise<Final> {
  return directly(url, async (read) => {
    const sizes = await read<{ platform: Platform; size: number }>(SIZES, [app_id]);
    const size = (platform: Platform) => sizes.find((row) => row.platform === platform)?.size ?? 0;
    const [quota] = await read<{ used: number | null }>(QUOTA, [workspace_id]);
    return {
      codes: await read<Final["codes"][number]>(CODES, [app_id]),
      referrals: await read<Final["referrals"][number]>(REFERRALS, [app_id]),
      poolSize: { ios: size("ios"), android: size("android") },
      quotaUsed: quota?.used ?? 0,
    };
  });
}
