import Link from "next/link";
import { Facts } from "@/components/dashboard/facts";
import { CopyButton } from "@/components/ui/copy-button";
import { Near } from "@/components/ui/time";
import type { ReferrerView } from "@/lib/contract/timeline";

/** Who a referrer is, and what their friends type. */
export function ReferrerFacts({ base, referrer }: { base: string; referrer: ReferrerView }) {
  const { uid, metacode, link, campaign, createdAt } = referrer;
  const copied = (text: string, label: string) => ({
    value: <code className="min-w-0 font-mono text-[13px] break-all">{text}</code>,
    action: <CopyButton text={text} label={label} />,
  });
  return (
    <Facts
      facts={[
        { name: "Uid", ...copied(uid, "Copy the uid") },
        { name: "Metacode", ...copied(metacode, "Copy the metacode") },
        { name: "Link", ...copied(link, "Copy the referral link") },
        {
          name: "Campaign",
          value: campaign ? (
            <Link href={`${base}/campaigns/${campaign.id}`} className="underline hover:text-muted">
              {campaign.name}
            </Link>
          ) : (
            "The app's referral campaign"
          ),
        },
        { name: "Referrer since", value: <Near at={createdAt} /> },
      ]}
    />
  );
}
