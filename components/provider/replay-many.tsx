"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { DialogButton } from "@/components/ui/dialog-button";
import { SelectField } from "@/components/ui/field";
import { HiddenFields } from "@/components/ui/hidden-fields";
import type { FormAction } from "@/lib/contract/form-state";
import {
  type EventVerdict,
  REPLAY_SINCE,
  REPLAYABLE,
  type ReplayedChunk,
  VERDICTS,
} from "@/lib/contract/provider";
import { replayedWords } from "./replayed-words";
import { VERDICT_WORDS } from "./verdicts";

interface Props {
  action: FormAction<ReplayedChunk>;
  /** The app, and the connection where only its events are meant. */
  hidden: Record<string, string>;
  verdict: EventVerdict;
}

const CHOICES = REPLAYABLE.filter((verdict) => verdict !== "received").map((value) => ({
  value,
  name: VERDICT_WORDS[value].name,
}));

/** Replays all events of a verdict, a few at a time; whoever closes the page has stopped it between two of them. */
export function ReplayMany(props: Props) {
  return (
    <DialogButton
      label="Replay many…"
      look={{ variant: "secondary", size: "sm" }}
      title="Replay many events"
      description="Each is read and judged again, by what has changed since it came. One that is done is not done twice, so it can be stopped and started again."
    >
      {() => <Steps {...props} />}
    </DialogButton>
  );
}

type Became = ReplayedChunk["became"];

function sum(one: Became, other: Became): Became {
  const total = { ...one };
  for (const verdict of VERDICTS) total[verdict] = (one[verdict] ?? 0) + (other[verdict] ?? 0);
  return total;
}

function Steps({ action, hidden, verdict }: Props) {
  const [became, setBecame] = useState<Became>();
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<string>();
  const run = async (form: FormData) => {
    setRunning(true);
    setError(undefined);
    setBecame({});
    for (let cursor: string | null = ""; cursor !== null; ) {
      form.set("cursor", cursor);
      const { ok, error: refused } = await action({}, form).catch(() => LOST);
      if (refused) setError(refused.message);
      if (ok) setBecame((before) => sum(before ?? {}, ok.result.became));
      cursor = ok ? ok.result.next : null;
    }
    setRunning(false);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void run(new FormData(event.currentTarget));
      }}
      className="grid gap-4"
    >
      <HiddenFields values={hidden} />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField label="What became of them" name="verdict" choices={CHOICES} defaultValue={verdict} />
        <SelectField label="Received within" name="since" choices={REPLAY_SINCE} defaultValue="7d" />
      </div>
      <p role="status" className="min-h-5 text-sm">
        {became && replayedWords(became, running)}
      </p>
      <p role="alert" className="text-[13px] text-bad empty:hidden">
        {error}
      </p>
      <Button type="submit" pending={running}>
        Replay them
      </Button>
    </form>
  );
}

/** Where no answer came: nothing is lost, the next start goes on. */
const LOST = { ok: undefined, error: { message: "No answer. Start it again to go on." } };
