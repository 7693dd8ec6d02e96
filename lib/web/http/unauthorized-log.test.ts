import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { requestFilters } from "@/lib/contract/request-line";
import { detect } from "@/lib/outward/problems/detect";
import { flushRequests } from "@/lib/outward/request-log/buffer";
import { listRequests } from "@/lib/outward/request-log/list";
import { database } from "@/lib/platform/db/client";
import { apiKeys } from "@/lib/platform/db/schema";
import { connectionHealth } from "@/lib/program/connections/health";
import { flushRefusals } from "@/lib/program/connections/prove";
import { revokeKey } from "@/lib/tenants/api-keys/lifecycle";
import { clientOf } from "@/lib/testing/client";
import { connectedApp, connectedTo, postDelivery } from "@/lib/testing/provider-events/deliver";
import { useService } from "@/lib/testing/service";
import { asTeamMember } from "@/lib/testing/support";
import { makeTenant } from "@/lib/testing/tenant";
import { MAX_DELIVERY_BYTES } from "@/lib/web/http/provider-endpoint";

useService({ IP_REQUESTS_PER_MINUTE: "1000000" });

test("a 401 of a key that has ended is found by its request id, in its own app", async () => {
  const [mine, other] = [await makeTenant(), await makeTenant()];
  const ctx = asTeamMember(mine.ctx);
  const [key] = await ctx.db.orm.select().from(apiKeys).where(eq(apiKeys.appId, ctx.app.id));
  await revokeKey(ctx, { keyId: key?.id ?? "" });
  const refused = await clientOf(mine.key).referrer("ann");
  expect(refused.status).toBe(401);
  await flushRequests();
  const filters = requestFilters.parse({ id: refused.body.error.request_id });
  expect((await listRequests(ctx, filters)).data).toMatchObject([
    { keyId: key?.id, path: "/api/referrer", status: 401, errorCode: "UNAUTHORIZED" },
  ]);
  expect((await listRequests(other.ctx, filters)).data).toEqual([]);
});

test("a 401 of a provider's delivery is found by its request id, and none that was accepted is listed", async () => {
  const { app, connection, send } = await connectedTo("revenuecat");
  await app.assign("a");
  expect((await send({ id: "1" })).status).toBe(200);
  const refused = await send({ id: "2", secret: "wrong" });
  expect(refused.status).toBe(401);
  await flushRequests();
  const { data } = await listRequests(app.ctx, requestFilters.parse({ endpoint: "providers" }));
  expect(data).toMatchObject([
    { id: refused.body.error.request_id, keyId: connection.id, status: 401, errorCode: "UNAUTHORIZED" },
  ]);
});

test.each([
  ["too large", { body: "x".repeat(MAX_DELIVERY_BYTES + 1) }, 413, "PAYLOAD_TOO_LARGE"],
  ["compressed", { headers: { "content-encoding": "gzip" } }, 415, "UNSUPPORTED_MEDIA_TYPE"],
])(
  "a delivery that is %s is found by its request id, and counts against its address and for its connection",
  async (_, sent, status, errorCode) => {
    const { app, connection } = await connectedApp();
    const refused = await postDelivery(connection, { body: "{}", ...sent });
    expect(refused.status).toBe(status);
    await flushRequests();
    const { data } = await listRequests(app.ctx, requestFilters.parse({ endpoint: "providers" }));
    expect(data).toMatchObject([
      { id: refused.body.error.request_id, keyId: connection.id, status, errorCode },
    ]);
    await flushRefusals(database());
    expect((await connectionHealth(app.ctx, connection.id)).refusals.deliveries).toBe(1);
    const cause = status === 413 ? /larger than 256 KiB/ : /compressed/;
    const problem = { kind: "provider_refused", detail: expect.stringMatching(cause) };
    expect(await detect(app.ctx)).toContainEqual(expect.objectContaining(problem));
    const remaining = async () =>
      Number((await postDelivery(connection, { body: "{}", ...sent })).headers.get("x-ratelimit-remaining"));
    expect((await remaining()) - (await remaining())).toBe(1);
  },
);
