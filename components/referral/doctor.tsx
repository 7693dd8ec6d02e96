import type { ReactNode } from "react";
import { Callout } from "@/components/ui/callout";
import { Link } from "@/components/ui/link";
import { RelativeTime } from "@/components/ui/time";
import {
  MOST_OFFERED,
  type NamedFinding,
  PURCHASE_SENTENCES,
  type ReferralFinding,
} from "@/lib/contract/doctor";
import { formatCount, plural } from "@/lib/contract/format";

/** The reasons why a referral is not confirmed, and the next steps. */
export function Doctor({ base, findings }: { base: string; findings: readonly ReferralFinding[] }) {
  if (findings.length === 0) return null;
  return (
    <Callout tone={findings[0]?.why === "recent" ? "info" : "warn"}>
      <h2 className="font-semibold">Why is this not confirmed?</h2>
      {findings.map((finding) => (
        <p key={finding.why}>{sentenceOf(finding, base)}</p>
      ))}
    </Callout>
  );
}

const linkTo = (href: string, text: ReactNode) => (
  <Link href={href} className="font-medium underline underline-offset-2">
    {text}
  </Link>
);

function sentenceOf(finding: ReferralFinding, base: string): ReactNode {
  switch (finding.why) {
    case "other_app":
      return (
        <>
          A purchase of this user reached the app{" "}
          {linkTo(`/dashboard/apps/${finding.app.id}/providers`, finding.app.name)}. Check that the provider
          posts to the connection of this app, then confirm this referral by hand.
        </>
      );
    case "code_expired":
      return (
        <>
          The code expired <RelativeTime at={finding.at} />, and the store no longer accepts it. If the user
          has not redeemed it there before, replace the code.
        </>
      );
    case "no_connection":
      return (
        <>
          No provider is connected. {linkTo(`${base}/providers`, "Connect a provider")}, or confirm by hand.
        </>
      );
    case "disabled":
      return finding.connections.map(({ id, label }) => (
        <span key={id} className="block">
          {linkTo(`${base}/providers/${id}`, label)} is disabled, so its deliveries are refused and not
          stored. Enable it and have the provider resend them, or confirm by hand.
        </span>
      ));
    case "refused":
      return finding.connections.map(({ id, label, deliveries, at, accepts }) => (
        <span key={id} className="block">
          Since the code was assigned, {formatCount(deliveries, "delivery", "deliveries")} from{" "}
          {linkTo(`${base}/providers/${id}`, label)} {plural(deliveries, "was", "were")} refused, most
          recently <RelativeTime at={at} />, and the purchase may be among them.{" "}
          {accepts ? "Later ones were accepted: have" : "Correct what its page names and have"} the provider
          resend the refused {plural(deliveries, "one", "ones")}, or confirm by hand.
        </span>
      ));
    case "anonymous":
      return (
        <>
          Since the code was assigned, {formatCount(finding.events, "purchase")}
          {finding.events >= MOST_OFFERED && " or more"} of this store came without a user ID of your app. If{" "}
          {finding.events === 1 ? "its" : "the"} time and product fit, link{" "}
          {finding.events === 1 ? "it" : "one"}; otherwise confirm by hand.
        </>
      );
    case "erased":
      return "The data of this user was erased, so no purchase that arrives now finds this referral. If the user has bought, confirm by hand.";
    case "recent":
      return "The code is less than an hour old, and no further purchase of this user has arrived since. Check again later.";
    case "silent":
      return finding.last ? (
        <>
          No connection has received anything since the code was assigned, the last event came{" "}
          <RelativeTime at={finding.last} />. Check the {linkTo(`${base}/providers`, "connections")} at the
          provider.
        </>
      ) : (
        <>
          No connection has received an event in the last 90 days. Check that the provider posts to one of the{" "}
          {linkTo(`${base}/providers`, "connections")}, and send a test event.
        </>
      );
    case "no_purchase":
      return `Events arrive, but no purchase has named this user ID ${finding.aged ? "in the last 90 days" : "since the code was assigned"}. The user has not bought yet, or the provider knows the user under another ID. Ask for the receipt, then confirm by hand or join the two IDs.`;
    case "trial":
      return (
        <>
          A purchase of this user, made <RelativeTime at={finding.at} />, {PURCHASE_SENTENCES.not_paid}
        </>
      );
    case "counted":
      return (
        <>
          {finding.type ? "Their purchase" : "A confirmation"} of <RelativeTime at={finding.at} />{" "}
          {finding.again ? "counted for" : "belongs to"}{" "}
          {linkTo(`${base}/referrals/${finding.referralId}`, "another referral")}
          {finding.again
            ? " of this campaign, under another of their user IDs. A person counts once in a campaign: leave this referral open."
            : ", and a purchase counts once. Another one confirms this referral; without one, confirm by hand."}
        </>
      );
    default:
      return <PurchaseSentence finding={finding} base={base} />;
  }
}

function PurchaseSentence({ finding, base }: { finding: NamedFinding; base: string }) {
  const { id, type, at, why } = finding;
  return (
    <>
      {linkTo(`${base}/providers/unmatched?event=${id}`, <code className="font-mono text-note">{type}</code>)}{" "}
      of this user, received <RelativeTime at={at} />, {PURCHASE_SENTENCES[why]}
    </>
  );
}
