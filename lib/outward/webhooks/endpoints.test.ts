import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { DEFAULT_WEBHOOK_EVENTS, WEBHOOK_EVENT_NAMES } from "@/lib/contract/webhook-events";
import {
  getEndpoint,
  listEndpoints,
  listEndpointsFor,
  presentEndpoint,
} from "@/lib/outward/webhooks/endpoints";
import type { EndpointInput } from "@/lib/outward/webhooks/input";
import { endpointInput, parseEndpointUrl } from "@/lib/outward/webhooks/input";
import {
  createEndpoint,
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  MAX_ENDPOINTS,
  rotateEndpointSecret,
  updateEndpoint,
} from "@/lib/outward/webhooks/manage-endpoints";
import { readEndpointSecrets } from "@/lib/outward/webhooks/sign";
import { database } from "@/lib/platform/db/client";
import { auditLog, webhookDeliveries, webhookEndpoints } from "@/lib/platform/db/schema";
import { conflictOf } from "@/lib/tenants/audit/changes";
import { rowsOfApp } from "@/lib/testing/database/rows";
import { emitExample } from "@/lib/testing/events";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";

useService();

const INPUT: EndpointInput = { url: "https://api.acme.com/hooks/t0ken", events: ["reward.earned"] };

const stored = async (id: string) => {
  const rows = await database().orm.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id));
  return rows[0];
};

