import { ActButton } from "@/components/ui/act-button";
import { ConfirmButton } from "@/components/ui/confirm";
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

/**
 * Replays an event that changed nothing; absent where its outcome is final. Asks first, because an old purchase, which only a
 * replay by hand applies, may confirm a referral. A sandbox purchase confirms nothing in a live app.
 */
export function ReplayButton({ action, appId, eventId, verdict, subject }: Props) {
  if (!REPLAYABLE.includes(verdict)) return null;
  const button = {
    action,
    hidden: { appId, eventId },
    done: DONE,
    ...(subject && { ariaLabel: `Replay ${subject}` }),
  };
  if (verdict === "sandbox") return <ActButton {...button}>Replay</ActButton>;
  return (
    <ConfirmButton
      {...button}
      label="Replay"
      look={{ size: "sm" }}
      title="Replay this event?"
      description={
        <>
          <p>
            If one of its user IDs has a referral, a purchase that the campaign counts confirms it, even one
            from long before the code, and may earn a reward. A refund reverses it, and a withdrawn refund
            makes it count again. Webhooks are sent.
          </p>
          <p>
            A replayed event cannot be unlinked. You can reverse a confirmed referral by hand, but not undo
            the reversal by a refund, and an earned reward stays unless you withdraw it.
          </p>
        </>
      }
      submit="Replay event"
    />
  );
}
