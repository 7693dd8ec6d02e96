import type { ListedApp } from "@/bench/lists/seed";
import { auditFilters } from "@/lib/contract/audit";
import { referralQuery } from "@/lib/contract/referral-list";
import { referrerQuery } from "@/lib/contract/referrer-list";
import { requestFilters } from "@/lib/contract/request-line";
import { listRequests } from "@/lib/outward/request-log/list";
import type { Paged } from "@/lib/platform/pagination";
import { getBatch } from "@/lib/program/codes/get-batch";
import { listCodes } from "@/lib/program/codes/list-codes";
import { listEvents, listUnmatched } from "@/lib/program/confirmations/list";
import { listReferrals } from "@/lib/program/referrals/list";
import { findEndUsers } from "@/lib/program/referrers/find";
import { listReferrers } from "@/lib/program/referrers/list";
import { listAudit } from "@/lib/tenants/audit/list";
import type { Context, WorkspaceContext } from "@/lib/tenants/context";

/** A member who looks at a seeded app. */
export interface Viewer {
  ctx: Context;
  workspaceContext: WorkspaceContext;
  listed: ListedApp;
}

type Page = (viewer: Viewer) => Promise<Paged<unknown>>;

const referrers =
  (query: object): Page =>
  ({ ctx }) =>
    listReferrers(ctx, referrerQuery.parse(query));

const referrals =
  (query: object): Page =>
  ({ ctx }) =>
    listReferrals(ctx, referralQuery.parse(query));

const requests =
  (query: object): Page =>
  ({ ctx }) =>
    listRequests(ctx, requestFilters.parse(query));

const audit =
  (query: object): Page =>
  ({ workspaceContext }) =>
    listAudit(workspaceContext, auditFilters.parse(query));

const codes =
  (status?: "assigned"): Page =>
  async ({ ctx, listed }) =>
    listCodes(ctx, await getBatch(ctx, listed.batch), { status });

/** The lists of the dashboard: their first pages, and searched or filtered ones. */
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
  "codes of a batch, assigned": codes("assigned"),
  "search field": async ({ ctx }) => ({ data: await findEndUsers(ctx, "user-77"), nextCursor: null }),
};
