import { CopyButton } from "@/components/ui/copy-button";
import { Facts } from "@/components/ui/facts";
import { Link } from "@/components/ui/link";
import { formatCount } from "@/lib/contract/format";
import type { PersonView } from "@/lib/contract/person";

/** The ids of a person, and their page as a referrer. */
export function PersonFacts({ base, person }: { base: string; person: PersonView }) {
  const { uid, aliases, referrer } = person;
  const facts = [
    {
      name: "User ID",
      value: <code className="font-mono text-note break-all">{uid}</code>,
      action: <CopyButton text={uid} label="Copy the user ID" />,
    },
    {
      name: "Other IDs",
      value:
        aliases.length > 0 ? (
          <code className="font-mono text-note break-all">{aliases.join(", ")}</code>
        ) : (
          <span className="text-muted">None known</span>
        ),
    },
    {
      name: "As a referrer",
      value: referrer ? (
        <Link
          href={`${base}/referrers/${referrer.id}`}
          className="min-w-0 break-words underline hover:text-muted"
        >
          {referrer.name ?? "Unnamed"} <code className="font-mono text-note">{referrer.metacode}</code>,{" "}
          {referrer.status}
          {referrer.held > 0 && `, ${formatCount(referrer.held, "confirmed referral")} on hold`}
        </Link>
      ) : (
        <span className="text-muted">Has no metacode</span>
      ),
    },
    ...(referrer?.notes
      ? [{ name: "Notes", value: <span className="whitespace-pre-wrap">{referrer.notes}</span> }]
      : []),
  ];
  return <Facts facts={facts} />;
}
