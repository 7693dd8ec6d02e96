"use client";

import { useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { DialogActions } from "@/components/ui/dialog";
import { DialogButton } from "@/components/ui/dialog-button";
import { HiddenFields, SelectField } from "@/components/ui/field";
import type { FormAction } from "@/lib/contract/form-state";
import { formatNumber } from "@/lib/contract/format";
import {
  type EventVerdict,
  REPLAY_SINCE,
  REPLAYABLE,
  type ReplayedChunk,
  VERDICTS,
} from "@/lib/contract/provider";
import { VERDICT_LABELS } from "./labels";

interface Props {
  action: FormAction<ReplayedChunk>;
  /** The app, and the connection if only its events are meant. */
  hidden: Record<string, string>;
  verdict: EventVerdict;
}

const CHOICES = REPLAYABLE.filter((verdict) => verdict !== "received").map((value) => ({
  value,
  name: VERDICT_LABELS[value].label,
}));

/** Replays all events with an outcome, a few at a time, and can stop between two steps, as it does when the page is closed. */
export function ReplayMany(props: Props) {
  return (
    <DialogButton
      label="Replay many…"
      look={{ variant: "secondary" }}
      title="Replay many events"
      description="Each event is read and applied again, with what has changed since it arrived. No event takes effect twice, so you can stop and start again. A purchase more than an hour older than the redemption stays as it is: replay it alone."
    >
      {(close) => <Steps {...props} onClose={close} />}
    </DialogButton>
  );
}

type Progress = { replayed: EventVerdict; outcomes: ReplayedChunk["outcomes"] };

function add(to: Progress, { outcomes }: ReplayedChunk): Progress {
  const total = { ...to.outcomes };
  for (const verdict of VERDICTS) total[verdict] = (total[verdict] ?? 0) + (outcomes[verdict] ?? 0);
  return { ...to, outcomes: total };
}

function Steps({ action, hidden, verdict, onClose }: Props & { onClose: () => void }) {
  const [progress, setProgress] = useState<Progress>();
  const [phase, setPhase] = useState<Phase>("ended");
  const stopped = useRef(false);
  const [error, setError] = useState<string>();
  const running = phase === "running" || phase === "stopping";
  const run = async (form: HTMLFormElement) => {
    const data = new FormData(form);
    stopped.current = false;
    setPhase("running");
    setError(undefined);
    setProgress({ replayed: data.get("verdict") as EventVerdict, outcomes: {} });
    let cursor: string | null = "";
    while (cursor !== null && !stopped.current) {
      data.set("cursor", cursor);
      const { ok, error: refused } = await action({}, data).catch(() => LOST);
      if (refused) setError(refused.message);
      // Refreshes the list behind the dialog when it closes, because the step may have been done.
      form.closest("dialog")?.toggleAttribute("data-refused", !ok);
      if (!ok) break;
      setProgress((to) => to && add(to, ok.result));
      cursor = ok.result.next;
    }
    setPhase(cursor === null ? "ended" : "stopped");
  };
  const stop = () => {
    stopped.current = true;
    setPhase("stopping");
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void run(event.currentTarget);
      }}
      className="grid gap-4"
    >
      <HiddenFields values={hidden} />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField label="Outcome" name="verdict" choices={CHOICES} defaultValue={verdict} />
        <SelectField label="Received within" name="since" choices={REPLAY_SINCE} defaultValue="7d" />
      </div>
      <p role="status" className="min-h-5 text-sm">
        {progress && summary(progress, phase)}
      </p>
      <p role="alert" className="text-note text-bad empty:hidden">
        {error}
      </p>
      <DialogActions>
        <Button variant="secondary" onClick={running ? stop : onClose} disabled={phase === "stopping"}>
          {running ? "Stop" : "Close"}
        </Button>
        <Button type="submit" pending={running}>
          Replay events
        </Button>
      </DialogActions>
    </form>
  );
}

/** The message after a lost response, which loses nothing: the next start continues. */
const LOST = { ok: undefined, error: { message: "No response from the server. Start again to continue." } };

type Phase = "running" | "stopping" | "stopped" | "ended";

/** The outcomes in one line, such as "Done: 12 confirmed, 3 still unmatched." */
function summary({ outcomes, replayed }: Progress, phase: Phase): string {
  const counts = VERDICTS.flatMap((verdict) => {
    const count = outcomes[verdict] ?? 0;
    const label = VERDICT_LABELS[verdict].label.toLowerCase();
    return count > 0 ? [`${formatNumber(count)} ${verdict === replayed ? "still " : ""}${label}`] : [];
  });
  const list = counts.join(", ");
  if (phase === "stopping") return "Stopping …";
  if (phase === "running") return list ? `So far: ${list} …` : "Starting …";
  if (phase === "stopped") return `Stopped: ${list || "nothing was replayed"}.`;
  return list ? `Done: ${list}.` : "No event with this outcome arrived in that time.";
}
