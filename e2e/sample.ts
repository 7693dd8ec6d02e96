import type { Sample } from "@/lib/demo/build";

/** The workspace that the start of the run made. */
export function sample(): Sample {
  return JSON.parse(process.env.E2E_SAMPLE ?? "") as Sample;
}
