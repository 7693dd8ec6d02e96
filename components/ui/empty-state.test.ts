import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import DashboardPage from "@/app/dashboard/page";
import { ChannelList } from "@/components/alert/channel-list";
import type { ChannelActions } from "@/components/alert/channel-menu";
import { IntegrationChecks } from "@/components/integration/integration-checks";
import { StartList } from "@/components/overview/start-list";
import { StockCards } from "@/components/overview/stock-cards";
import { EventLog } from "@/components/provider/event-log";
import { ReferralTable } from "@/components/referral/referral-table";
import { ReferrerTimeline } from "@/components/referrer/referrer-timeline";
import { DeliveryList } from "@/components/webhook/delivery-list";
import { EndpointList } from "@/components/webhook/endpoint-list";
import { MonthCard } from "@/components/workspace/month-card";
import { PlanTable } from "@/components/workspace/plan-table";
import { type Checklist, START_STEPS } from "@/lib/contract/checklist";
import type { CheckView } from "@/lib/contract/integration-check";
import type { ProblemView } from "@/lib/contract/problems";
import type { EndpointView } from "@/lib/contract/webhook-events";
import type { Plan, Role } from "@/lib/contract/workspace";
import { PLAN_QUOTA } from "@/lib/tenants/quota/plans";
import { listOwnApps } from "@/lib/web/session/queries";

vi.mock("next/navigation", async (original) => ({
  ...(await original()),
  useRouter: () => ({}),
  usePathname: () => "/list",
  useSearchParams: () => new URLSearchParams(),
}));
vi.mock("@/lib/web/session/queries", () => ({ listOwnApps: vi.fn() }));
vi.mock("@/app/dashboard/actions", () => ({ createAppAction: vi.fn(), restoreAppAction: vi.fn() }));

const deliveries = (
  query: { status?: "dead" },
  enabled = true,
  begin: string | undefined = "Send test event",
) =>
  renderToStaticMarkup(
    createElement(DeliveryList, {
      path: "/hooks/list",
      query,
      page: { data: [], next_cursor: null },
      size: 50,
      enabled,
      begin: begin !== "" && createElement("span", {}, begin),
    }),
  );

const events = (query: { verdict?: "unmatched" }) =>
  renderToStaticMarkup(
    createElement(EventLog, { path: "/list", query, events: [], nextCursor: null, check: "/check" }),
  );

test("an empty log has a next step: the first event, or the log without its filter", () => {
  expect(deliveries({})).toMatch(/No deliveries yet.*Send test event/s);
  expect(deliveries({ status: "dead" })).toMatch(
    /No matching deliveries.*href="\/hooks\/list"[^>]*>Show all deliveries/s,
  );
  expect(events({})).toMatch(/No events yet.*href="\/check"[^>]*>Check the integration/s);
  expect(events({ verdict: "unmatched" })).toMatch(/No matching events.*href="\/list"[^>]*>Show all events/s);
});

test("an endpoint without deliveries says what its reader can do, by role and state", () => {
  expect(deliveries({})).toMatch(/Send the first.*Send test event/s);
  expect(deliveries({}, false, "Enable endpoint")).toMatch(
    /Enable the endpoint to receive.*Enable endpoint/s,
  );
  const onward = 'href="/hooks"[^>]*>All endpoints';
  const reader = deliveries({}, true, "");
  expect(reader).toMatch(new RegExp(`An admin can send a test event.*${onward}`, "s"));
  expect(reader).not.toMatch(/enable/i);
  expect(deliveries({}, false, "")).toMatch(new RegExp(`ask an admin to enable it.*${onward}`, "s"));
});

test("a stock without pools leads to the import, and a reader who may not import to the team", () => {
  const stock = (readOnlyIn?: { id: string }) =>
    renderToStaticMarkup(createElement(StockCards, { appId: "app", pools: [], readOnlyIn }));
  expect(stock()).toMatch(/href="[^"]*\/codes\/import"[^>]*>Import codes/);
  expect(stock({ id: "w" })).not.toContain("/codes/import");
  expect(stock({ id: "w" })).toMatch(/href="\/dashboard\/workspaces\/w"[^>]*>Open the team/);
});

