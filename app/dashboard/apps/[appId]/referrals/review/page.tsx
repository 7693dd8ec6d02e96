import { CircleCheck } from "lucide-react";
import type { Metadata } from "next";
import { ReferralTabs } from "@/components/referral/labels";
import { ReviewBulkBar } from "@/components/referral/referral-bulk-bar";
import { ReviewTable } from "@/components/referral/referral-table";
import { Colleagues, EmptyState } from "@/components/ui/empty-state";
import { Filter, Filters, SearchBox } from "@/components/ui/filters";
import { NextStep } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { listHref, Pager } from "@/components/ui/pager";
import { type ReviewQuery, reviewQuery } from "@/lib/contract/referral-list";
import { mayAct } from "@/lib/contract/workspace";
import { listReviews } from "@/lib/program/referrals/review";
import { appContext } from "@/lib/web/session/context";
import { approveManyAction, dismissManyAction } from "../actions";

interface Props {
  params: Promise<{ appId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The text of a list without rows: on a later page whose rows were decided meanwhile, after a search, or in general. */
function emptyText({ q, cursor, state }: ReviewQuery, reviews: boolean) {
  if (cursor) return { title: "No more redemptions", text: "To see the others, choose “First page” below." };
  if (q) return { title: "No matching redemptions", text: "Check the user ID, or choose another status." };
  return {
    title: state ? "No dismissed redemptions" : "Nothing to review",
    text: reviews
      ? "Redemptions beyond the limit of a referrer or of an address are listed here."
      : "Redemptions beyond a limit are refused. To review them instead, change that in the settings.",
  };
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `For review · ${(await appContext((await params).appId)).app.name}` };
}

export default async function ReviewPage({ params, searchParams }: Props) {
  const { ctx, app, workspace, role } = await appContext((await params).appId);
  const query = reviewQuery.parse(await searchParams);
  const page = await listReviews(ctx, query);
  const base = `/dashboard/apps/${app.id}`;
  const path = `${base}/referrals/review`;
  const selectable = mayAct(role, "support");
  const empty = emptyText(query, app.reviewsBeyondCaps);
  return (
    <>
      <PageHeader title="Referrals">
        Redemptions beyond a limit, held until you approve or dismiss them. After 30 days they are removed.
      </PageHeader>
      <ReferralTabs path={`${base}/referrals`} />
      <Filters>
        <SearchBox name="q" label="Search redemptions" value={query.q} placeholder="Referee’s user ID" />
        <Filter
          name="state"
          label="Status"
          value={query.state}
          choices={[{ value: "dismissed", name: "Dismissed" }]}
          all="Waiting for a review"
        />
      </Filters>
      <Colleagues of={workspace} role={role} needs="support" may="approve and dismiss these redemptions" />
      {page.data.length > 0 ? (
        <>
          {selectable && (
            <ReviewBulkBar
              key={listHref(path, query)}
              appId={app.id}
              approve={approveManyAction}
              dismiss={query.state ? undefined : dismissManyAction}
            />
          )}
          <ReviewTable base={base} rows={page.data} selectable={selectable} />
        </>
      ) : (
        <EmptyState
          icon={CircleCheck}
          title={empty.title}
          action={
            query.q ? (
              <NextStep href={listHref(path, { state: query.state })}>Show all redemptions</NextStep>
            ) : app.reviewsBeyondCaps ? (
              <NextStep href={`${base}/referrals`}>Open referrals</NextStep>
            ) : (
              <NextStep href={`${base}/settings/rules`}>Open retries and fraud</NextStep>
            )
          }
        >
          {empty.text}
        </EmptyState>
      )}
      <Pager path={path} query={query} nextCursor={page.nextCursor} shown={page.data.length} order="other" />
    </>
  );
}
