import { sql } from "drizzle-orm";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { uuidv7 } from "uuidv7";
import { afterEach, expect, test, vi } from "vitest";
import { PersonDeliveries } from "@/components/person/deliveries";
import { EmptyLists } from "@/components/ui/empty-state";
import { AuditList } from "@/components/workspace/audit-list";
import { matchPath } from "@/lib/contract/referrer-list";
import { getPerson } from "@/lib/outward/person/get";
import { RequestBuffer } from "@/lib/outward/request-log/buffer";
import { LISTED_PER_SECOND } from "@/lib/outward/request-log/pending";
import { database } from "@/lib/platform/db/client";
import { webhookEndpoints } from "@/lib/platform/db/schema";
import { findEvent } from "@/lib/program/confirmations/event";
import { receiveConfirmation } from "@/lib/program/confirmations/receive";
import { dismissConfirmation } from "@/lib/program/confirmations/resolve";
import { createConnection } from "@/lib/program/connections/create";
import { findEndUsers } from "@/lib/program/referrers/find";
import { updateEndUserNotes } from "@/lib/program/referrers/update";
import { applyEvent, earnRewards } from "@/lib/testing/confirm";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { answerMany } from "@/lib/testing/requests";
import { useService } from "@/lib/testing/service";
import { asTeamMember } from "@/lib/testing/support";

useService({ AUTH_SECRET: "a secret of the tests, 32 characters" });
afterEach(() => vi.useRealTimers());

test("an event leads to its connection, and to the inbox where that does not exist", async () => {
  const { tenant } = await referringTenant();
  const { ctx } = tenant;
  // The state after a simulated purchase, and after the connection was deleted.
  await applyEvent(ctx, "ben");
  const { id } = await createConnection(ctx, { provider: "revenuecat" });
  await receiveConfirmation(ctx, id, {
    eventId: "1",
    type: "BUY",
    uids: ["ben"],
    payload: {},
    occurredAt: null,
    purchaseId: null,
    links: [],
    confirmation: { kind: "ignore", paid: false, renewal: false, sandbox: false },
  });
  const { events } = await getPerson(ctx, "ben");
  expect(events.map((event) => event.path.replace(event.id, "it"))).toEqual([
    `/providers/${id}?event=it`,
    "/providers/unmatched?event=it",
  ]);
});

test("a purchase that names no user is found by each of its ids and opens in the inbox, until an event names the buyer", async () => {
  const { tenant } = await referringTenant();
  const { ctx } = tenant;
  const { id } = await createConnection(ctx, { provider: "revenuecat" });
  const receive = (eventId: string, uids: string[], kind: "confirm" | "ignore") =>
    receiveConfirmation(ctx, id, {
      eventId,
      type: "ONE_TIME_CHARGE",
      uids,
      payload: {},
      occurredAt: null,
      links: [],
      purchaseId: "2000000123456789",
      confirmation: { kind, paid: true, renewal: false, sandbox: false },
    });
  const uuid = "0d1f7a52-5b6e-4c07-9a38-6a2f0c1b9e77";
  await receive(uuid, [], "confirm");
  // A later event about the same purchase, which cannot be linked.
  await receive("later", [], "ignore");
  for (const text of ["2000000123456789", uuid]) {
    const [match, ...others] = await findEndUsers(ctx, text);
    expect(match).toMatchObject({ kind: "event", title: text, note: "names no user" });
    expect(others).toEqual([]);
    const [path, event] = matchPath(match ?? { section: "people", id: "" }).split("?event=");
    expect(path).toBe("/providers/unmatched");
    expect(await findEvent(ctx, event)).toMatchObject({ eventId: uuid, verdict: "unmatched" });
  }
  await receive("named", ["ben"], "ignore");
  expect(await findEndUsers(ctx, "2000000123456789")).toMatchObject([{ kind: "user", id: "ben" }]);
});

test("a list of a user says which rows were searched, and is not called empty beyond 10,000 deliveries and audit entries", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  await api.redeem("ben", metacode);
  expect((await getPerson(ctx, "ben")).partial).toEqual({});
  const { app, workspace } = ctx;
  await ctx.db.orm.execute(sql`
    insert into webhook_deliveries (app_id, id, endpoint_id, event_id, event_type, status)
    select ${app.id}, new_id(), gen_random_uuid(), gen_random_uuid(), 'pool.low', 'delivered' from generate_series(1, 10000)`);
  await ctx.db.orm.execute(sql`
    insert into audit_log (workspace_id, id, actor_kind, actor_name, action, subject, subject_id)
    select ${workspace.id}, new_id(), 'user', 'Sam', 'pool.changed', 'pool', 'p' from generate_series(1, 10000)`);
  const { partial, deliveries, audit } = await getPerson(ctx, "ben");
  expect([...deliveries, ...audit]).toEqual([]);
  expect(partial).toEqual({
    deliveries: "among the newest 10,000 deliveries of the app",
    audit: "among the newest 10,000 entries of the workspace",
  });
  const lists = [
    { title: "Rewards", searched: partial.rewards },
    { title: "Webhooks", searched: partial.deliveries },
  ];
  const shown = renderToStaticMarkup(createElement(EmptyLists, { lists }));
  expect(shown).toContain("No entries: Rewards<");
  expect(shown).toContain("Webhooks: none among the newest 10,000 deliveries of the app<");
});

