import { cleanUp, cleanUpOnSignals } from "@/bench/cleanup";
import { stopWith } from "@/lib/cli/database";
import { buildProduction } from "@/lib/cli/production";
import { readArguments } from "@/lib/cli/step";
import { runChaos } from "../../e2e/chaos/run";

const OPTIONS = {
  minutes: { type: "string", default: "10" },
  seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
} as const;

/**
 * `npm run chaos -- [--minutes 2] [--seed N]`: the service under load and faults, then every promise checked against the
 * rows. See docs/decisions/crash-test.md.
 */
async function main(): Promise<number> {
  const { values } = readArguments({ options: OPTIONS });
  const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
  if (!(minutes > 0) || !Number.isInteger(seed)) {
    stopWith("--minutes and --seed must be numbers");
    return 1;
  }
  cleanUpOnSignals();
  try {
    await buildProduction();
    return await runChaos({ minutes, seed, say: console.log });
  } finally {
    await cleanUp();
  }
}

await main().then(
  (violations) => process.exit(violations > 0 ? 1 : 0),
  (error: unknown) => {
    // The stack is printed too: a failure here is a fault of the service or of this command.
    console.error(error);
    process.exit(1);
  },
);
