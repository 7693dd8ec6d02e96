import type { ListedApp } from "@/bench/lists/seed";
import { listAudit } from "@/lib/audit/list";
import { getBatch } from "@/lib/codes/get-batch";
import { listCodes } from "@/lib/codes/list-codes";
import { listEvents, listUnmatched } from "@/lib/confirmations/list";
import type { Context, WorkspaceContext } from "@/lib/context";
import { auditFilters } from "@/lib/contract/audit";
import { referralFilters } from "@/lib/contract/referral-list";
import { referrerFilters } from "@/lib/contract/referrer-list";
import { requestFilters } from "@/lib/contract/request-line";
import type { Paged } from "@/lib/page";
import { listReferrals } from "@/lib/referrals/list";
import { findPeople } from "@/lib/referrers/find";
import { listReferrers } from "@/lib/referrers/list";
import { listRequests } from "@/lib/requests/list";

/** Somebody who looks at a seeded app. */
export interface Viewer {
  ctx: Context;
  office: WorkspaceContext;
  listed: ListedApp;
}

type Page = (viewer: Viewer) => Promise<Paged<unknown>>;

const referrers =
  (query: object): Page =>
  ({ ctx }) =>
    listReferrers(ctx, referrerFilters.parse(query));

const referrals =
  (query: object): Page =>
  ({ ctx }) =>
    listReferrals(ctx, referralFilters.parse(query));

const requests =
  (query: object): Page =>
  ({ ctx }) =>
    listRequests(ctx, requestFilters.parse(query));

const audit =
  (query: object): Page =>
  ({ office }) =>
    listAudit(office, auditFilters.parse(query));

const codes =
  (status?: "assigned"): Page =>
  async ({ ctx, listed }) =>
    listCodes(ctx, await getBatch(ctx, listed.batch), { status });

/** The lists of the dashboard, each by its first page and by pages that are searched or filtered. */
export const LISTS: Record<string, Page> = {
  referrers: referrers({}),
  "referrers, paused": referrers({ status: "paused" }),
  "referrers, a uid's beginning": referrers({ q: "user-9" }),
  "referrers, a name's beginning": referrers({ q: "name 9" }),
  referrals: referrals({}),
  "referrals, reversed": referrals({ status: "reversed" }),
  "referrals, other platform in 7 days": referrals({ platform: "android", period: "7d" }),
  "referrals, a uid's beginning": referrals({ q: "guest-9" }),
  requests: requests({}),
  "requests, refused": requests({ outcome: "refused" }),
  "audit log": audit({}),
  "audit log, campaigns": audit({ q: "paused" }),
  "provider events": ({ ctx, listed }) => listEvents(ctx, { connectionId: listed.connection }),
  "provider events, unmatched": ({ ctx, listed }) =>
    listEvents(ctx, { connectionId: listed.connection, verdict: "unmatched" }),
  "unmatched events": ({ ctx }) => listUnmatched(ctx),
  "codes of a batch": codes(),
  "codes of a batch, given": codes("assigned"),
  "search field": async ({ ctx }) => ({ data: await findPeople(ctx, "user-77"), nextCursor: null }),
};