test("a user's requests say that some may be missing once the log has counted requests without listing them", async () => {
  const { tenant } = await referringTenant();
  const { ctx } = tenant;
  const buffer = new RequestBuffer(database);
  const shown = async () => {
    await buffer.flush();
    return (await getPerson(ctx, "ben")).partial.requests;
  };
  const line = "among the requests in the log, which omits some in busy seconds";
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  answerMany(buffer, tenant, LISTED_PER_SECOND.passed);
  expect(await shown()).toBe(undefined);
  answerMany(buffer, tenant, LISTED_PER_SECOND.passed + 1);
  expect(await shown()).toBe(line);
});

test("a webhook of a user leads to its endpoint, unless that was deleted", async () => {
  const { ctx } = (await referringTenant()).tenant;
  const [endpointId, deleted] = [uuidv7(), uuidv7()];
  const endpoint = { appId: ctx.app.id, id: endpointId, url: "https://a.example", events: [], secret: "" };
  await ctx.db.orm.insert(webhookEndpoints).values(endpoint);
  for (const id of [endpointId, deleted])
    await ctx.db.orm.execute(sql`
      insert into webhook_deliveries (app_id, id, endpoint_id, event_id, event_type, status, payload)
      values (${ctx.app.id}, new_id(), ${id}, new_id(), 'referral.redeemed', 'pending', '{"referee_uid": "ben"}')`);
  const { deliveries } = await getPerson(ctx, "ben");
  const shown = renderToStaticMarkup(createElement(PersonDeliveries, { base: "/app", deliveries }));
  expect([...shown.matchAll(/href="\/app\/webhooks\/([^?]*)/g)].map(([, id]) => id)).toEqual([endpointId]);
  expect(shown.match(/endpoint deleted/g)).toHaveLength(1);
});

test("a colleague's decision about an event of a user is on the user's page", async () => {
  const { tenant } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  await applyEvent(ctx, "ben");
  const [event] = (await getPerson(ctx, "ben")).events;
  await dismissConfirmation(ctx, event?.id ?? "");
  expect((await getPerson(ctx, "ben")).audit).toMatchObject([
    { action: "event.dismissed", actor: "Sam Support" },
  ]);
});

test("a user's rewards end at 50 for each metacode and say so, and what depends on them is not called empty", async () => {
  const { tenant } = await referringTenant();
  await earnRewards(tenant, "ann", 50);
  expect((await getPerson(tenant.ctx, "ann")).partial).toEqual({});
  await earnRewards(tenant, "ann", 1, "android");
  const person = await getPerson(tenant.ctx, "ann");
  expect(person.rewards).toHaveLength(50);
  const ofListed = "for the rows listed here";
  expect(person.partial).toEqual({
    rewards: "the newest 50 of each metacode",
    replaced: ofListed,
    deliveries: ofListed,
    audit: ofListed,
  });
});

test("more than 50 events of a user cut the audit log, which is looked up by them, but not what is looked up by referrals", async () => {
  const { tenant } = await referringTenant();
  const { ctx } = tenant;
  for (let n = 0; n < 50; n++) await applyEvent(ctx, "ben", "ignore");
  expect((await getPerson(ctx, "ben")).partial).toEqual({
    events: "the newest 50",
    audit: "for the rows listed here",
  });
});

test("the network addresses of colleagues are shown on a user's page to admins only", async () => {
  const { tenant } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  await updateEndUserNotes(ctx, { uid: "ann", notes: "Wrote twice" });
  const shown = async (forAdmin?: boolean) => {
    const { audit } = await getPerson(ctx, "ann", forAdmin);
    return renderToStaticMarkup(createElement(AuditList, { lines: audit }));
  };
  expect(await shown(true)).toContain("192.0.2.7");
  expect(await shown()).toContain("Notes about a user updated");
  expect(await shown()).not.toMatch(/192\.0\.2\.7|From|The service/);
});
