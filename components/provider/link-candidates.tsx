import { ConfirmButton } from "@/components/ui/confirm";
import { SearchBox } from "@/components/ui/filters";
import { Near } from "@/components/ui/time";
import type { FormAction } from "@/lib/contract/form-state";
import type { EventVerdict } from "@/lib/contract/provider";
import type { ReferralRow } from "@/lib/contract/referral-list";

interface Props {
  action: FormAction<{ status: EventVerdict }>;
  appId: string;
  eventId: string;
  /** The text that was looked for. */
  uid: string | undefined;
  candidates: readonly ReferralRow[];
  /** The filters of the list, which the search keeps. */
  keep: Record<string, string | undefined>;
}

/** The referrals that an unmatched event may belong to, one of which it is linked to by hand. */
export function LinkCandidates({ action, appId, eventId, uid, candidates, keep }: Props) {
  return (
    <div className="grid grid-cols-1 gap-3 rounded-lg border border-line p-4">
      <div className="grid gap-0.5">
        <h3 className="text-sm font-semibold">Link it to a referral</h3>
        <p className="text-[13px] text-muted">
          {uid ? "Referees whose user id begins like this." : "The referees who got their code last."} Only
          referrals that the event would change.
        </p>
      </div>
      <search>
        <form className="flex flex-wrap gap-2">
          {Object.entries({ ...keep, event: eventId }).map(([name, value]) =>
            value ? <input key={name} type="hidden" name={name} value={value} /> : null,
          )}
          <SearchBox name="uid" label="User id of the referee" value={uid} />
          <button type="submit" className="sr-only">
            Search
          </button>
        </form>
      </search>
      {candidates.length === 0 && <p className="text-sm text-muted">Nobody fits.</p>}
      <ul className="divide-y divide-line">
        {candidates.map((row) => (
          <li key={row.id} className="flex flex-wrap items-center justify-between gap-3 py-2.5 text-sm">
            <span className="grid min-w-0 gap-0.5">
              <span className="font-mono text-[13px] break-all">{row.refereeUid}</span>
              <span className="text-[13px] text-muted">
                {row.platform} · invited by {row.referrer?.name ?? row.referrer?.metacode ?? "nobody"} ·{" "}
                <Near at={row.createdAt} />
              </span>
            </span>
            <ConfirmButton
              action={action}
              hidden={{ appId, eventId, uid: row.refereeUid ?? "" }}
              label="Link"
              ariaLabel={`Link to ${row.refereeUid}`}
              look={{ size: "sm" }}
              title="Link the event"
              description={`It is applied as if it had named ${row.refereeUid}: a purchase confirms the referral, counts, and may earn a reward. It can be linked once.`}
              submit="Link it"
              done="Linked"
            />
          </li>
        ))}
      </ul>
    </div>
  );
}
