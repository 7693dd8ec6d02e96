import { parseArgs } from "node:util";
import { z } from "zod";
import { stopWith, withDatabase } from "@/lib/cli/database";
import { uuidField } from "@/lib/contract/fields";
import { formatNumber } from "@/lib/contract/format";
import { planField, quotaField } from "@/lib/contract/workspace";
import { commandLine } from "@/lib/platform/env";
import { parseInput } from "@/lib/platform/parse-input";
import { limitOf } from "@/lib/tenants/quota/plans";
import { updatePlan } from "@/lib/tenants/workspaces/update";

const USAGE = `Usage: ${commandLine("plan", "<workspace-id> <free|basic|pro|enterprise> [--quota <requests a month>]")}`;

const input = z.object({
  workspaceId: uuidField("workspace-id"),
  plan: planField,
  quota: quotaField.optional(),
});

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { quota: { type: "string" } },
  });
  const [workspaceId, plan, ...rest] = positionals;
  if (!workspaceId || !plan || rest.length > 0) throw new Error(USAGE);
  // An empty text would count as 0.
  const quota = values.quota === undefined ? undefined : Number(values.quota.trim() || Number.NaN);
  return parseInput(input, { workspaceId, plan, quota });
}

/** Moves a workspace to a plan, which a running service applies within seconds. */
async function main(): Promise<void> {
  const { workspaceId, plan, quota } = readArguments();
  await withDatabase((db) => updatePlan(db, workspaceId, plan, quota));
  // Names the quota in every case, because a call without `--quota` ends an earlier one.
  const limit = formatNumber(limitOf({ plan, quotaOverride: quota ?? null }));
  console.log(`Workspace ${workspaceId} is on ${plan} with ${limit} requests a month`);
}

await main().catch(stopWith);
