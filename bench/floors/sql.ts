import pg from "pg";
import { redeemCall } from "@/bench/floors/redeem-call";
import { type LoadJob, type LoadResult, sumUp } from "@/bench/load/job";
import { serveJobs } from "@/bench/worker";
import { connectionOptions } from "@/lib/platform/db/client";

// The SQL alone: one connection per caller, which calls again after each response.
const [url = "", appId = "", workspaceId = ""] = process.argv.slice(2);

async function run(job: LoadJob): Promise<LoadResult> {
  const pool = new pg.Pool(connectionOptions({ url, size: job.connections }));
  const clients = await Promise.all(Array.from({ length: job.connections }, () => pool.connect()));
  const latencies: number[] = [];
  const failed: Record<string, number> = {};
  let next = job.from;
  const started = performance.now();
  const deadline = started + (job.seconds ?? 1) * 1000;
  const loop = async (client: pg.PoolClient) => {
    while (performance.now() < deadline && next < job.until) {
      const n = next++;
      const sent = performance.now();
      const slug = job.slugs[n % job.slugs.length] ?? "";
      const { rows } = await client.query(redeemCall(appId, workspaceId, slug, `sql-${n}`));
      latencies.push(performance.now() - sent);
      const { verdict } = rows[0].result;
      if (verdict !== "OK") failed[verdict] = (failed[verdict] ?? 0) + 1;
    }
  };
  await Promise.all(clients.map(loop));
  const result = sumUp(Float64Array.from(latencies), (performance.now() - started) / 1000, failed);
  for (const client of clients) client.release();
  await pool.end();
  return result;
}

serveJobs(run);