test("the checklist offers each role only the steps that it may do, and names the role that the others need", () => {
  const done = Object.fromEntries(START_STEPS.map((step) => [step, false])) as Checklist["done"];
  const checklist = {
    done,
    count: 0,
    complete: false,
    sandbox: false,
    baseUrl: "",
    connection: null,
  };
  const list = (role: Role) =>
    renderToStaticMarkup(
      createElement(StartList, { appId: "app", checklist, role, actions: { key: "Create key" }, help: {} }),
    );
  expect(list("viewer")).not.toMatch(/href=|Create key/);
  expect(list("viewer")).toMatch(/Create an API key.*Needs at least the admin role/s);
  expect(list("member")).toMatch(/Needs at least the admin role.*href="[^"]*\/campaigns\/new/s);
  expect(list("member")).not.toMatch(/href="[^"]*\/settings|Create key/);
  expect(list("admin")).toMatch(/href="[^"]*\/settings.*Create key/s);
  expect(list("admin")).not.toContain("Needs at least");
});

test("alerts without a channel tell an admin to add one, and other roles that an admin can", () => {
  const empty = (actions?: ChannelActions) =>
    renderToStaticMarkup(createElement(ChannelList, { appId: "app", channels: [], actions }));
  expect(empty({} as ChannelActions)).toContain("No other channel. Add the chat");
  expect(empty()).toContain("No other channel. An admin can add the chat");
});

test("near its limit a workspace leads to the operator, and a reader who does not decide to the team", () => {
  const month = (used: number, admin: boolean, operator?: string) => {
    const report = { limit: 1_000, used, projected: null, resetAt: new Date() };
    const more = { workspace: { id: "w", name: "Tea & Co" }, admin, operator, command: "npm run plan -- w" };
    return renderToStaticMarkup(createElement(MonthCard, { plan: "free", quotas: PLAN_QUOTA, report, more }));
  };
  expect(month(800, true, "ops@example.com")).toMatch(
    /href="mailto:ops@example.com\?subject=[^"&]*Tea%20%26%20Co&amp;body=npm%20run%20plan%20--%20w%20basic"[^>]*>Email the operator/,
  );
  expect(month(1_000, true)).toMatch(/href="#change-plan"[^>]*>See the command/);
  const reader = month(1_000, false, undefined);
  expect(reader).toMatch(/href="\/dashboard\/workspaces\/w"[^>]*>Open the team/);
  expect(month(799, true, "ops@example.com")).not.toContain("mailto:");
});

