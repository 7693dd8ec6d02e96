import { UserRound } from "lucide-react";
import { AddInfluencer } from "@/components/influencer/influencer-forms";
import { InfluencerTable } from "@/components/influencer/influencer-table";
import { EmptyState } from "@/components/ui/empty-state";
import { NextStep } from "@/components/ui/link";
import { listHref, Pager } from "@/components/ui/pager";
import type { CampaignView } from "@/lib/contract/campaign-view";
import type { ReferrerQuery } from "@/lib/contract/referrer-list";
import { mayAct, type Role } from "@/lib/contract/workspace";
import { listInfluencers } from "@/lib/program/referrers/list-influencers";
import type { Context } from "@/lib/tenants/context";
import {
  claimForInfluencerAction,
  createInfluencerAction,
  grantRewardsAction,
  metacodeStateQuery,
  updateInfluencerAction,
  updateInfluencerStatusAction,
} from "./actions";

interface Props extends Pick<ReferrerQuery, "cursor" | "sort"> {
  ctx: Context;
  campaign: CampaignView;
  role: Role;
}

/** Rows on a page; few, because each row counts in several tables. */
const PAGE = 25;

const ACTIONS = {
  edit: updateInfluencerAction,
  status: updateInfluencerStatusAction,
  check: metacodeStateQuery,
};

/** Only admins may take reward codes out of a pool. */
const BY_HAND = { grant: grantRewardsAction, claim: claimForInfluencerAction };

/** The influencers on the page of a campaign. */
export async function Influencers({ ctx, campaign, role, cursor, sort }: Props) {
  const mayChange = mayAct(role, "member");
  const actions = { ...ACTIONS, ...(mayAct(role, "admin") && { byHand: BY_HAND }) };
  const appId = ctx.app.id;
  const base = `/dashboard/apps/${appId}`;
  const path = `${base}/campaigns/${campaign.id}`;
  const { data, nextCursor } = await listInfluencers(ctx, campaign.id, { cursor, sort, limit: PAGE });
  const add = mayChange && campaign.status !== "ended" && (
    <AddInfluencer
      appId={appId}
      campaignId={campaign.id}
      action={createInfluencerAction}
      check={metacodeStateQuery}
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
          sorting={{ by: sort, href: (by) => listHref(path, { sort: by }) }}
        />
      ) : (
        <EmptyState
          icon={UserRound}
          title="No influencers yet"
          action={add || <NextStep href={`${base}/referrers`}>Open referrers</NextStep>}
        >
          Each influencer has a metacode and a link to share.
        </EmptyState>
      )}
      <Pager
        path={path}
        query={{ cursor, sort }}
        nextCursor={nextCursor}
        shown={data.length}
        size={PAGE}
        order={sort ? "other" : "time"}
      />
    </section>
  );
}
