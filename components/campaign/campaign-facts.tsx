import { Facts } from "@/components/ui/facts";
import { Link } from "@/components/ui/link";
import { MeterBar } from "@/components/ui/meter";
import { Stat } from "@/components/ui/stat";
import { LocalTime } from "@/components/ui/time";
import {
  budgetState,
  type CampaignView,
  type PlatformReadiness,
  type PlatformRulesView,
  type PoolReadiness,
  type Readiness,
} from "@/lib/contract/campaign-view";
import { formatCount, formatNumber, formatPercent, PLATFORM_NAME } from "@/lib/contract/format";
import type { Figures } from "@/lib/contract/overview";
import { CAMPAIGN_TYPE_LABEL, CampaignDates } from "./campaign-labels";

/** A note such as "39% of clicks". */
function shareOf(part: number, whole: number, of: string): string | undefined {
  const percent = formatPercent(part, whole);
  return percent && `${percent} of ${of}`;
}

/** The figures of a campaign since it began. */
export function CampaignFunnel({ figures }: { figures: Figures }) {
  const { clicked, assigned, confirmed, reversed, earned, claimed } = figures;
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
      <Stat name="Clicked" value={formatNumber(clicked)} />
      <Stat
        name="Codes assigned"
        value={formatNumber(assigned)}
        note={shareOf(assigned, clicked, "clicks")}
      />
      <Stat
        name="Confirmed"
        value={formatNumber(confirmed)}
        note={reversed > 0 ? `${formatNumber(reversed)} reversed` : shareOf(confirmed, assigned, "codes")}
      />
      <Stat name="Rewards earned" value={formatNumber(earned)} />
      <Stat name="Rewards claimed" value={formatNumber(claimed)} note={shareOf(claimed, earned, "rewards")} />
    </dl>
  );
}

interface Props {
  campaign: CampaignView;
  readiness: Readiness;
  /** The path of the pools' pages. */
  pools: string;
}

const CONFIRM = {
  start: "When the subscription starts, including free trials",
  paid: "When it is paid for",
};

/** The rules of a campaign. */
export function CampaignRules({ campaign, readiness, pools }: Props) {
  const { type, activatedAt, holdDays, confirmOn, confirmAnyRenewal, safetyMarginHours } = campaign;
  return (
    <Facts
      facts={[
        { name: "Type", value: CAMPAIGN_TYPE_LABEL[type] },
        { name: "Dates", value: <CampaignDates startsAt={campaign.startsAt} endsAt={campaign.endsAt} /> },
        { name: "First activated", value: activatedAt ? <LocalTime at={activatedAt} /> : "Not yet" },
        {
          name: "Confirmed",
          value: `${CONFIRM[confirmOn]}${confirmAnyRenewal ? ". Any renewal counts" : ""}`,
        },
        {
          name: "Rewards",
          value: `Codes for the ${campaign.rewardsOn === "friend" ? "friend’s platform" : "referrer’s own platform, where it is known"}`,
        },
        {
          name: "Hold",
          value: holdDays === 0 ? "None" : `${formatCount(holdDays, "day")} after the confirmation`,
        },
        {
          name: "Reciprocal referrals",
          value: campaign.refuseReciprocal ? "Refused" : "Allowed",
        },
        { name: "Budget", value: <Budgets campaign={campaign} /> },
        {
          name: "Safety margin",
          value: `${formatCount(safetyMarginHours, "hour")} before a code expires`,
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

function Budgets({ campaign }: { campaign: CampaignView }) {
  const { codeBudget, spentCodes, rewardBudget, spentRewards } = campaign;
  if (codeBudget === null && rewardBudget === null) return "No limit";
  return (
    <div className="grid w-full max-w-md gap-2 py-1">
      <Budget name="codes assigned" spent={spentCodes} most={codeBudget} />
      <Budget name="rewards claimed" spent={spentRewards} most={rewardBudget} />
    </div>
  );
}

function Budget({ name, spent, most }: { name: string; spent: number; most: number | null }) {
  if (most === null) return <p>{`No limit on ${name}`}</p>;
  const state = budgetState(spent, most);
  return (
    <div className="grid gap-1.5">
      <p>{`${formatNumber(spent)} of ${formatNumber(most)} ${name}${state === "spent" ? ": used up" : ""}`}</p>
      <MeterBar
        label={`Budget: ${name}`}
        value={spent}
        max={most}
        tone={state === "spent" ? "bad" : state === "low" ? "warn" : "accent"}
      />
    </div>
  );
}

interface PlatformProps {
  rule: PlatformRulesView;
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
          ? "Rewards granted by hand"
          : threshold === 1
            ? "A reward for every confirmed referral"
            : `A reward for every ${formatCount(threshold, "confirmed referral")}`}
        {rewardCap !== null && `, at most ${formatNumber(rewardCap)} per referrer`}
      </p>
      <p className="text-note text-muted">
        Referees: <PoolLink pool={ready?.referee ?? null} pools={pools} /> · Rewards:{" "}
        <PoolLink pool={ready?.reward ?? null} pools={pools} />
      </p>
      {instructions && (
        <p className="text-note wrap-anywhere whitespace-pre-line text-muted">“{instructions}”</p>
      )}
    </div>
  );
}

function PoolLink({ pool, pools }: { pool: PoolReadiness | null; pools: string }) {
  if (!pool) return <span className="text-warn">no pool</span>;
  const free = pool.free > 1_000 ? "more than 1,000" : formatNumber(pool.free);
  return (
    <>
      <Link href={`${pools}/${pool.id}`} className="underline underline-offset-2 hover:text-ink">
        {pool.name}
      </Link>
      , {free} free
    </>
  );
}
