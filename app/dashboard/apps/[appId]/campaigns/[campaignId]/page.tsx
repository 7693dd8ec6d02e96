import type { Metadata } from "next";
import { CampaignFunnel, CampaignRules } from "@/components/campaign/campaign-facts";
import { CampaignStatus } from "@/components/campaign/campaign-labels";
import { Lifecycle } from "@/components/campaign/lifecycle";
import { GrantingNotice, MissingNotice } from "@/components/campaign/notices";
import { AuditTimelineEntry } from "@/components/referral/referral-timeline";
import { PageHeader } from "@/components/ui/page-header";
import { Section } from "@/components/ui/section";
import { referrerQuery } from "@/lib/contract/referrer-list";
import { mayAct } from "@/lib/contract/workspace";
import { campaignFigures, outlookOf } from "@/lib/program/campaigns/outlook";
import { readinessOf } from "@/lib/program/campaigns/readiness";
import { auditOfSubject } from "@/lib/tenants/audit/list";
import {
  activateCampaignAction,
  duplicateCampaignAction,
  endCampaignAction,
  pauseCampaignAction,
  resumeCampaignAction,
} from "../actions";
import { campaignContext } from "./context";
import { Influencers } from "./influencers";

interface Props {
  params: Promise<{ appId: string; campaignId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await campaignContext(await params)).campaign.name };
}

export default async function CampaignPage({ params, searchParams }: Props) {
  const { ctx, app, workspace, role, campaign } = await campaignContext(await params);
  const { cursor, sort } = referrerQuery.parse(await searchParams);
  const mayChange = mayAct(role, "member");
  const [outlook, readiness, figuresOf, { data: audit, nextCursor: older }] = await Promise.all([
    outlookOf(ctx, campaign),
    readinessOf(ctx, campaign),
    campaignFigures(ctx),
    auditOfSubject(ctx, campaign.id),
  ]);
  const base = `/dashboard/apps/${app.id}`;
  const reader = { appId: app.id, workspaceId: workspace.id, role };
  const missing = <MissingNotice readiness={readiness} reader={reader} campaign={campaign} />;
  return (
    <>
      <PageHeader
        trail={[{ href: `${base}/campaigns`, name: "Campaigns" }]}
        title={
          <span className="flex flex-wrap items-center gap-3">
            <span className="wrap-anywhere">{campaign.name}</span>
            <CampaignStatus campaign={campaign} />
          </span>
        }
        action={
          mayChange && (
            <Lifecycle
              appId={app.id}
              edit={`${base}/campaigns/${campaign.id}/edit`}
              actions={{
                start: campaign.status === "draft" ? activateCampaignAction : resumeCampaignAction,
                pause: pauseCampaignAction,
                end: endCampaignAction,
                duplicate: duplicateCampaignAction,
              }}
              campaign={campaign}
              outlook={outlook}
              readiness={readiness}
              missing={missing}
            />
          )
        }
      />
      <GrantingNotice campaign={campaign} />
      {campaign.status !== "ended" && missing}
      <CampaignFunnel figures={figuresOf(campaign.id)} />
      {campaign.type === "influencer" && (
        <Influencers ctx={ctx} campaign={campaign} role={role} cursor={cursor} sort={sort} />
      )}
      <CampaignRules campaign={campaign} readiness={readiness} pools={`${base}/codes/pools`} />
      {(audit.length > 0 || older !== null) && (
        <Section
          title="Changes"
          hint={`Newest first.${older === null ? "" : " Older ones may be in the workspace’s audit log."}`}
        >
          {audit.length === 0 && <p className="text-sm text-muted">None among the newest 10,000 entries.</p>}
          {audit.length > 0 && (
            <ol aria-label="Changes">
              {audit.map((entry) => (
                <AuditTimelineEntry key={entry.id} entry={entry} />
              ))}
            </ol>
          )}
        </Section>
      )}
    </>
  );
}
