import { buildProduction } from "@/lib/cli/production";

const result = await buildProduction();
process.stderr.write(result === "built" ? "Built.\n" : "Nothing changed since the last build.\n");
