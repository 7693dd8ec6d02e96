import type { FormAction } from "@/lib/contract/form-state";
import type { EventVerdict, EventView } from "@/lib/contract/provider";
import type { ReferralView } from "@/lib/contract/timeline";
import { CopyCode } from "./copy-code";
import { LinkEvent } from "./link-event";
import { ReplaceCode } from "./replace-code";
import { RestoreReferral, ReverseReferral } from "./reverse-referral";

interface Props {
  appId: string;
  referral: ReferralView;
  events: readonly EventView[];
  actions: {
    replace: FormAction<{ code: string }>;
    /** Absent for people who may not see whole codes. */
    reveal?: FormAction<{ code: string }> | undefined;
    reverse: FormAction<void>;
    restore: FormAction<void>;
    link: FormAction<{ status: EventVerdict }>;
  };
}

/** What support can do about a referral as it stands. */
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
      {status === "redeemed" && <ReverseReferral action={actions.reverse} appId={appId} referralId={id} />}
      {status === "reversed" && !reversedByProvider && (
        <RestoreReferral action={actions.restore} appId={appId} referralId={id} />
      )}
    </div>
  );
}
