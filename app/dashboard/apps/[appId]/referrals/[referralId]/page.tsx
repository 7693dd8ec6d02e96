import type { Metadata } from "next";
import Link from "next/link";
import { PageHeader } from "@/components/dashboard/page-header";
import { ReferralFacts } from "@/components/referral/referral-facts";
import { ReferralTimeline } from "@/components/referral/referral-timeline";
import { ReferralBadge } from "@/components/referral/status-badge";
import { SupportActions } from "@/components/referral/support-actions";
import { Section } from "@/components/ui/section";
import { unlinkedSince } from "@/lib/confirmations/unlinked";
import { mayAct } from "@/lib/contract/roles";
import { getReferral } from "@/lib/referrals/get";
import { orNotFound, personContext } from "@/lib/session/context";
import {
  linkEventAction,
  replaceCodeAction,
  restoreReferralAction,
  revealCodeAction,
  reverseReferralAction,
} from "./actions";

interface Props {
  params: Promise<{ appId: string; referralId: string }>;
}

export const metadata: Metadata = { title: "Referral" };

export default async function ReferralPage({ params }: Props) {
  const { appId, referralId } = await params;
  const { ctx, app, role } = await personContext(appId);
  const referral = await orNotFound(getReferral(ctx, referralId));
  const waiting = referral.status === "code_assigned" && mayAct(role, "member");
  const events = waiting ? await unlinkedSince(ctx, referral.createdAt) : [];
  const base = `/dashboard/apps/${app.id}`;
  return (
    <>
      <PageHeader
        title={
          <span className="flex flex-wrap items-center gap-2.5">
            <span className="break-all">{referral.refereeUid ?? "A click"}</span>
            <ReferralBadge status={referral.status} />
          </span>
        }
        action={
          mayAct(role, "member") && (
            <SupportActions
              appId={app.id}
              referral={referral}
              events={events}
              actions={{
                replace: replaceCodeAction,
                reveal: mayAct(role, "admin") ? revealCodeAction : undefined,
                reverse: reverseReferralAction,
                restore: restoreReferralAction,
                link: linkEventAction,
              }}
            />
          )
        }
      >
        <Link href={`${base}/referrals`} className="underline hover:text-ink">
          Referrals
        </Link>
      </PageHeader>
      <ReferralFacts base={base} referral={referral} />
      <Section title="What happened" hint="Oldest first.">
        <ReferralTimeline base={base} moments={referral.moments} />
      </Section>
    </>
  );
}
