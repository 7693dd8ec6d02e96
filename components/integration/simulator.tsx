"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { LOST, readLines } from "@/components/codes/import/transport";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { inputClass } from "@/components/ui/field";
import type { Platform } from "@/lib/contract/fields";
import { PLATFORM_NAME, PLATFORMS } from "@/lib/contract/format";
import type { SimulatedJourney } from "@/lib/contract/simulator";
import { SimulatedSteps } from "./simulated-steps";

interface Props {
  appId: string;
  /** The platforms whose store id the app has: the first one is preselected. */
  stores: readonly Platform[];
  mayRun: boolean;
}

/** Walks through a referral in a sandbox, step by step, while the reader watches. */
export function Simulator({ appId, stores, mayRun }: Props) {
  const router = useRouter();
  const [platform, setPlatform] = useState<Platform>(stores[0] ?? "ios");
  const [journey, setJourney] = useState<SimulatedJourney>();
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<string>();
  if (!mayRun) return <p className="text-sm text-muted">Only members can simulate the journey.</p>;
  const run = async () => {
    setRunning(true);
    setError(undefined);
    setJourney(undefined);
    try {
      await readProgress(`/dashboard/apps/${appId}/check/simulate?platform=${platform}`, setJourney);
      router.refresh();
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown.message : String(thrown));
    }
    setRunning(false);
  };
  return (
    <>
      <p className="max-w-prose text-sm text-muted">
        The simulation plays a referrer and a friend, who are new each time. It takes codes from this
        sandbox’s pools, counts against the monthly quota, and appears in the request log under the key
        “Journey simulator”.
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <select
          aria-label="Platform"
          value={platform}
          disabled={running}
          onChange={(event) => setPlatform(event.target.value as Platform)}
          className={`${inputClass} w-auto!`}
        >
          {PLATFORMS.map((value) => (
            <option key={value} value={value}>
              {PLATFORM_NAME[value]}
            </option>
          ))}
        </select>
        <Button pending={running} onClick={run}>
          {journey && !running ? "Simulate again" : "Simulate journey"}
        </Button>
      </div>
      {journey && <SimulatedSteps appId={appId} steps={journey.steps} />}
      <div role="status" className="empty:hidden">
        {journey && !running && !error && <JourneyOutcome steps={journey.steps} />}
      </div>
      <div role="alert" className="empty:hidden">
        {error && (
          <Callout tone="bad">
            <p>{error}</p>
          </Callout>
        )}
      </div>
    </>
  );
}

/** The outcome of a journey. With a hold there is no reward to claim yet, so reward and claim were not tried. */
export function JourneyOutcome({ steps }: Pick<SimulatedJourney, "steps">) {
  const failed = steps.some(({ state }) => state === "failed");
  const untried = steps.some(({ name, state }) => state === "skipped" && name === "claim");
  const works = untried
    ? "All steps that ran work. Reward and claim were not tried."
    : "The whole journey works.";
  return (
    <Callout tone={failed ? "bad" : untried ? "warn" : "good"}>
      <p>{failed ? "The journey stopped at the red step." : works}</p>
    </Callout>
  );
}

/** Sends a request and reads its streamed response, in which each line is the state so far. Throws an Error with a message. */
async function readProgress<Progress>(url: string, onProgress: (progress: Progress) => void): Promise<void> {
  const response = await fetch(url, { method: "POST" }).catch(() => undefined);
  const reader = response?.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader || !response?.headers.get("content-type")?.includes("ndjson")) throw new Error(LOST);
  let text = "";
  let ended = false;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    for (const { progress, result, error } of readLines<Progress>(text)) {
      if (error) throw new Error(error.message);
      const state = result ?? progress;
      if (state) onProgress(state);
      ended = result !== undefined;
    }
    text = text.slice(text.lastIndexOf("\n") + 1);
  }
  if (!ended) throw new Error(LOST);
}
