import { ConfirmButton, ReasonField } from "@/components/ui/confirm";
import { CheckField } from "@/components/ui/field";
import { LocalTime } from "@/components/ui/time";
import type { FormAction } from "@/lib/contract/form-state";
import { AGAIN_LABELS } from "@/lib/contract/person";
import type { EventVerdict } from "@/lib/contract/provider";
import type { EventEntry, ReferralView } from "@/lib/contract/timeline";

interface Props {
  action: FormAction<void>;
  appId: string;
  referralId: string;
}

const look = { size: "sm" } as const;

/** The choice whether a reversal also withdraws the rewards that are then no longer due. */
export function WithdrawRewards() {
  return (
    <CheckField
      label="Withdraw unclaimed rewards as well"
      name="withdraw"
      value="true"
      hint="An unclaimed reward that needed this referral can no longer be claimed. It still counts as earned."
    />
  );
}

/** Confirms a referral whose purchase no provider reported; `noUser`: the referee was erased. */
export function ConfirmByHand({ action, appId, referralId, noUser }: Props & { noUser: boolean }) {
  return (
    <ConfirmButton
      label="Confirm by hand"
      look={look}
      action={action}
      hidden={{ appId, referralId }}
      title="Confirm this referral by hand?"
      description={
        <p>
          The referral counts for its referrer as after a purchase, at the end of the campaign’s hold if it
          has one, and may earn a reward.{" "}
          {noUser
            ? "The data of this user was erased, so no refund reverses it."
            : "A later refund that the provider reports for this user ID, or for a joined one without a code, reverses it; look for others under Unmatched."}{" "}
          You can reverse it yourself.
        </p>
      }
      submit="Confirm referral"
      done="Referral confirmed"
    >
      <ReasonField placeholder="The user sent the receipt" />
    </ConfirmButton>
  );
}

const REFERRER_CLOSED = {
  active: "",
  paused:
    " The referrer is paused: until the referrer is resumed, the user needs the metacode of another friend.",
  ended: " The referrer has ended: the user needs the metacode of another friend.",
};

/** Undoes a redemption, so that the referee can redeem again. */
export function ReleaseRedemption({ action, appId, referralId, again }: Props & Pick<ReferralView, "again">) {
  return (
    <ConfirmButton
      label="Release"
      look={look}
      action={action}
      hidden={{ appId, referralId }}
      title="Release this redemption?"
      description={
        <>
          <p>
            Use this when the referee entered the wrong friend’s metacode or chose the wrong platform. The
            referral is removed{AGAIN_LABELS[again.when]}
            {again.when !== "closed" && REFERRER_CLOSED[again.by]}
          </p>
          <p>
            The app has shown the code, so it becomes void here. The store does not know this: the code may
            still work there. It stays counted in the campaign’s budget. This cannot be undone.
          </p>
        </>
      }
      submit="Release redemption"
      danger
    >
      <ReasonField placeholder="Has an iPhone, got a Google Play code" />
    </ConfirmButton>
  );
}

const UNCONFIRMS =
  "If it confirmed this referral, the referral no longer counts and waits for a purchase again. Another purchase of this user since then confirms it at once. Rewards already earned stay: an unclaimed one can be withdrawn on the referrer’s page.";

/** The effects of unlinking a refund and a withdrawn refund. */
const UNLINK_EFFECTS: Partial<Record<EventVerdict, string>> = {
  reversed:
    "If it reversed this referral, the referral counts again, once its hold is over if it is still on hold, and may earn a reward. A reward that was withdrawn with it is back once it is due. A reversal by hand stands.",
  restored:
    "The refund that it withdrew reverses the referral again, which no longer counts. Rewards already earned stay: an unclaimed one can be withdrawn on the referrer’s page.",
};

/** Unlinks a linked event from its referral. Its time tells it apart from others of its type. */
export function UnlinkEvent({ action, appId, referralId, event }: Props & { event: EventEntry }) {
  return (
    <ConfirmButton
      label="Unlink"
      ariaLabel={`Unlink ${event.type}`}
      look={look}
      action={action}
      hidden={{ appId, referralId, eventId: event.id }}
      title={`Unlink ${event.type}?`}
      description={
        <p>
          The event, received <LocalTime at={event.at} shape="second" />, returns to Unmatched and can be
          linked to another user. {UNLINK_EFFECTS[event.verdict] ?? UNCONFIRMS}
        </p>
      }
      submit="Unlink event"
      danger
      done="Event unlinked. Find it under Unmatched."
    >
      <ReasonField placeholder="It belongs to another user" />
    </ConfirmButton>
  );
}
