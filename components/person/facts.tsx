import { CopyButton } from "@/components/ui/copy-button";
import { Facts } from "@/components/ui/facts";
import { Link } from "@/components/ui/link";
import { LocalTime } from "@/components/ui/time";
import { formatCount, PLATFORM_NAME } from "@/lib/contract/format";
import { userLabel } from "@/lib/contract/influencer";
import type { PersonPlace, PersonReferrer, PersonView } from "@/lib/contract/person";

/** The ids of a person, and their page as a referrer. */
export function PersonFacts({ base, person }: { base: string; person: PersonView }) {
  const { uid, aliases, referrers, places, erased } = person;
  const notes = [...referrers, ...person.notes].flatMap((row) => row.notes ?? []).join("\n");
  const name = userLabel(uid, "None");
  const facts = [
    {
      name: "User ID",
      value: <code className="font-mono text-note wrap-anywhere whitespace-pre-wrap">{name}</code>,
      action: name === uid && <CopyButton text={uid} label="Copy the user ID" />,
    },
    {
      name: "Other IDs",
      value:
        aliases.length > 0 ? (
          <code className="font-mono text-note wrap-anywhere">{aliases.join(", ")}</code>
        ) : (
          <span className="text-muted">None known</span>
        ),
    },
    {
      name: "As a referrer",
      value:
        referrers.length > 0 ? (
          <span className="grid min-w-0 gap-1">
            {referrers.map((referrer) => (
              <ReferrerLink key={referrer.id} base={base} referrer={referrer} several={!!referrers[1]} />
            ))}
          </span>
        ) : (
          <span className="text-muted">Has no metacode</span>
        ),
    },
    ...(erased ? [{ name: "Redemption", value: erased }] : []),
    ...(places.length > 0 ? [{ name: "In line", value: <Places base={base} places={places} /> }] : []),
    ...(notes ? [{ name: "Notes", value: <span className="whitespace-pre-wrap">{notes}</span> }] : []),
  ];
  return <Facts facts={facts} />;
}

/** A link from a referrer or a referee to the page of the whole person. */
export function UserLink({ base, uid }: { base: string; uid: string }) {
  const href = `${base}/people?uid=${encodeURIComponent(uid)}`;
  return (
    <Link href={href} className="text-note underline hover:text-muted">
      Open user
    </Link>
  );
}

interface ReferrerLinkProps {
  base: string;
  referrer: PersonReferrer;
  several: boolean;
}

/** One of the person's metacodes, with its ID where several IDs have a metacode. */
function ReferrerLink({ base, referrer, several }: ReferrerLinkProps) {
  const { id, uid, name, metacode, status, confirmed, held } = referrer;
  return (
    <span className="min-w-0 wrap-anywhere">
      <Link href={`${base}/referrers/${id}`} className="underline hover:text-muted">
        {name ?? "Unnamed"} <code className="font-mono text-note">{metacode}</code>
      </Link>
      {several && " of "}
      {several && <code className="font-mono text-note wrap-anywhere">{uid}</code>}, {status},{" "}
      {formatCount(confirmed, "confirmed referral")}
      {held > 0 && `, ${formatCount(held, "more", "more")} on hold`}
    </span>
  );
}

const CLOSED: Record<NonNullable<PersonPlace["closed"]>, string> = {
  campaign_paused: ". The campaign is paused: the user can get one once it is resumed",
  campaign_replaced: ". The campaign is paused and another one is active: the user can redeem in that one",
  campaign_scheduled: ". The campaign has not started yet: the user can get one once it starts",
  budget_spent: ". The campaign’s budget for codes is used up: the user can get one once it is raised",
  same_offer: ", but has had a code of each offer with codes: the user needs one of another offer",
  platform_left: ". The campaign no longer runs on that platform, so the user gets no code from it",
  referrer_paused: ". The referrer is paused: the metacode is refused until the referrer is resumed",
  referrer_ended: ". The referrer has ended: the user needs the metacode of another friend",
};

/** The campaigns in which a person waits for a code, and the time until which one is set aside. */
function Places({ base, places }: { base: string; places: readonly PersonPlace[] }) {
  return (
    <span className="grid gap-1">
      {places.map(({ uid, campaignId, platform, at, reservedUntil, state, closed }) => (
        <span key={campaignId + at.getTime()}>
          {state === "ended" ? (
            <>
              A code for {PLATFORM_NAME[platform]} was set aside on <LocalTime at={at} />, for 48 hours at
              most, and not fetched
            </>
          ) : state === "review" || state === "dismissed" ? (
            <>
              The redemption for {PLATFORM_NAME[platform]} of <LocalTime at={at} /> was beyond a limit and is{" "}
              <Link
                href={`${base}/referrals/review?${state === "dismissed" ? "state=dismissed&" : ""}q=${encodeURIComponent(uid)}`}
                className="underline hover:text-muted"
              >
                {state === "review" ? "held for review" : "dismissed after a review"}
              </Link>
              {closed === "referrer_ended" && CLOSED[closed]}
            </>
          ) : reservedUntil ? (
            <>
              {state === "approved" ? "Approved beyond a limit" : "A code is set aside"} for{" "}
              {PLATFORM_NAME[platform]} until <LocalTime at={reservedUntil} />
              {closed ? CLOSED[closed] : ": the user can redeem again"}
            </>
          ) : (
            <>
              Waiting for an {PLATFORM_NAME[platform]} code since <LocalTime at={at} />
              {closed && CLOSED[closed]}
            </>
          )}
        </span>
      ))}
    </span>
  );
}
