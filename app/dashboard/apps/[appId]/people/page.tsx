import { UserRound } from "lucide-react";
import type { Metadata } from "next";
import type { ReactNode } from "react";
import { PersonDeliveries, ReplacedCodes, UndoneSteps } from "@/components/person/deliveries";
import { PersonEvents } from "@/components/person/events";
import { PersonFacts } from "@/components/person/facts";
import { JoinUids } from "@/components/person/join";
import { PersonRequests } from "@/components/person/requests";
import { ReferralTable } from "@/components/referral/referral-table";
import { RewardList } from "@/components/referrer/reward-list";
import { EndUserForm } from "@/components/settings/end-user-form";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { ListSection, Section } from "@/components/ui/section";
import { AuditList } from "@/components/workspace/audit-list";
import { personQuery } from "@/lib/contract/person";
import { mayAct } from "@/lib/contract/workspace";
import { getPerson, isUnknown } from "@/lib/outward/person/get";
import { appContext } from "@/lib/web/session/context";
import { eraseEndUserAction, exportEndUserAction } from "../settings/actions";
import { joinUidsAction } from "./actions";

interface Props {
  params: Promise<{ appId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export const metadata: Metadata = { title: "User" };

export default async function PersonPage({ params, searchParams }: Props) {
  const { ctx, app, role } = await appContext((await params).appId);
  const { uid } = personQuery.parse(await searchParams);
  if (!uid) return <NoUser />;
  const person = await getPerson(ctx, uid);
  const base = `/dashboard/apps/${app.id}`;
  return (
    <>
      <PageHeader
        title={<span className="break-all">{uid}</span>}
        action={mayAct(role, "support") && <JoinUids action={joinUidsAction} appId={app.id} uid={uid} />}
      >
        Everything that this app knows about a user: as a referrer, as a referee, in requests and at
        providers.
      </PageHeader>
      {isUnknown(person) ? (
        <EmptyState icon={UserRound} title="Nothing is known about this user">
          No request of the last seven days, no provider and no referral has this ID.
        </EmptyState>
      ) : (
        <>
          <PersonFacts base={base} person={person} />
          <Part title="As a referee" rows={person.referrals}>
            <ReferralTable base={base} label="Referrals" rows={person.referrals} />
          </Part>
          <Part title="Undone by your team" rows={person.undone}>
            <UndoneSteps undone={person.undone} />
          </Part>
          <Part title="Rewards" rows={person.rewards}>
            <RewardList appId={app.id} rewards={person.rewards} actions={{}} />
          </Part>
          <Part title="Replaced codes" rows={person.replaced}>
            <ReplacedCodes replaced={person.replaced} />
          </Part>
          <Part title="Requests of the last seven days" rows={person.requests}>
            <PersonRequests base={base} requests={person.requests} />
          </Part>
          <Part title="Provider events" rows={person.events}>
            <PersonEvents base={base} events={person.events} />
          </Part>
          <Part title="Webhooks" rows={person.deliveries}>
            <PersonDeliveries base={base} deliveries={person.deliveries} />
          </Part>
          <Part title="Audit log" rows={person.audit}>
            <AuditList lines={person.audit} />
          </Part>
          {mayAct(role, "owner") && (
            <Section
              title="Export or erase"
              hint="For requests to see or delete personal data."
              tone="danger"
            >
              <EndUserForm
                appId={app.id}
                uid={uid}
                exportAction={exportEndUserAction}
                eraseAction={eraseEndUserAction}
              />
            </Section>
          )}
        </>
      )}
    </>
  );
}

/** The page without a user, whom the search finds. */
function NoUser() {
  return (
    <>
      <PageHeader title="Users">Everything that this app knows about one of its users.</PageHeader>
      <EmptyState icon={UserRound} title="No user is chosen">
        Press Ctrl K or ⌘ K, and enter a user ID, a metacode, a promo code or a request ID.
      </EmptyState>
    </>
  );
}

/** A list with its title; a line of text where it is empty. */
function Part({ title, rows, children }: { title: string; rows: readonly unknown[]; children: ReactNode }) {
  return (
    <ListSection title={title}>
      {rows.length > 0 ? children : <p className="text-sm text-muted">None.</p>}
    </ListSection>
  );
}
