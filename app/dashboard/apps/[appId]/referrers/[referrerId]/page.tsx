import type { Metadata } from "next";
import { ReferralBulkBar } from "@/components/referral/referral-bulk-bar";
import { ReferralTable } from "@/components/referral/referral-table";
import { GoodwillReward } from "@/components/referrer/goodwill";
import { ReferrerBadge } from "@/components/referrer/labels";
import { ProgressCards, ReferrerFacts } from "@/components/referrer/referrer-facts";
import { MetacodeForm, NotesForm } from "@/components/referrer/referrer-forms";
import { ReferrerTimeline } from "@/components/referrer/referrer-timeline";
import { RewardList } from "@/components/referrer/reward-list";
import { StatusActions } from "@/components/referrer/status-actions";
import { Callout } from "@/components/ui/callout";
import { Colleagues } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { Pager } from "@/components/ui/pager";
import { ListSection, Section } from "@/components/ui/section";
import { timelineHint } from "@/lib/contract/audit";
import { listCursor } from "@/lib/contract/fields";
import { isErased, shownUid } from "@/lib/contract/influencer";
import { referralQuery } from "@/lib/contract/referral-list";
import { mayAct } from "@/lib/contract/workspace";
import { listReferrals } from "@/lib/program/referrals/list";
import { getReferrer, referrerTimeline } from "@/lib/program/referrers/get";
import { countRewards } from "@/lib/program/rewards/by-hand";
import { listRewards } from "@/lib/program/rewards/list";
import { appContext, orNotFound } from "@/lib/web/session/context";
import { replaceCodeAction, revealCodeAction } from "../../referrals/[referralId]/actions";
import { releaseManyAction, restoreManyAction, reverseManyAction } from "../../referrals/actions";
import {
  checkMetacodeAction,
  goodwillAction,
  restoreRewardAction,
  updateMetacodeAction,
  updateNotesAction,
  updateStatusAction,
  withdrawRewardAction,
} from "./actions";

interface Props {
  params: Promise<{ appId: string; referrerId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export const metadata: Metadata = { title: "Referrer" };

const NEWEST = 25;

export default async function ReferrerPage({ params, searchParams }: Props) {
  const { appId, referrerId } = await params;
  const { ctx, app, workspace, role } = await appContext(appId);
  const referrer = await orNotFound(getReferrer(ctx, referrerId));
  const cursor = listCursor.parse((await searchParams).cursor);
  const [newest, newestRewards, granted] = await Promise.all([
    listReferrals(ctx, referralQuery.parse({ referrer: referrer.id }), NEWEST),
    listRewards(ctx, referrer.id),
    countRewards(ctx, referrer.id, "goodwill"),
  ]);
  const { data: rewards, nextCursor } = cursor ? await listRewards(ctx, referrer.id, cursor) : newestRewards;
  const inTimeline = cursor ? [...newestRewards.data, ...rewards] : rewards;
  const shown = { referrals: newest.data, rewards: inTimeline };
  const timeline = await referrerTimeline(ctx, referrer, shown);
  const base = `/dashboard/apps/${app.id}`;
  const ids = { appId: app.id, referrerId: referrer.id };
  const { metacode, status, notes, inCampaign } = referrer;
  const may = mayAct(role, "member");
  const helps = mayAct(role, "support");
  const claims = helps && !isErased(referrer.uid);
  return (
    <>
      <PageHeader
        trail={[{ href: `${base}/referrers`, name: "Referrers" }]}
        title={
          <span className="flex flex-wrap items-center gap-2.5">
            <span className="wrap-anywhere">{referrer.name ?? shownUid(referrer.uid) ?? metacode}</span>
            <ReferrerBadge status={status} />
          </span>
        }
        action={
          may && <StatusActions {...ids} action={updateStatusAction} metacode={metacode} status={status} />
        }
      />
      {referrer.shown !== status && (
        <Callout tone="warn">
          <p>
            The campaign {referrer.shown === "ended" ? "has ended" : `is ${referrer.shown}`}, so your app sees
            this referrer as {referrer.shown}.
          </p>
        </Callout>
      )}
      <ProgressCards referrer={referrer} />
      <ReferrerFacts base={base} referrer={referrer} />
      <ListSection
        title="Referrals"
        action={
          newest.data.length > 0 && (
            <Link
              href={`${base}/referrals?referrer=${referrer.id}`}
              className="text-sm underline hover:text-muted"
            >
              All referrals
            </Link>
          )
        }
      >
        {newest.data.length > 0 ? (
          <>
            {helps && (
              <ReferralBulkBar
                appId={app.id}
                reverse={reverseManyAction}
                restore={restoreManyAction}
                release={releaseManyAction}
              />
            )}
            <ReferralTable
              base={base}
              label="Newest referrals"
              rows={newest.data}
              withReferrer={false}
              selectable={helps}
            />
          </>
        ) : (
          <p className="text-sm text-muted">
            No friend has entered this metacode yet. The referrer shares the link above.
          </p>
        )}
      </ListSection>
      <ListSection
        title="Rewards"
        action={
          may &&
          !referrer.influencer &&
          referrer.shown !== "ended" &&
          inCampaign.length > 0 && (
            <GoodwillReward {...ids} action={goodwillAction} granted={granted} platforms={inCampaign} />
          )
        }
      >
        {rewards.length > 0 ? (
          <RewardList
            appId={app.id}
            retryHours={app.retryWindowHours}
            uid={referrer.uid}
            rewards={rewards}
            actions={{
              replace: helps ? replaceCodeAction : undefined,
              reveal: mayAct(role, "admin") ? revealCodeAction : undefined,
              withdraw: claims ? withdrawRewardAction : undefined,
              restore: claims ? restoreRewardAction : undefined,
            }}
          />
        ) : referrer.influencer ? (
          <p className="text-sm text-muted">No rewards yet. An admin grants them on the campaign’s page.</p>
        ) : (
          <p className="text-sm text-muted">
            No rewards earned yet. The{" "}
            <Link href={`${base}/campaigns`} className="underline underline-offset-2">
              campaign
            </Link>{" "}
            sets how many confirmed referrals earn one.
          </p>
        )}
        <Pager
          path={`${base}/referrers/${referrer.id}`}
          query={{ cursor }}
          nextCursor={nextCursor}
          shown={rewards.length}
        />
      </ListSection>
      {helps && (
        <Section title={may ? "Metacode and notes" : "Notes"}>
          {may && status !== "ended" && (
            <MetacodeForm
              {...ids}
              action={updateMetacodeAction}
              check={checkMetacodeAction}
              metacode={metacode}
            />
          )}
          <NotesForm {...ids} action={updateNotesAction} notes={notes} />
        </Section>
      )}
      {!helps && notes && (
        <Section title="Notes">
          <p className="text-sm whitespace-pre-wrap">{notes}</p>
        </Section>
      )}
      <Colleagues
        of={workspace}
        role={role}
        needs="support"
        may="reverse referrals, replace codes and withdraw rewards"
      />
      <Colleagues
        of={workspace}
        role={role}
        needs="member"
        may="pause or end this referrer, change the metacode and grant a goodwill reward"
      />
      <Section title="Timeline" hint={timelineHint("Newest first.", timeline)}>
        <ReferrerTimeline base={base} entries={timeline} />
      </Section>
    </>
  );
}
