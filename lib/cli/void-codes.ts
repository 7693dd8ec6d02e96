import { parseArgs } from "node:util";
import { z } from "zod";
import { stopWith, withDatabase } from "@/lib/cli/database";
import { uuidField } from "@/lib/contract/fields";
import { formatCount } from "@/lib/contract/format";
import { parseInput } from "@/lib/platform/parse-input";
import { assertUnused } from "@/lib/platform/transfer/connection";
import { findRestoredRequests, giveUpCodeRequest } from "@/lib/program/code-requests/create";
import { type DoubtfulPool, findDoubtfulPools, voidFreeCodes } from "@/lib/program/codes/void-codes";
import { systemContext } from "@/lib/tenants/apps/app";

const input = z.object({
  since: z.iso
    .datetime({ offset: true, error: "--since must be a time with its zone, such as 2026-11-22T13:05:00Z" })
    .transform((text) => new Date(text))
    .refine((since) => since <= new Date(), { error: "--since must be in the past" }),
  app: uuidField("--app").optional(),
});

const [text, flag] = [{ type: "string" }, { type: "boolean" }] as const;
const OPTIONS = { since: text, app: text, yes: flag, "while-running": flag };
const GIVEN_UP = "Given up after a restore: its codes may have been assigned.";
const RUNNING = "A service may still assign these codes: stop every instance, or add --while-running.";

function say(pools: DoubtfulPool[], verb: string): void {
  for (const { appId, app, pool, free } of pools)
    console.log(`${app} (${appId}), pool ${pool}: ${formatCount(free, "free code")} ${verb}`);
  const used = pools.filter(({ since }) => since > 0);
  const counts = new Set(used.map(({ app, since }) => `${app} has ${formatCount(since, "referral")}`));
  for (const count of counts)
    console.log(`${count} after that time: their codes may be assigned twice already.`);
}

/** After a restore: voids codes that may have been assigned since, and gives up requests for them. Only counts without `--yes`. */
async function main(): Promise<void> {
  const { yes, "while-running": whileRunning, ...given } = parseArgs({ options: OPTIONS }).values;
  const { since, app } = parseInput(input, given);
  await withDatabase(async (db) => {
    // The first statement, because the check sees every connection under the service's name but its own.
    if (yes && !whileRunning) await assertUnused(db.pool, RUNNING);
    const doubtful = await findDoubtfulPools(db, since, app);
    const requests = await findRestoredRequests(db, since, app);
    if (doubtful.length + requests.length === 0)
      return console.log("None of the free codes can have been assigned since then.");
    for (const { app, request } of requests) {
      if (yes) await giveUpCodeRequest(systemContext(db, app), request.id, GIVEN_UP);
      const codes = `${formatCount(request.amount, "code")} of “${request.offerName}”`;
      console.log(`${app.name} (${app.id}), request for ${codes} ${yes ? "is" : "would be"} given up`);
    }
    if (!yes) {
      say(doubtful, "would become void");
      return console.log("Nothing was changed. Stop the service, and repeat this with --yes to void them.");
    }
    for (const pool of doubtful)
      say([{ ...pool, free: await voidFreeCodes(db, pool, since) }], "are void now");
    console.log(whileRunning ? "Import new codes now." : "Start the service and import new codes.");
  });
}

await main().catch(stopWith);
