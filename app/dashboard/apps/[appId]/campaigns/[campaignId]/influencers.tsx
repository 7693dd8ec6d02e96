import { UserRound } from "lucide-react";
import { InfluencerTable } from "@/components/influencer/influencer-table";
import { NewInfluencer } from "@/components/influencer/new-influencer";
import { EmptyState } from "@/components/ui/empty-state";
import { Pager } from "@/components/ui/pager";
import type { Context } from "@/lib/context";
import type { CampaignView } from "@/lib/contract/campaign-view";
import { mayAct, type Role } from "@/lib/contract/roles";
import { listInfluencers } from "@/lib/referrers/list-influencers";
import {
  changeInfluencerAction,
  createInfluencerAction,
  grantRewardsAction,
  handOutRewardsAction,
  metacodeStateQuery,
  setInfluencerStatusAction,
} from "./actions";

interface Props {
  ctx: Context;
  campaign: CampaignView;
  role: Role;
  cursor: string | undefined;
}

/** Each row is counted in several tables, so a page is short. */
const PAGE = 25;

const ACTIONS = {
  edit: changeInfluencerAction,
  status: setInfluencerStatusAction,
  ask: metacodeStateQuery,
};

/** Rewards by hand are codes, which only admins take out of a pool. */
const BY_HAND = { grant: grantRewardsAction, handOut: handOutRewardsAction };

/** The influencers on a campaign's page. */
export async function Influencers({ ctx, campaign, role, cursor }: Props) {
  const mayChange = mayAct(role, "member");
  const actions = { ...ACTIONS, ...(mayAct(role, "admin") && { byHand: BY_HAND }) };
  const appId = ctx.app.id;
  const base = `/dashboard/apps/${appId}`;
  const { data, nextCursor } = await listInfluencers(ctx, campaign.id, { cursor, limit: PAGE });
  const add = mayChange && campaign.status !== "ended" && (
    <NewInfluencer
      appId={appId}
      campaignId={campaign.id}
      action={createInfluencerAction}
      ask={metacodeStateQuery}
    />
  );
  return (
    <section aria-label="Influencers" className="grid gap-3">
      <div className="flex items-center justify-between gap-3">
        <h2 className="text-base font-semibold tracking-tight">Influencers</h2>
        {data.length > 0 && add}
      </div>
      {data.length > 0 ? (
        <InfluencerTable
          appId={appId}
          influencers={data}
          platforms={campaign.platforms.map(({ platform }) => platform)}
          referrers={`${base}/referrers`}
          actions={mayChange ? actions : undefined}
        />
      ) : (
        <EmptyState icon={UserRound} title="No influencer yet" action={add}>
          Give somebody a metacode of their own, and share its link.
        </EmptyState>
      )}
      <Pager
        path={`${base}/campaigns/${campaign.id}`}
        query={{ cursor }}
        nextCursor={nextCursor}
        shown={data.length}
        size={PAGE}
      />
    </section>
  );
}
