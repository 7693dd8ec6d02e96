import Link from "next/link";
import { Facts } from "@/components/dashboard/facts";
import { LocalTime } from "@/components/ui/local-time";
import {
  type CampaignView,
  PLATFORM_NAME,
  type PlatformReadiness,
  type PlatformView,
  type PoolReadiness,
  type Readiness,
} from "@/lib/contract/campaign-view";
import { Dates } from "./dates";
import { TYPE_NAME } from "./status";

interface Props {
  campaign: CampaignView;
  readiness: Readiness;
  /** Where pools have their pages. */
  pools: string;
}

const CONFIRM = {
  start: "When it starts, a free trial as well",
  paid: "When it is paid",
};

/** Everything a campaign says, in words. */
export function Rules({ campaign, readiness, pools }: Props) {
  const { type, activatedAt, confirmOn, confirmAnyRenewal, safetyMarginHours } = campaign;
  return (
    <Facts
      facts={[
        { name: "Type", value: TYPE_NAME[type] },
        { name: "Dates", value: <Dates {...campaign} /> },
        { name: "First activated", value: activatedAt ? <LocalTime at={activatedAt} /> : "Not yet" },
        {
          name: "Confirmed",
          value: `${CONFIRM[confirmOn]}${confirmAnyRenewal ? "; plain renewals count" : ""}`,
        },
        {
          name: "Safety margin",
          value: `${safetyMarginHours.toLocaleString("en")} hours before a code expires`,
        },
        ...campaign.platforms.map((rule) => ({
          name: PLATFORM_NAME[rule.platform],
          value: (
            <PlatformRule
              rule={rule}
              influencer={type === "influencer"}
              ready={readiness.platforms.find(({ platform }) => platform === rule.platform)}
              pools={pools}
            />
          ),
        })),
      ]}
    />
  );
}

interface PlatformProps {
  rule: PlatformView;
  influencer: boolean;
  ready: PlatformReadiness | undefined;
  pools: string;
}

function PlatformRule({ rule, influencer, ready, pools }: PlatformProps) {
  const { threshold, rewardCap, instructions } = rule;
  return (
    <div className="grid gap-1 py-1">
      <p>
        {influencer
          ? "Rewards by hand"
          : `A reward every ${threshold === 1 ? "" : `${threshold.toLocaleString("en")} `}confirmed referral${threshold === 1 ? "" : "s"}`}
        {rewardCap !== null && `, at most ${rewardCap.toLocaleString("en")} a referrer`}
      </p>
      <p className="text-[13px] text-muted">
        Referees: <PoolLink pool={ready?.referee ?? null} pools={pools} /> · Rewards:{" "}
        <PoolLink pool={ready?.reward ?? null} pools={pools} />
      </p>
      {instructions && (
        <p className="text-[13px] break-words whitespace-pre-line text-muted">“{instructions}”</p>
      )}
    </div>
  );
}

function PoolLink({ pool, pools }: { pool: PoolReadiness | null; pools: string }) {
  if (!pool) return <span className="text-warn">no pool</span>;
  const free = pool.free > 1_000 ? "more than 1,000" : pool.free.toLocaleString("en");
  return (
    <>
      <Link
        href={`${pools}/${pool.id}`}
        prefetch={false}
        className="underline underline-offset-2 hover:text-ink"
      >
        {pool.name}
      </Link>
      , {free} free
    </>
  );
}
