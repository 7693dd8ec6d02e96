import type { SampleWorkspace } from "@/lib/cli/sample-workspace/build";

/** The sample workspace that was created at the start of the run. */
export function sample(): SampleWorkspace {
  return JSON.parse(process.env.E2E_SAMPLE ?? "") as SampleWorkspace;
}
