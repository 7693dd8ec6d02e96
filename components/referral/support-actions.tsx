import { LINKED, PurchaseLine } from "@/components/provider/purchase-line";
import {
  ConfirmByHand,
  ReleaseRedemption,
  UnlinkEvent,
  WithdrawRewards,
} from "@/components/referral/by-hand-actions";
import { CopyCode, ReplaceCode } from "@/components/referral/code-actions";
import { ConfirmButton, ReasonField } from "@/components/ui/confirm";
import { LocalTime } from "@/components/ui/time";
import { MOST_OFFERED } from "@/lib/contract/doctor";
import type { FormAction } from "@/lib/contract/form-state";
import { shownUid } from "@/lib/contract/influencer";
import type { EventVerdict, EventView } from "@/lib/contract/provider";
import type { ReferralView } from "@/lib/contract/timeline";

interface LinkEventProps {
  action: FormAction<{ status: EventVerdict }>;
  to: { appId: string; uid: string; referralId: string };
  /** Unmatched purchases since the code was assigned. */
  events: readonly EventView[];
}

/** Links an unmatched event to this referee. */
function LinkEvent({ action, to, events }: LinkEventProps) {
  return (
    <ConfirmButton
      label="Link a confirmation"
      look={{ size: "sm" }}
      action={action}
      hidden={to}
      title="Link a confirmation"
      description={
        <p>
          These purchases of the same store happened after the code was assigned and match no referral, for
          example because the provider knows the user under another ID. Those without a user ID of your app
          come first, then the first to arrive.{" "}
          {events.length >= MOST_OFFERED &&
            `These are the first ${MOST_OFFERED}: to link another one, open it under Unmatched. `}
          The one you choose is applied as if it had named <strong className="wrap-anywhere">{to.uid}</strong>
          : it confirms the referral, if the campaign counts it, and may earn a reward. You can unlink it
          later, but an earned reward stays.
        </p>
      }
      submit="Link event"
      done={LINKED}
    >
      <fieldset className="grid max-h-64 gap-2 overflow-y-auto">
        <legend className="sr-only">Unmatched events</legend>
        {events.map((event) => (
          <EventChoice key={event.id} event={event} />
        ))}
      </fieldset>
      <ReasonField placeholder="The user sent the receipt" />
    </ConfirmButton>
  );
}

/** An unmatched event to choose. */
function EventChoice({ event }: { event: EventView }) {
  return (
    <label className="flex gap-3 rounded-lg border border-line p-3 text-sm has-checked:border-ink">
      <input type="radio" name="eventId" value={event.id} required className="mt-0.5 size-4 accent-ink" />
      <span className="grid min-w-0 gap-0.5">
        <span className="flex flex-wrap gap-x-2">
          <code className="font-mono text-note">{event.type}</code>
          <span className="text-muted">
            <LocalTime at={event.occurredAt ?? event.at} shape="second" />
          </span>
        </span>
        <span className="text-note wrap-anywhere text-muted">{event.uids.join(", ") || "No user ID"}</span>
        <PurchaseLine purchase={event.purchase} />
      </span>
    </label>
  );
}

interface Props {
  appId: string;
  /** The app's retry window. */
  retryHours: number;
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
export function SupportActions({ appId, retryHours, referral, events, actions }: Props) {
  const { id, status, code, reversedByProvider, refereeUid } = referral;
  const noUser = refereeUid !== null && !shownUid(refereeUid);
  return (
    <div className="flex flex-wrap gap-2">
      {code && actions.reveal && <CopyCode action={actions.reveal} appId={appId} assignmentId={id} />}
      {code && status === "code_assigned" && (
        <ReplaceCode
          action={actions.replace}
          appId={appId}
          assignmentId={id}
          codeId={code.id}
          holder="referee"
          retryHours={retryHours}
          moved={referral.moved}
          noUser={noUser}
        />
      )}
      {refereeUid && !noUser && events.length > 0 && (
        <LinkEvent action={actions.link} to={{ appId, uid: refereeUid, referralId: id }} events={events} />
      )}
      {status === "code_assigned" && (
        <>
          <ConfirmByHand action={actions.confirm} appId={appId} referralId={id} noUser={noUser} />
          <ReleaseRedemption action={actions.release} appId={appId} referralId={id} again={referral.again} />
        </>
      )}
      {linkedEvents(referral).map((event) => (
        <UnlinkEvent key={event.id} action={actions.unlink} appId={appId} referralId={id} event={event} />
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
          It no longer counts for the referrer, as after a refund. Rewards already earned stay unless you
          withdraw them below, and the referee keeps the code. If another friend invited this user, a member
          can grant that friend a goodwill reward. You can undo this.
        </p>
      }
      submit="Reverse referral"
      danger
      done="Referral reversed"
    >
      <ReasonField placeholder="Self-referral" />
      <WithdrawRewards />
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
        <p>
          The referral counts for its referrer again, once its hold is over if it is still on hold, and may
          earn a reward. A reward that was withdrawn with the reversal is back once it is due.
        </p>
      }
      submit="Undo reversal"
      done="Reversal undone"
    >
      <ReasonField placeholder="Reversed by mistake" />
    </ConfirmButton>
  );
}

interface RewardProps {
  action: FormAction<void>;
  appId: string;
  rewardId: string;
  /** The reward as screen readers name it. */
  name: string;
}

/** Withdraws an earned reward that is not claimed. */
export function WithdrawReward({ action, appId, rewardId, name }: RewardProps) {
  return (
    <ConfirmButton
      label="Withdraw"
      ariaLabel={`Withdraw ${name}`}
      look={{ size: "sm" }}
      action={action}
      hidden={{ appId, rewardId }}
      title="Withdraw this reward?"
      description={
        <p>
          The referrer can no longer claim it. It still counts as earned, and the next reward comes at the
          same number of referrals as before. You can undo this.
        </p>
      }
      submit="Withdraw reward"
      danger
      done="Reward withdrawn"
    >
      <ReasonField placeholder="Earned by made-up users" />
    </ConfirmButton>
  );
}

/** Restores a withdrawn reward. */
export function RestoreReward({ action, appId, rewardId, name }: RewardProps) {
  return (
    <ConfirmButton
      label="Restore"
      ariaLabel={`Restore ${name}`}
      look={{ size: "sm" }}
      action={action}
      hidden={{ appId, rewardId }}
      title="Restore this reward?"
      description={<p>The referrer can claim it again.</p>}
      submit="Restore reward"
      done="Reward restored"
    >
      <ReasonField placeholder="Withdrawn by mistake" />
    </ConfirmButton>
  );
}
