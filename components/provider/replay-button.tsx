import { ActButton } from "@/components/ui/act-button";
import type { FormAction } from "@/lib/contract/form-state";
import { type EventVerdict, REPLAYABLE, VERDICTS } from "@/lib/contract/provider";
import { VERDICT_WORDS } from "./verdicts";

const DONE = Object.fromEntries(
  VERDICTS.map((verdict) => [verdict, `Replayed: ${VERDICT_WORDS[verdict].name.toLowerCase()}`]),
);

interface Props {
  action: FormAction<{ status: EventVerdict }>;
  appId: string;
  eventId: string;
  verdict: EventVerdict;
  /** Where several stand beside one another: whose event it is. */
  whose?: string;
}

/** Applies an event again that did nothing; absent where it is done. */
export function ReplayButton({ action, appId, eventId, verdict, whose }: Props) {
  if (!REPLAYABLE.includes(verdict)) return null;
  return (
    <ActButton
      action={action}
      hidden={{ appId, eventId }}
      done={DONE}
      {...(whose && { ariaLabel: `Replay ${whose}` })}
    >
      Replay
    </ActButton>
  );
}
