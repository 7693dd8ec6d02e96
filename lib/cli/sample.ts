import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { z } from "zod";
import { stopWith, withDatabase } from "@/lib/cli/database";
import { buildSample } from "@/lib/cli/sample-workspace/build";
import { sampleText } from "@/lib/cli/sample-workspace/ensure";
import { findAddress } from "@/lib/cli/service-address";
import { planField } from "@/lib/contract/workspace";
import { completeEnv, parseEnv } from "@/lib/platform/env";
import { parseInput } from "@/lib/platform/parse-input";
import { getOrCreateSecret } from "@/lib/web/server/secret";

const OPTIONS = {
  json: { type: "boolean" },
  plan: { type: "string", default: "pro" },
  codes: { type: "string", default: "1000" },
  threshold: { type: "string", default: "3" },
  sandbox: { type: "boolean" },
  live: { type: "boolean" },
} as const;

const count = (name: string, min: number, max: number) => {
  const error = `--${name} must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d+$/, { error })
    .transform(Number)
    .pipe(z.number().min(min, { error }).max(max, { error }));
};

const input = z
  .object({
    json: z.boolean().default(false),
    plan: planField,
    codes: count("codes", 0, 1_000_000),
    threshold: count("threshold", 1, 10_000),
    sandbox: z.boolean().default(false),
    live: z.boolean().default(false),
  })
  .refine(({ sandbox, live }) => !(sandbox && live), { error: "--sandbox and --live exclude each other" });

/** Creates a separate workspace with everything that the referral loop needs and prints how to reach it. */
async function main(): Promise<void> {
  const { json, live, ...given } = parseInput(input, parseArgs({ options: OPTIONS }).values);
  const name = randomBytes(4).toString("hex");
  const options = { workspace: `Sample ${name}`, app: "Sample app", email: `owner-${name}@example.com` };
  // The running service's addresses, not those that the environment of this command implies.
  completeEnv({ ...(await findAddress(parseEnv(process.env))) });
  const settings = parseEnv(process.env);
  completeEnv({ AUTH_SECRET: settings.AUTH_SECRET ?? (await getOrCreateSecret(settings.DATA_DIR)) });
  await withDatabase(async (db) => {
    const sample = await buildSample(db, { ...given, ...options, sandbox: !live });
    console.log(json ? JSON.stringify(sample) : sampleText(sample, given.threshold, live));
  }, true);
}

await main().catch(stopWith);
