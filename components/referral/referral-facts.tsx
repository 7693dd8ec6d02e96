import { UserLink } from "@/components/person/facts";
import { CopyButton } from "@/components/ui/copy-button";
import { Facts } from "@/components/ui/facts";
import { Link } from "@/components/ui/link";
import { LocalTime } from "@/components/ui/time";
import { PLATFORM_NAME } from "@/lib/contract/format";
import { ERASED_UID, shownUid } from "@/lib/contract/influencer";
import type { ReferralView } from "@/lib/contract/timeline";
import { CodeOrigin } from "./referral-timeline";

/** The referee, the referrer, the campaign and the code of a referral. */
export function ReferralFacts({ base, referral }: { base: string; referral: ReferralView }) {
  const { refereeUid, referrer, platform, campaign, code, heldUntil, replaced, status } = referral;
  const uid = refereeUid && shownUid(refereeUid);
  const facts = [
    {
      name: "Referee",
      value: refereeUid && <code className="font-mono text-note wrap-anywhere">{uid ?? ERASED_UID}</code>,
      action: uid && (
        <span className="flex shrink-0 items-center gap-3">
          <UserLink base={base} uid={uid} />
          <CopyButton text={uid} label="Copy the referee’s user ID" />
        </span>
      ),
    },
    {
      name: "Referrer",
      value: referrer && (
        <Link
          href={`${base}/referrers/${referrer.id}`}
          className="min-w-0 wrap-anywhere underline hover:text-muted"
        >
          {referrer.name ?? "Unnamed"} <code className="font-mono text-note">{referrer.metacode}</code>
        </Link>
      ),
    },
    { name: "Platform", value: platform && PLATFORM_NAME[platform] },
    {
      name: "Campaign",
      value: campaign && (
        <Link href={`${base}/campaigns/${campaign.id}`} className="underline hover:text-muted">
          {campaign.name}
        </Link>
      ),
    },
    ...(heldUntil
      ? [
          {
            name: "Reward",
            value: (
              <span>
                Counts from <LocalTime at={heldUntil} shape="day" />, unless it is refunded before
              </span>
            ),
          },
        ]
      : []),
    {
      name: "Code",
      value: code && (
        <span className="grid gap-0.5">
          <span>
            <code className="font-mono">{code.code}</code>
            {replaced && <span className="text-muted"> replaces an invalid code</span>}
          </span>
          <span className="text-note text-muted">
            <CodeOrigin base={base} code={code} />
            {code.quarantined && status === "code_assigned" && (
              <p className="text-warn">
                The batch is in quarantine: replace the code if the user cannot redeem it
              </p>
            )}
          </span>
        </span>
      ),
    },
  ];
  const known = referral.status === "clicked" ? facts.slice(1, 2) : facts;
  return <Facts facts={known} />;
}