test("the plan that a workspace near its limit asks for never lowers it, and covers the month", () => {
  const requested = (plan: Plan, limit: number, projected: number | null = null) => {
    const report = { limit, used: limit, projected, resetAt: new Date() };
    const command = "node server.js plan w";
    const more = { workspace: { id: "w", name: "Tea" }, admin: true, operator: "ops@example.com", command };
    const shown = renderToStaticMarkup(createElement(MonthCard, { plan, quotas: PLAN_QUOTA, report, more }));
    const body = decodeURIComponent(/body=([^"]*)/.exec(shown)?.[1] ?? "");
    const props = { plan, command, usage: report, quotas: PLAN_QUOTA, custom: [] };
    expect(renderToStaticMarkup(createElement(PlanTable, props))).toContain(`>${body}<`);
    return body.replace("node server.js plan w ", "");
  };
  expect(requested("free", 1_000)).toBe("basic");
  // An agreed quota, above or below the plan's.
  expect(requested("free", 50_000)).toBe("pro");
  expect(requested("pro", 0)).toBe("pro");
  expect(requested("free", 1_000, 70_000)).toBe("pro");
  expect(requested("enterprise", 5_000)).toBe("enterprise");
  expect(requested("enterprise", 10_000_000, 12_000_000)).toBe("enterprise --quota 24000000");
});

test("a reader of several teams without apps is led to each of them, and a reader of a single one to that", async () => {
  const list = async (...roles: Role[]) => {
    const workspaces = roles.map((role, n) => ({
      id: `w${n}`,
      name: `Team ${n}`,
      role,
      plan: "free" as const,
    }));
    const groups = workspaces.map((workspace) => ({ workspace, apps: [], deleted: [] }));
    const user = { workspaces, demo: false };
    vi.mocked(listOwnApps).mockResolvedValue({ user, groups } as unknown as Awaited<
      ReturnType<typeof listOwnApps>
    >);
    return renderToStaticMarkup(await DashboardPage());
  };
  const teams = /href="\/dashboard\/workspaces\/(w\d)"[^>]*>Open the team/g;
  expect([...(await list("viewer", "support")).matchAll(teams)].map(([, id]) => id)).toEqual(["w0", "w1"]);
  const single = await list("viewer");
  expect(single).toMatch(/No apps yet.*An owner or admin of Team 0 can create one/s);
  expect(single.match(teams)).toHaveLength(1);
  expect(await list("viewer", "admin")).toMatch(/No apps yet.*Create your first app/s);
});

test("below a problem of a check stands the step of its reader: the page that solves it, or the colleague to ask", () => {
  const problem = {
    kind: "pool_low",
    subject: "p",
    severity: "warning",
    title: "The pool is low",
    detail: "Import more.",
    path: "/codes/import?pool=p",
    action: "Import codes",
    needs: "member",
    notifiedAt: null,
  } as const satisfies ProblemView;
  const check = {
    topic: "codes",
    subject: "p",
    state: "warning",
    title: "Pool",
    evidence: [],
    problems: [problem],
    path: "/codes/pools/p",
    action: "Open the pool",
  } as const satisfies CheckView;
  const shown = (role: Role) => {
    const reader = { appId: "a", workspaceId: "w", role };
    return renderToStaticMarkup(createElement(IntegrationChecks, { reader, checks: [check] }));
  };
  expect(shown("member")).toMatch(
    /href="\/dashboard\/apps\/a\/codes\/import\?pool=p"[^>]*>The pool is low<\/a>\./,
  );
  const viewer = shown("viewer");
  expect(viewer).toMatch(
    />The pool is low<\/span>\. <a[^>]*href="\/dashboard\/workspaces\/w"[^>]*>Ask a member to import codes<\/a>\. Import more/,
  );
  expect(viewer).not.toContain("/codes/import");
});

test("an endpoint says when its last delivery was and how it ended, or that there was none", () => {
  const endpoint = { id: "e", url: "https://a.example/hooks", description: null, events: [] };
  const shown = (last?: "delivered" | "dead") => {
    const row = { ...endpoint, last: last && { status: last, created_at: "2026-03-31T10:00:00.000Z" } };
    return renderToStaticMarkup(
      createElement(EndpointList, {
        path: "/hooks",
        endpoints: [row as unknown as EndpointView & typeof row],
      }),
    );
  };
  expect(shown("delivered")).toMatch(
    /Last delivery <time[^>]*2026-03-31T10:00[^>]*>[^<]+<\/time>: delivered/,
  );
  expect(shown("dead")).toMatch(/Last delivery .*: given up/);
  expect(shown()).toContain("No deliveries yet");
});

test("an erased referee is no text that stands for the id, on the page of the referrer", () => {
  const at = new Date(0);
  const erased = `erased:${"x".repeat(43)}`;
  const times = { createdAt: at, confirmedAt: at, heldUntil: null, reversedAt: null };
  const rows = [erased, "ben"].map((refereeUid, n) => ({
    id: `${n}`,
    status: "redeemed" as const,
    refereeUid,
    platform: "ios" as const,
    referrer: null,
    campaign: null,
    code: null,
    ...times,
  }));
  const entries = rows.map((row) => ({ kind: "referral" as const, at, row, by: null }));
  const table = renderToStaticMarkup(createElement(ReferralTable, { base: "/a", label: "Referrals", rows }));
  const timeline = renderToStaticMarkup(createElement(ReferrerTimeline, { base: "/a", entries }));
  for (const shown of [table, timeline]) {
    expect(shown).toContain("Erased user");
    expect(shown).toContain("ben");
    expect(shown).not.toContain(erased);
  }
});
