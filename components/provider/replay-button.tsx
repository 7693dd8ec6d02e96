import { ActButton } from "@/components/ui/act-button";
import type { FormAction } from "@/lib/contract/form-state";
import { type EventVerdict, REPLAYABLE, VERDICTS } from "@/lib/contract/provider";
import { VERDICT_LABELS } from "./labels";

const DONE = Object.fromEntries(
  VERDICTS.map((verdict) => [verdict, `Replayed: ${VERDICT_LABELS[verdict].label.toLowerCase()}`]),
);

interface Props {
  action: FormAction<{ status: EventVerdict }>;
  appId: string;
  eventId: string;
  verdict: EventVerdict;
  /** The subject for screen readers, if there are several such buttons. */
  subject?: string;
}

/** Replays an event that changed nothing; absent where its outcome is final. */
export function ReplayButton({ action, appId, eventId, verdict, subject }: Props) {
  if (!REPLAYABLE.includes(verdict)) return null;
  return (
    <ActButton
      action={action}
      hidden={{ appId, eventId }}
      done={DONE}
      {...(subject && { ariaLabel: `Replay ${subject}` })}
    >
      Replay
    </ActButton>
  );
}
