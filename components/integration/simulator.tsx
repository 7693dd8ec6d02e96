"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { inputClass } from "@/components/ui/field";
import type { Platform } from "@/lib/contract/fields";
import { PLATFORM_NAME } from "@/lib/contract/format";
import type { SimulatedJourney } from "@/lib/contract/simulator";
import { readProgress } from "./read-progress";
import { SimulatedSteps } from "./simulated-steps";

const PLATFORMS = Object.entries(PLATFORM_NAME) as [Platform, string][];

/** Walks through a referral in a sandbox, step by step, while the reader watches. */
export function Simulator({ appId, mayRun }: { appId: string; mayRun: boolean }) {
  const router = useRouter();
  const [platform, setPlatform] = useState<Platform>("ios");
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
        It takes codes from this sandbox’s pools, counts against the monthly quota, and appears in the request
        log under the key “Journey simulator”. The users are new each time.
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <select
          aria-label="Platform"
          value={platform}
          disabled={running}
          onChange={(event) => setPlatform(event.target.value as Platform)}
          className={`${inputClass} w-auto!`}
        >
          {PLATFORMS.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
        <Button pending={running} onClick={run}>
          {journey && !running ? "Simulate again" : "Simulate journey"}
        </Button>
      </div>
      {journey && <SimulatedSteps appId={appId} steps={journey.steps} />}
      <div role="status" className="empty:hidden">
        {journey && !running && !error && <Outcome journey={journey} />}
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

function Outcome({ journey: { steps } }: { journey: SimulatedJourney }) {
  const failed = steps.some(({ state }) => state === "failed");
  return (
    <Callout tone={failed ? "bad" : "good"}>
      <p>{failed ? "The journey stopped at the red step." : "The whole journey works."}</p>
    </Callout>
  );
}
