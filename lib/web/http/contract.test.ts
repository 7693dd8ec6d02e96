import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApiReply } from "@/lib/testing/client";
import { BAD_BODIES, BAD_UIDS, GOOD_UIDS } from "@/lib/testing/http/bad-bodies";
import { expectFrame } from "@/lib/testing/http/frame";
import { MOUNTS, type Mount, type MountRequest } from "@/lib/testing/http/mounts";
import { useService } from "@/lib/testing/service";
import { makeKey, makeTenant } from "@/lib/testing/tenant";

useService({
  IP_REQUESTS_PER_MINUTE: "1000000",
  KEY_INVALID_REQUESTS_PER_MINUTE: "1000000",
  KEY_UNKNOWN_METACODES_PER_HOUR: "1000000",
  USER_UNKNOWN_METACODES_PER_HOUR: "1000000",
});

const ID = "01900000-0000-7000-8000-000000000000";

/** Every route below /api by its folder, with an example path and its method. */
const ROUTES: Record<string, [path: string, method: "GET" | "POST"]> = {
  referrer: ["/api/referrer", "POST"],
  "referrer-claim": ["/api/referrer-claim", "POST"],
  "referee-redeem": ["/api/referee-redeem", "POST"],
  health: ["/api/health", "GET"],
  live: ["/api/live", "GET"],
  metrics: ["/api/metrics", "GET"],
  ready: ["/api/ready", "GET"],
  webhooks: ["/api/webhooks", "GET"],
  "webhooks/[id]": [`/api/webhooks/${ID}`, "GET"],
  "webhooks/[id]/deliveries": [`/api/webhooks/${ID}/deliveries`, "GET"],
  "providers/[provider]/[connectionId]": [`/api/providers/revenuecat/${ID}`, "POST"],
};
const ALL = Object.values(ROUTES);
const KEYED = ALL.filter(([path]) => !/health|live|ready|metrics|providers/.test(path));

/** The endpoints with a body: the field of the user's id, and a valid body. */
const BODIES = [
  ["/api/referrer", "uid", { uid: "ann" }],
  ["/api/referrer-claim", "uid", { uid: "ann" }],
  ["/api/referee-redeem", "referee_uid", { referee_uid: "bob", metacode: "zzzzzzzz", platform: "ios" }],
] as const;

test("no route is left out", () => {
  const folders = readdirSync("app/api", { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith("/route.ts") && !/^(auth|\[\.\.\.unknown\])\//.test(file));
  expect(folders.map((file) => file.replace("/route.ts", "")).sort()).toEqual(Object.keys(ROUTES).sort());
});

describe.each(Object.entries(MOUNTS))("by its %s", (_, open) => {
  let mount: Mount;
  let key: string;
  let narrow: string;

  beforeAll(async () => {
    mount = await open();
    const tenant = await makeTenant();
    key = tenant.key;
    narrow = await makeKey(tenant, []);
  });
  afterAll(() => mount.close());

  async function ask(path: string, options: MountRequest = {}): Promise<ApiReply> {
    const reply = await mount.ask(path, options);
    expectFrame(reply);
    return reply;
  }
  const send = (path: string, body: MountRequest["body"] = "{}", headers: Record<string, string> = {}) =>
    ask(path, { body, headers: { "x-api-key": key, ...headers } });

  test.each(ALL)("%s answers other methods 405 and OPTIONS 204, both with Allow", async (path, only) => {
    const allow = `${only}, OPTIONS`;
    for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]) {
      if (method === only) continue;
      const reply = await ask(path, { method, body: "{" });
      expect([method, reply.status, reply.headers.get("allow")]).toEqual([method, 405, allow]);
      if (method === "HEAD") expect(reply.body).toBeUndefined();
      else expect(reply.body.error.code).toBe("METHOD_NOT_ALLOWED");
    }
    const options = await ask(path, { method: "OPTIONS" });
    expect([options.status, options.headers.get("allow"), options.body]).toEqual([204, allow, undefined]);
  });

  test.each(["/api/nothing", "/api", "/api/referrer/x", "/api/Referrer", "/api/webhooks/a/b"])(
    "%s is unknown to every method",
    async (path) => {
      for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]) {
        const reply = await ask(path, { method, headers: { "x-api-key": key } });
        expect([method, reply.status]).toEqual([method, 404]);
        if (method !== "HEAD") expect(reply.body.error.code).toBe("NOT_FOUND");
      }
    },
  );

  test.each(KEYED)(
    "%s asks for the key first, then for the scope, then reads the body",
    async (path, method) => {
      for (const headers of [
        {},
        { "x-api-key": "" },
        { "x-api-key": "mc_live_x" },
        { "x-api-key": `${key}x` },
      ]) {
        const reply = await ask(path, { method, headers: headers as Record<string, string>, body: "{" });
        expect([reply.status, reply.body.error.message]).toEqual([401, "Invalid or missing API key"]);
      }
      const refused = await ask(path, { method, headers: { "x-api-key": narrow }, body: "{" });
      expect([refused.status, refused.body.error.code]).toEqual([403, "FORBIDDEN"]);
      expect(refused.body.error.message).toMatch(/(referrer|reward|referee|webhook):(read|claim|redeem)/);
    },
  );

  test.each(ALL)("%s with a slash at the end is the same route", async (path, method) => {
    const headers = { "x-api-key": key };
    const [plain, slashed] = [
      await ask(path, { method, headers }),
      await ask(`${path}/`, { method, headers }),
    ];
    expect([slashed.status, slashed.body?.error?.code]).toEqual([plain.status, plain.body?.error?.code]);
  });

  describe.each(BODIES)("%s", (path, field, valid) => {
    const withField = (json: string) => JSON.stringify({ ...valid, [field]: "@" }).replace('"@"', json);

    test.each(BAD_BODIES)("refuses %s", async (_, body, status, says) => {
      const reply = await send(path, body);
      expect([reply.status, reply.body.error.message]).toEqual([status, expect.stringMatching(says)]);
    });

    test.each(BAD_UIDS)("refuses a user id that is %s", async (_, json, says) => {
      const { status, body } = await send(path, withField(json));
      expect([status, body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
      expect(body.error.message).toMatch(new RegExp(`^${field} .*${says}`));
    });

    test.each(GOOD_UIDS)("takes a user id that is %s", async (_, value) => {
      const { status } = await send(path, withField(JSON.stringify(value)));
      expect([200, 404, 409]).toContain(status);
    });

    test("reads the last of two equal fields, and ignores unknown ones", async () => {
      const twice = JSON.stringify(valid).replace("}", `,"${field}":""}`);
      expect((await send(path, twice)).status).toBe(400);
      const more = { ...valid, unknown: { deep: [1] }, constructor: 1, toString: null };
      expect((await send(path, JSON.stringify(more))).status).not.toBe(400);
    });

    test("accepts JSON with its content types or none, and no encoding", async () => {
      const body = new TextEncoder().encode(JSON.stringify(valid));
      const status = async (headers: Record<string, string>) => (await send(path, body, headers)).status;
      for (const type of ["application/json; charset=utf-8", "APPLICATION/JSON", "application/ld+json"]) {
        expect(await status({ "content-type": type })).not.toBe(415);
      }
      expect(await status({})).not.toBe(415);
      for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", "x"]) {
        expect(await status({ "content-type": type })).toBe(415);
      }
      for (const encoding of ["gzip", "br", "identity", "identity, gzip"]) {
        expect(await status({ "content-encoding": encoding })).toBe(415);
      }
    });
  });
});