describe("an endpoint", () => {
  test("has its own secret, which no list shows", async () => {
    const { ctx } = await makeTenant();
    const first = await createEndpoint(ctx, INPUT);
    const other = await createEndpoint(ctx, { ...INPUT, description: " CRM " });
    expect(first.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(other.secret).not.toBe(first.secret);
    const listed = await listEndpoints(ctx);
    expect(listed.map(({ id, description }) => [id, description])).toEqual([
      [other.id, "CRM"],
      [first.id, null],
    ]);
    expect(JSON.stringify(listed)).not.toContain("whsec_");
  });

  test("has no delivery of another app's event", async () => {
    const [{ ctx }, other] = [await makeTenant(), await makeTenant()];
    const { id } = await createEndpoint(ctx, INPUT);
    await createEndpoint(other.ctx, INPUT);
    await emitExample(ctx.db, ctx.app.id, "reward.earned", { referrer_id: id });
    const stored = await ctx.db.orm.select().from(webhookDeliveries);
    const own = stored.filter(({ appId, endpointId }) => appId === ctx.app.id || endpointId === id);
    expect(own.map(({ endpointId }) => endpointId)).toEqual([id]);
  });

  test("is shown by the API without secrets in its address", async () => {
    const { ctx } = await makeTenant();
    const { id } = await createEndpoint(ctx, { ...INPUT, url: "https://api.acme.com/hooks?token=s3cret&x" });
    const { url } = presentEndpoint({
      ...(await getEndpoint(ctx, id)),
      url: "https://user:pass@api.acme.com/hooks?token=s3cret",
    });
    expect(url).toBe("https://api.acme.com/hooks");
    expect(presentEndpoint(await getEndpoint(ctx, id)).url).toBe("https://api.acme.com/hooks");
  });

  test.each([
    ["viewer", "https://api.acme.com/…"],
    ["support", "https://api.acme.com/…"],
    ["member", "https://api.acme.com/…"],
    ["admin", INPUT.url],
    ["owner", INPUT.url],
  ] as const)("is shown to the role %s with the address %s", async (role, url) => {
    const { ctx } = await makeTenant();
    await createEndpoint(ctx, INPUT);
    expect((await listEndpointsFor(ctx, role)).map((endpoint) => endpoint.url)).toEqual([url]);
  });

  test("is changed, switched off and on, and deleted, each with an entry without address or secret", async () => {
    const { ctx } = await makeTenant();
    const { id, secret } = await createEndpoint(ctx, INPUT);
    const events = ["pool.low", "referrer.created", "pool.low"] as EndpointInput["events"];
    expect(await updateEndpoint(ctx, id, { ...INPUT, events })).toMatchObject({
      events: ["referrer.created", "pool.low"],
    });
    expect(await disableEndpoint(ctx, id)).toMatchObject({ enabled: false });
    expect(await enableEndpoint(ctx, id)).toMatchObject({ enabled: true });
    const rotated = await rotateEndpointSecret(ctx, id, "24h");
    await deleteEndpoint(ctx, id);
    await expect(getEndpoint(ctx, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    const rows = await database().orm.select().from(auditLog).where(eq(auditLog.appId, ctx.app.id));
    expect(rows.map(({ action }) => action).sort()).toEqual(
      ["changed", "created", "deleted", "disabled", "enabled", "secret_changed"].map(
        (done) => `webhook.${done}`,
      ),
    );
    for (const hidden of [secret, rotated.secret, "t0ken"])
      expect(JSON.stringify(rows)).not.toContain(hidden);
  });

  test("has an audit entry of every setting that an update changes, with the host in place of the address", async () => {
    const { ctx } = await makeTenant();
    const { id } = await createEndpoint(ctx, INPUT);
    const settings: EndpointInput = {
      url: "https://hooks.acme.com/t0ken",
      description: "CRM",
      events: ["pool.low"],
    };
    await updateEndpoint(ctx, id, settings);
    const rows = await database().orm.select().from(auditLog).where(eq(auditLog.appId, ctx.app.id));
    const entry = rows.find(({ action }) => action === "webhook.changed");
    expect(entry).toMatchObject({
      before: { host: "api.acme.com", description: null, events: ["reward.earned"] },
      after: { url: "changed", host: "hooks.acme.com", description: "CRM", events: ["pool.low"] },
    });
    const audited = ["host", ...Object.keys(endpointInput.shape)];
    expect(Object.keys(entry?.after ?? {}).sort()).toEqual(audited.sort());
  });

  test("an update that would undo another one is refused with both versions", async () => {
    const { ctx } = await makeTenant();
    const { id } = await createEndpoint(ctx, INPUT);
    const form = { ...ctx, seen: JSON.stringify({ ...INPUT, description: null }) };
    await updateEndpoint(ctx, id, { ...INPUT, events: ["pool.low"] });
    const refused = await updateEndpoint(form, id, { ...INPUT, description: "CRM" }).catch((error) => error);
    expect(conflictOf(refused)?.changes).toEqual([
      { field: "events", before: "pool.low", after: "reward.earned" },
    ]);
    expect(await getEndpoint(ctx, id)).toMatchObject({ description: null, events: ["pool.low"] });
  });

  test("signs with the former secret as well for its grace period", async () => {
    const { ctx } = await makeTenant();
    const { id, secret } = await createEndpoint(ctx, INPUT);
    const next = await rotateEndpointSecret(ctx, id, "1h");
    const { secret: sealed = "", formerSecret: former = null, formerUntil } = (await stored(id)) ?? {};
    expect(readEndpointSecrets({ secret: sealed, former_secret: former }, id)).toEqual({
      secret: next.secret,
      former_secret: secret,
    });
    expect(formerUntil?.getTime()).toBeGreaterThan(Date.now() + 3_500_000);
    await rotateEndpointSecret(ctx, id, "now");
    expect(await stored(id)).toMatchObject({ formerSecret: null, formerUntil: null });
  });

  test(`is refused beyond ${MAX_ENDPOINTS}, also when many are added at once`, async () => {
    const { ctx } = await makeTenant();
    const add = () => createEndpoint(ctx, INPUT).catch(({ code }) => code);
    const added = await Promise.all(Array.from({ length: MAX_ENDPOINTS + 8 }, add));
    expect(added.filter((answer) => answer === "CONFLICT")).toHaveLength(8);
    expect(await listEndpoints(ctx)).toHaveLength(MAX_ENDPOINTS);
  });

  test.each(["a\0b", "a\ud800"])(
    "with the description %j is refused, and is no error of ours",
    async (description) => {
      const { ctx } = await makeTenant();
      await expect(createEndpoint(ctx, { ...INPUT, description })).rejects.toMatchObject({
        code: "VALIDATION_ERROR",
      });
    },
  );

  test("of another app is not there", async () => {
    const [mine, theirs] = [await makeTenant(), await makeTenant()];
    const { id } = await createEndpoint(theirs.ctx, INPUT);
    const before = await rowsOfApp(theirs.ctx.app.id);
    for (const attempt of [
      () => getEndpoint(mine.ctx, id),
      () => updateEndpoint(mine.ctx, id, INPUT),
      () => disableEndpoint(mine.ctx, id),
      () => rotateEndpointSecret(mine.ctx, id, "now"),
      () => deleteEndpoint(mine.ctx, id),
      () => deleteEndpoint(theirs.ctx, "no-uuid"),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    expect(await rowsOfApp(theirs.ctx.app.id)).toEqual(before);
  });
});

test("clicks are off unless an owner chooses them", () => {
  expect(WEBHOOK_EVENT_NAMES).toHaveLength(17);
  expect(DEFAULT_WEBHOOK_EVENTS).toEqual(WEBHOOK_EVENT_NAMES.filter((name) => name !== "referral.clicked"));
});

test.each<[string, Partial<EndpointInput>]>([
  ["events", { events: [] }],
  ["events.0", { events: ["x"] as never }],
  ["description", { description: "x".repeat(201) }],
  ["url", { url: "" }],
])("a wrong %s is refused by its name", async (field, changes) => {
  const { ctx } = await makeTenant();
  const refused = { code: "VALIDATION_ERROR", field };
  await expect(createEndpoint(ctx, { ...INPUT, ...changes })).rejects.toMatchObject(refused);
});

test.each([
  ["https://example.com", "https://example.com/"],
  [" https://API.example.com:8443/a?b=c#d ", "https://api.example.com:8443/a?b=c"],
  ["https://93.184.216.34/x", "https://93.184.216.34/x"],
  ["https://[2606:2800:220:1::1]/", "https://[2606:2800:220:1::1]/"],
])("%s is an address", (given, parsed) => {
  expect(parseEndpointUrl(given)).toBe(parsed);
});

test.each([
  "http://example.com",
  "ftp://example.com",
  "example.com/hooks",
  "https://",
  "https://user:pass@example.com",
  "https://localhost/x",
  "https://intranet/x",
  "https://db.internal/x",
  "https://db.internal./x",
  "https://127.0.0.1/x",
  "https://2130706433/x",
  "https://0x7f.1/x",
  "https://10.1.2.3/x",
  "https://172.20.0.1/x",
  "https://192.168.1.1/x",
  "https://169.254.169.254/latest/meta-data",
  "https://100.64.0.1/x",
  "https://[::1]/x",
  "https://[::ffff:127.0.0.1]/x",
  "https://[fd00::1]/x",
  "https://[fe80::1]/x",
  `https://example.com/${"x".repeat(2_000)}`,
])("%s is refused as an address", (given) => {
  expect(() => parseEndpointUrl(given)).toThrow(
    expect.objectContaining({
      code: "VALIDATION_ERROR",
      field: "url",
      message: expect.stringMatching(/^url /),
    }),
  );
});
