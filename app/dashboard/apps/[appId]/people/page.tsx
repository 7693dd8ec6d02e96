import { UserRound } from "lucide-react";
import type { Metadata } from "next";
import { PersonDeliveries, ReplacedCodes, UndoneSteps } from "@/components/person/deliveries";
import { PersonEvents } from "@/components/person/events";
import { PersonFacts } from "@/components/person/facts";
import { JoinUids, MeantUid } from "@/components/person/join";
import { PersonRequests } from "@/components/person/requests";
import { ReferralTable } from "@/components/referral/referral-table";
import { EditNotes } from "@/components/referrer/referrer-forms";
import { RewardList } from "@/components/referrer/reward-list";
import { EndUserForm } from "@/components/settings/end-user-form";
import { SearchButton } from "@/components/shell/open-shell";
import { Colleagues, EmptyLists, EmptyState, PartialHint } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { ListSection, Section } from "@/components/ui/section";
import { AuditList } from "@/components/workspace/audit-list";
import { isErased, userLabel } from "@/lib/contract/influencer";
import { type PersonView, personQuery } from "@/lib/contract/person";
import { mayAct } from "@/lib/contract/workspace";
import { getPerson, isUnknown } from "@/lib/outward/person/get";
import { findSpelling } from "@/lib/program/end-users/join";
import { appContext } from "@/lib/web/session/context";
import { eraseEndUserAction, exportEndUserAction } from "../settings/actions";
import { joinUidsAction, updateUserNotesAction } from "./actions";

interface Props {
  params: Promise<{ appId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export const metadata: Metadata = { title: "User" };

export default async function PersonPage({ params, searchParams }: Props) {
  const { ctx, app, workspace, role } = await appContext((await params).appId);
  const { uid } = personQuery.parse(await searchParams);
  if (!uid) return <NoUser />;
  const person = await getPerson(ctx, uid, mayAct(role, "admin"));
  const unknown = isUnknown(person);
  const meant = unknown && (await findSpelling(ctx, uid));
  const base = `/dashboard/apps/${app.id}`;
  const ids = { appId: app.id, uid };
  const user = { ...ids, others: person.aliases };
  const notes = person.notes.find((row) => row.uid === uid)?.notes ?? null;
  return (
    <>
      <PageHeader
        title={<span className="wrap-anywhere">{userLabel(uid)}</span>}
        action={
          mayAct(role, "support") &&
          !isErased(uid) && (
            <div className="flex flex-wrap gap-2">
              <EditNotes {...ids} action={updateUserNotesAction} notes={notes} />
              <JoinUids {...ids} action={joinUidsAction} />
            </div>
          )
        }
      >
        The referrals, rewards, requests and provider events of this user.
      </PageHeader>
      {unknown ? (
        <EmptyState icon={UserRound} title="Nothing is known about this user" action={<SearchButton />}>
          No stored request, no provider, no referral and no recent change has this ID.{" "}
          {meant && <MeantUid base={base} uid={meant} />}
          Search for another ID, or a metacode.
        </EmptyState>
      ) : (
        <>
          <PersonFacts base={base} person={person} />
          <Parts base={base} appId={app.id} person={person} />
          {mayAct(role, "owner") && !isErased(uid) && (
            <Section
              title="Export or erase"
              hint="For requests to see or delete personal data."
              tone="danger"
            >
              <EndUserForm {...user} exportAction={exportEndUserAction} eraseAction={eraseEndUserAction} />
            </Section>
          )}
          <Colleagues of={workspace} role={role} needs="owner" may="export or erase this user’s data here" />
        </>
      )}
    </>
  );
}

/** The page while no user is chosen, with a button to search for one. */
function NoUser() {
  return (
    <>
      <PageHeader title="Users">The referrals, rewards, requests and provider events of one user.</PageHeader>
      <EmptyState icon={UserRound} title="No user is chosen" action={<SearchButton />}>
        Search for a user ID, a metacode, a promo code, a request ID, or a provider’s purchase or event ID.
      </EmptyState>
    </>
  );
}

/** The lists with rows, and the titles of the empty ones. */
function Parts({ base, appId, person }: { base: string; appId: string; person: PersonView }) {
  const { uid, referrals, undone, rewards, replaced, requests, events, deliveries, audit } = person;
  const parts = [
    ["As a referee", "referrals", <ReferralTable key="1" base={base} label="Referrals" rows={referrals} />],
    ["Undone by your team", "undone", <UndoneSteps key="2" undone={undone} />],
    ["Rewards", "rewards", <RewardList key="3" {...{ appId, uid, rewards }} actions={{}} />],
    ["Replaced codes", "replaced", <ReplacedCodes key="4" replaced={replaced} />],
    ["Recent and refused requests", "requests", <PersonRequests key="5" base={base} requests={requests} />],
    ["Provider events", "events", <PersonEvents key="6" base={base} events={events} />],
    ["Webhooks", "deliveries", <PersonDeliveries key="7" base={base} deliveries={deliveries} />],
    ["Audit log", "audit", <AuditList key="8" lines={audit} />],
  ] as const;
  const owners = person.referrers.map(({ id, metacode }) => {
    return { href: `${base}/referrers/${id}`, name: `All rewards of ${metacode}` };
  });
  const empty = parts.filter(([, part]) => person[part].length === 0);
  return (
    <>
      {parts.map(([title, part, list]) =>
        person[part].length > 0 ? (
          <ListSection key={title} title={title}>
            <PartialHint listed={person.partial[part]} pages={part === "rewards" ? owners : []} />
            {list}
          </ListSection>
        ) : null,
      )}
      <EmptyLists lists={empty.map(([title, part]) => ({ title, searched: person.partial[part] }))} />
    </>
  );
}
