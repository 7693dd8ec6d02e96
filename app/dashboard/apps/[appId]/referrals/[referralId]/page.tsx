import type { Metadata } from "next";
import { Doctor } from "@/components/referral/doctor";
import { ReferralBadge } from "@/components/referral/labels";
import { ReferralFacts } from "@/components/referral/referral-facts";
import { ReferralTimeline } from "@/components/referral/referral-timeline";
import { SupportActions } from "@/components/referral/support-actions";
import { Colleagues } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { Section } from "@/components/ui/section";
import { timelineHint } from "@/lib/contract/audit";
import { ERASED_UID, shownUid } from "@/lib/contract/influencer";
import { mayAct } from "@/lib/contract/workspace";
import { listUnmatchedSince } from "@/lib/program/confirmations/list";
import { diagnoseReferral } from "@/lib/program/referrals/doctor-facts";
import { getReferral } from "@/lib/program/referrals/get";
import { appContext, orNotFound } from "@/lib/web/session/context";
import {
  confirmByHandAction,
  linkEventAction,
  releaseAction,
  replaceCodeAction,
  restoreReferralAction,
  revealCodeAction,
  reverseReferralAction,
  unlinkEventAction,
} from "./actions";

interface Props {
  params: Promise<{ appId: string; referralId: string }>;
}

export const metadata: Metadata = { title: "Referral" };

export default async function ReferralPage({ params }: Props) {
  const { appId, referralId } = await params;
  const { ctx, app, workspace, role } = await appContext(appId);
  const referral = await orNotFound(getReferral(ctx, referralId));
  const { status, createdAt, platform } = referral;
  const events =
    status === "code_assigned" && platform ? await listUnmatchedSince(ctx, createdAt, platform) : [];
  const findings = await diagnoseReferral(ctx, referral, events);
  const base = `/dashboard/apps/${app.id}`;
  return (
    <>
      <PageHeader
        trail={[{ href: `${base}/referrals`, name: "Referrals" }]}
        title={
          <span className="flex flex-wrap items-center gap-2.5">
            <span className="wrap-anywhere">
              {referral.refereeUid ? (shownUid(referral.refereeUid) ?? ERASED_UID) : "Click"}
            </span>
            <ReferralBadge status={referral.status} />
          </span>
        }
        action={
          mayAct(role, "support") && (
            <SupportActions
              appId={app.id}
              retryHours={app.retryWindowHours}
              referral={referral}
              events={events}
              actions={{
                replace: replaceCodeAction,
                reveal: mayAct(role, "admin") ? revealCodeAction : undefined,
                reverse: reverseReferralAction,
                restore: restoreReferralAction,
                link: linkEventAction,
                unlink: unlinkEventAction,
                confirm: confirmByHandAction,
                release: releaseAction,
              }}
            />
          )
        }
      />
      <Doctor base={base} findings={findings} />
      <Colleagues
        of={workspace}
        role={role}
        needs="support"
        may="confirm, link, release or reverse this referral and replace its code"
      />
      <ReferralFacts base={base} referral={referral} />
      <Section title="Timeline" hint={timelineHint("Oldest first.", referral.timeline)}>
        <ReferralTimeline base={base} entries={referral.timeline} />
      </Section>
    </>
  );
}
