import { parseArgs } from "node:util";
import { benchCitus } from "@/bench/citus";
import { cleanUp, cleanUpOnSignals } from "@/bench/cleanup";
import { benchConfirmations } from "@/bench/confirmations";
import { benchDashboard } from "@/bench/dashboard";
import { benchEndpoints } from "@/bench/endpoints";
import { benchFirstStart } from "@/bench/first-start";
import { benchIdle } from "@/bench/idle";
import { benchImport } from "@/bench/import";
import { benchIsolation } from "@/bench/isolation";
import { benchLanding } from "@/bench/landing";
import { benchLatency } from "@/bench/latency";
import { benchLists } from "@/bench/lists/compare";
import { benchProcesses } from "@/bench/processes";
import { benchRedeemWebhooks } from "@/bench/redeem-webhooks";
import { benchRetention } from "@/bench/retention";
import { benchRules } from "@/bench/rules";
import { createStage, type Stage } from "@/bench/stage";
import { benchTracing } from "@/bench/tracing";
import { benchTrips } from "@/bench/trips";
import { benchWebhooks } from "@/bench/webhooks";
import { stopWith } from "@/lib/cli/database";

const PARTS = {
  endpoints: benchEndpoints,
  trips: benchTrips,
  rules: benchRules,
  processes: benchProcesses,
  latency: benchLatency,
  confirmations: benchConfirmations,
  import: benchImport,
  lists: benchLists,
  dashboard: benchDashboard,
  landing: benchLanding,
  webhooks: async (stage: Stage) => {
    await benchRedeemWebhooks(stage);
    await benchWebhooks(stage);
  },
  tracing: benchTracing,
  isolation: benchIsolation,
  retention: benchRetention,
  citus: benchCitus,
  // Last, because it stops the service that the parts above use.
  idle: benchIdle,
  "first-start": benchFirstStart,
};

/** Parts that download packages, which a run of all parts does not. */
const ON_REQUEST: readonly string[] = ["first-start"];

/** `npm run bench -- [--quick] [--only endpoints,...]`: measures the service against its floors. See docs/benchmarks.md. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { quick: { type: "boolean" }, only: { type: "string" } } });
  const wanted = values.only?.split(",") ?? Object.keys(PARTS).filter((name) => !ON_REQUEST.includes(name));
  const unknown = wanted.filter((name) => !Object.hasOwn(PARTS, name));
  const known = Object.keys(PARTS).join(", ");
  if (unknown.length > 0)
    throw new Error(`--only takes parts of the benchmark: ${known}; not ${unknown.join(", ")}`);
  cleanUpOnSignals();
  // The benchmark stores secrets that its services read.
  process.env.AUTH_SECRET = "b".repeat(32);
  try {
    const stage = await createStage(values.quick ?? false);
    for (const [name, part] of Object.entries(PARTS)) if (wanted.includes(name)) await part(stage);
  } finally {
    await cleanUp();
  }
}

await main().then(
  () => process.exit(0),
  (error: unknown) => {
    stopWith(error);
    process.exit();
  },
);
