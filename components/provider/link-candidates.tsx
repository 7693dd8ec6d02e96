import { ConfirmButton, ReasonField } from "@/components/ui/confirm";
import { SearchBox } from "@/components/ui/filters";
import { LocalTime } from "@/components/ui/time";
import type { FormAction } from "@/lib/contract/form-state";
import { PLATFORM_NAME } from "@/lib/contract/format";
import type { EventVerdict } from "@/lib/contract/provider";
import type { ReferralRow } from "@/lib/contract/referral-list";
import { LINKED } from "./purchase-line";

interface Props {
  action: FormAction<{ status: EventVerdict }>;
  appId: string;
  eventId: string;
  kind: string;
  /** The search text. */
  uid: string | undefined;
  candidates: readonly ReferralRow[];
  /** Whether referrals that were not searched may match. */
  more: boolean;
  /** The filters of the list, which the search retains. */
  keep: Record<string, string | undefined>;
}

/** The effect of each kind of event on the referral. */
const EFFECTS: Record<string, string> = {
  confirm:
    "it confirms the referral, if the campaign counts it, and may earn a reward. You can unlink it later, but an earned reward stays.",
  reverse: "the refund reverses the referral, which no longer counts. You can unlink it later.",
  restore:
    "the refund was withdrawn, and the referral counts again, once its hold is over if it is still on hold. You can unlink it later.",
};

/** The referrals that an unmatched event may belong to, each with a button that links it. */
export function LinkCandidates({ action, appId, eventId, kind, uid, candidates, more, keep }: Props) {
  return (
    <div className="grid grid-cols-1 gap-3 rounded-lg border border-line p-4">
      <div className="grid gap-0.5">
        <h3 className="text-sm font-semibold">Link to a referral</h3>
        <p className="text-note text-muted">
          {uid ? "Referees whose user ID begins with this text." : "The referees with the latest codes."} Only
          referrals of the same store that are older than the event and that it would change are listed.
          {kind === "restore" && " One that was reversed by hand is not: undo that reversal on its page."}
        </p>
      </div>
      <search>
        <form className="flex flex-wrap gap-2">
          {Object.entries({ ...keep, event: eventId }).map(([name, value]) =>
            value ? <input key={name} type="hidden" name={name} value={value} /> : null,
          )}
          <SearchBox name="uid" label="User ID of the referee" value={uid} />
          <button type="submit" className="sr-only">
            Search
          </button>
        </form>
      </search>
      {candidates.length === 0 && !more && <p className="text-sm text-muted">No referee matches.</p>}
      {more && (
        <p className="text-sm text-muted">
          {candidates.length === 0
            ? "None of the 10,000 referrals searched matches; others may. "
            : "More may match. "}
          Enter the {uid && "whole "}user ID.
        </p>
      )}
      <ul className="divide-y divide-line">
        {candidates.map((row) => (
          <li key={row.id} className="flex flex-wrap items-center justify-between gap-3 py-2.5 text-sm">
            <span className="grid min-w-0 gap-0.5">
              <span className="font-mono text-note wrap-anywhere">{row.refereeUid}</span>
              <span className="text-note text-muted">
                {row.platform && PLATFORM_NAME[row.platform]} · invited by{" "}
                {row.referrer?.name ?? row.referrer?.metacode ?? "an unknown referrer"} · redeemed{" "}
                <LocalTime at={row.createdAt} shape="second" />
              </span>
            </span>
            <ConfirmButton
              action={action}
              hidden={{ appId, eventId, uid: row.refereeUid ?? "", referralId: row.id }}
              label="Link"
              ariaLabel={`Link to ${row.refereeUid}`}
              look={{ size: "sm" }}
              title="Link event"
              description={`The event is applied as if it had named ${row.refereeUid}: ${EFFECTS[kind]}`}
              submit="Link event"
              done={LINKED}
            >
              <ReasonField placeholder="The user sent the receipt" />
            </ConfirmButton>
          </li>
        ))}
      </ul>
    </div>
  );
}
