import type { Metadata } from "next";
import Link from "next/link";
import { PageHeader } from "@/components/dashboard/page-header";
import { ReferralTable } from "@/components/referral/referral-table";
import { MetacodeForm } from "@/components/referrer/metacode-form";
import { NotesForm } from "@/components/referrer/notes-form";
import { Part } from "@/components/referrer/part";
import { ProgressCards } from "@/components/referrer/progress-cards";
import { ReferrerFacts } from "@/components/referrer/referrer-facts";
import { ReferrerTimeline } from "@/components/referrer/referrer-timeline";
import { RewardList } from "@/components/referrer/reward-list";
import { StatusActions } from "@/components/referrer/status-actions";
import { ReferrerBadge } from "@/components/referrer/status-badge";
import { Callout } from "@/components/ui/callout";
import { Section } from "@/components/ui/section";
import { referralFilters } from "@/lib/contract/referral-list";
import { mayAct } from "@/lib/contract/roles";
import { listReferrals } from "@/lib/referrals/list";
import { getReferrer } from "@/lib/referrers/get";
import { referrerTimeline } from "@/lib/referrers/timeline";
import { rewardsOfReferrer } from "@/lib/rewards/of-referrer";
import { orNotFound, personContext } from "@/lib/session/context";
import { replaceCodeAction, revealCodeAction } from "../../referrals/[referralId]/actions";
import { checkMetacodeAction, setMetacodeAction, setNotesAction, setStatusAction } from "./actions";

interface Props {
  params: Promise<{ appId: string; referrerId: string }>;
}

export const metadata: Metadata = { title: "Referrer" };

const NEWEST = 10;

export default async function ReferrerPage({ params }: Props) {
  const { appId, referrerId } = await params;
  const { ctx, app, role } = await personContext(appId);
  const referrer = await orNotFound(getReferrer(ctx, referrerId));
  const [newest, rewards] = await Promise.all([
    listReferrals(ctx, referralFilters.parse({ referrer: referrer.id }), NEWEST),
    rewardsOfReferrer(ctx, referrer.id),
  ]);
  const moments = await referrerTimeline(ctx, referrer, { referrals: newest.data, rewards });
  const base = `/dashboard/apps/${app.id}`;
  const one = { appId: app.id, referrerId: referrer.id };
  const { metacode, status, notes } = referrer;
  const may = mayAct(role, "member");
  return (
    <>
      <PageHeader
        title={
          <span className="flex flex-wrap items-center gap-2.5">
            <span className="break-all">{referrer.name ?? referrer.uid}</span>
            <ReferrerBadge status={status} />
          </span>
        }
        action={
          may && <StatusActions {...one} action={setStatusAction} metacode={metacode} status={status} />
        }
      >
        <Link href={`${base}/referrers`} className="underline hover:text-ink">
          Referrers
        </Link>
      </PageHeader>
      {referrer.shown !== status && (
        <Callout tone="warn">
          <p>
            The campaign is {referrer.shown}, so the app is told that this referrer is {referrer.shown}.
          </p>
        </Callout>
      )}
      <ProgressCards referrer={referrer} />
      <ReferrerFacts base={base} referrer={referrer} />
      <Part
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
          <ReferralTable base={base} label="Newest referrals" rows={newest.data} withReferrer={false} />
        ) : (
          <p className="text-sm text-muted">Nobody has entered this metacode yet.</p>
        )}
      </Part>
      <Part title="Rewards">
        <RewardList
          appId={app.id}
          rewards={rewards}
          actions={{
            replace: may ? replaceCodeAction : undefined,
            reveal: mayAct(role, "admin") ? revealCodeAction : undefined,
          }}
        />
      </Part>
      {may && (
        <Section title="Metacode and notes">
          {status !== "ended" && (
            <MetacodeForm
              {...one}
              action={setMetacodeAction}
              check={checkMetacodeAction}
              metacode={metacode}
            />
          )}
          <NotesForm {...one} action={setNotesAction} notes={notes} />
        </Section>
      )}
      {!may && notes && (
        <Section title="Notes">
          <p className="text-sm whitespace-pre-wrap">{notes}</p>
        </Section>
      )}
      <Section title="What happened" hint="Newest first.">
        <ReferrerTimeline base={base} moments={moments} />
      </Section>
    </>
  );
}
