"use client";

import { ConfirmButton } from "@/components/ui/confirm";
import { Field } from "@/components/ui/field";
import type { FormAction } from "@/lib/contract/form-state";
import type { EventVerdict, EventView } from "@/lib/contract/provider";
import type { ReferralView } from "@/lib/contract/timeline";
import { ConfirmByHand, ReleaseRedemption, UnlinkEvent } from "./by-hand-actions";
import { CopyCode, ReplaceCode } from "./code-actions";
import { LinkEvent } from "./link-event";

interface Props {
  appId: string;
  referral: ReferralView;
  events: readonly EventView[];
  actions: {
    replace: FormAction<{ code: string }>;
    /** Absent for roles that may not see whole codes. */
    reveal?: FormAction<{ code: string }> | undefined;
    reverse: FormAction<void>;
    restore: FormAction<void>;
    link: FormAction<{ status: EventVerdict }>;
    unlink: FormAction<void>;
    confirm: FormAction<void>;
    release: FormAction<void>;
  };
}

/** The actions that fit the status of a referral. */
export function SupportActions({ appId, referral, events, actions }: Props) {
  const { id, status, code, replaced, reversedByProvider, refereeUid } = referral;
  return (
    <div className="flex flex-wrap gap-2">
      {code && actions.reveal && <CopyCode action={actions.reveal} appId={appId} assignmentId={id} />}
      {code && status === "code_assigned" && !replaced && (
        <ReplaceCode action={actions.replace} appId={appId} assignmentId={id} holder="referee" />
      )}
      {refereeUid && events.length > 0 && (
        <LinkEvent action={actions.link} appId={appId} refereeUid={refereeUid} events={events} />
      )}
      {status === "code_assigned" && (
        <>
          <ConfirmByHand action={actions.confirm} appId={appId} referralId={id} />
          <ReleaseRedemption action={actions.release} appId={appId} referralId={id} />
        </>
      )}
      {linkedEvents(referral).map((event) => (
        <UnlinkEvent key={event.id} action={actions.unlink} appId={appId} event={event} />
      ))}
      {status === "redeemed" && <ReverseReferral action={actions.reverse} appId={appId} referralId={id} />}
      {status === "reversed" && !reversedByProvider && (
        <RestoreReferral action={actions.restore} appId={appId} referralId={id} />
      )}
    </div>
  );
}

/** Events that a member linked. */
function linkedEvents({ timeline }: ReferralView) {
  return timeline.flatMap((entry) => (entry.kind === "event" && entry.matchedBy?.hand ? [entry] : []));
}

interface ReverseProps {
  action: FormAction<void>;
  appId: string;
  referralId: string;
}

/** Reverses a confirmed referral, so that it no longer counts. */
function ReverseReferral({ action, appId, referralId }: ReverseProps) {
  return (
    <ConfirmButton
      label="Reverse"
      look={{ size: "sm" }}
      action={action}
      hidden={{ appId, referralId }}
      title="Reverse this referral?"
      description={
        <p>
          It no longer counts for the referrer, as after a refund. Rewards already earned stay, and the
          referee keeps the code. You can undo this.
        </p>
      }
      submit="Reverse referral"
      danger
      done="Referral reversed"
    >
      <Field
        label="Reason"
        name="reason"
        required
        maxLength={80}
        placeholder="Self-referral"
        autoComplete="off"
      />
    </ConfirmButton>
  );
}

/** Undoes a reversal by hand, so that the referral counts again. */
function RestoreReferral({ action, appId, referralId }: ReverseProps) {
  return (
    <ConfirmButton
      label="Undo reversal"
      look={{ size: "sm" }}
      action={action}
      hidden={{ appId, referralId }}
      title="Undo the reversal?"
      description={
        <p>The referral counts for its referrer again. If this makes a reward due, it is earned now.</p>
      }
      submit="Undo reversal"
      done="The referral counts again"
    />
  );
}
