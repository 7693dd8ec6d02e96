import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { apps } from "@/lib/platform/db/schema";
import { forgetSingleton } from "@/lib/platform/singleton";
import { updateIcon } from "@/lib/tenants/apps/icon";
import { clientOf } from "@/lib/testing/client";
import { usePassingTime } from "@/lib/testing/clock";
import { blockedBackends } from "@/lib/testing/database/locks";
import { assignDomain, hostServer } from "@/lib/testing/domain";
import { useService } from "@/lib/testing/service";
import { makeTenant, type Tenant } from "@/lib/testing/tenant";
import { PIXEL_AGENT } from "@/lib/testing/user-agents";
import { forgetHosts } from "./hosts";

useService({ APP_URL: "https://metacode.example", LANDING_URL: "https://go.example" });
const pass = usePassingTime();

const FINGERPRINT = Array(32).fill("AB").join(":");
const IDS = {
  appleTeamId: "A1B2C3D4E5",
  iosBundleId: "com.example.lumen",
  androidFingerprints: [FINGERPRINT],
};
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAGUlEQVQokWNYtfsMSYhhVMPu0VBaNVyTBgAbZTEfWO+QMgAAAABJRU5ErkJggg==",
  "base64",
);

let service: Awaited<ReturnType<typeof hostServer>>;
let lumen: Tenant;
let other: Tenant;
const metacodes: string[] = [];
const browser = { "user-agent": PIXEL_AGENT };

beforeAll(async () => {
  service = await hostServer();
  lumen = await makeTenant({ app: { name: "Lumen", ...IDS } });
  other = await makeTenant({ app: { name: "Other", ...IDS, iosBundleId: "com.example.other" } });
  await assignDomain(lumen.ctx.app.id, "invite.lumen.example");
  for (const { key } of [lumen, other]) metacodes.push((await clientOf(key).referrer("ann")).body.metacode);
});
afterAll(() => service.close());

const open = (host: string, metacode = "", method = "GET") =>
  service.ask(host, `/r/${metacode}`, method, browser);

describe("an app's own domain", () => {
  test.each(["invite.lumen.example", "INVITE.Lumen.example:8443", "invite.lumen.example."])(
    "%s shows the app's landing pages",
    async (host) => {
      const page = await open(host, metacodes[0]);
      expect(page.status).toBe(200);
      expect(page.body).toContain(`content="https://invite.lumen.example/r/${metacodes[0]}"`);
    },
  );

  test("another app's metacode is as unknown there as any", async () => {
    const foreign = await open("invite.lumen.example", metacodes[1]);
    const unknown = await open("invite.lumen.example", "zzzzzzzz");
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
    expect(foreign.body).toBe(unknown.body);
  });

  test.each([
    "/",
    "/dashboard",
    "/sign-in",
    "/docs",
    "/openapi.json",
    "/_next/static/x.js",
    "/r",
    "/mailbox",
  ])("%s is 404 there, and another host's page elsewhere", async (path) => {
    expect((await service.ask("invite.lumen.example", path)).status).toBe(404);
    expect((await service.ask("metacode.example", path)).status).toBe(200);
  });

  test("there is no API there, with a good key too", async () => {
    const headers = { "x-api-key": lumen.key, "content-type": "application/json" };
    for (const path of ["/api/referrer", "/api/health", "/api/auth/session", "/api/referrer?x=1"]) {
      const answer = await service.ask("invite.lumen.example", path, "POST", headers);
      expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([404, "NOT_FOUND"]);
      expect(Number(answer.headers["x-ratelimit-limit"])).toBeGreaterThan(0);
    }
    expect((await service.ask("metacode.example", "/api/health")).status).toBe(200);
  });

  test("shows the app's icon and no other app's", async () => {
    for (const { ctx } of [lumen, other]) await updateIcon(ctx, PNG.toString("base64"));
    const paths: string[] = [];
    for (const { ctx } of [lumen, other]) {
      const [app] = await database().orm.select().from(apps).where(eq(apps.id, ctx.app.id));
      paths.push(`/icons/${ctx.app.id}/${app?.iconHash}`);
    }
    const statuses = async (host: string) =>
      Promise.all(paths.map(async (path) => (await service.ask(host, path)).status));
    const icon = await service.ask("invite.lumen.example", paths[0] ?? "");
    expect(icon.headers).toMatchObject({
      "content-type": "image/png",
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
    });
    expect(await statuses("invite.lumen.example")).toEqual([200, 404]);
    expect(await statuses("go.example")).toEqual([200, 200]);
  });

  test("does not exist while its app is deleted", async () => {
    const mine = eq(apps.id, lumen.ctx.app.id);
    await database().orm.update(apps).set({ deletedAt: new Date() }).where(mine);
    forgetHosts();
    expect((await service.ask("invite.lumen.example", "/dashboard")).body).toBe("pages");
    await database().orm.update(apps).set({ deletedAt: null }).where(mine);
    forgetHosts();
  });
});

test("stays an app's own while the database is away", async () => {
  expect((await open("invite.lumen.example", metacodes[0])).status).toBe(200);
  pass(60_000);
  await database().close();
  const statuses = [
    (await service.ask("invite.lumen.example", "/dashboard")).status,
    (await service.ask("go.example", "/dashboard")).status,
    (await open("invite.lumen.example", metacodes[0])).status,
  ];
  const icon = await service.ask("go.example", `/icons/${lumen.ctx.app.id}/${"0".repeat(64)}`);
  forgetSingleton("database");
  expect(statuses).toEqual([404, 200, 503]);
  expect([icon.status, icon.headers["retry-after"], icon.body]).toEqual([503, "5", "Try again shortly\n"]);
});

test("made-up hosts take two connections, however many they are", async () => {
  const holder = await database().pool.connect();
  await holder.query("begin; lock table landing_domains in access exclusive mode");
  const visits = Array.from({ length: 20 }, (_, n) => service.ask(`made-up-${n}.example`, "/dashboard"));
  expect(await blockedBackends(2)).toHaveLength(2);
  expect((await clientOf(lumen.key).referrer("bob")).status).toBe(200);
  expect(await blockedBackends(2)).toHaveLength(2);
  await holder.query("commit");
  holder.release();
  expect(new Set((await Promise.all(visits)).map(({ status }) => status))).toEqual(new Set([200]));
});

describe("how a host may be named", () => {
  const DOMAIN = "invite.lumen.example";

  test.each(["x-forwarded-host", "x-host", "forwarded", "x-original-host", "x-http-host-override"])(
    "%s does not change the host",
    async (header) => {
      const there = { [header]: header === "forwarded" ? `host=${DOMAIN}` : DOMAIN };
      expect((await service.ask("go.example", "/dashboard", "GET", there)).status).toBe(200);
      const here = { [header]: header === "forwarded" ? "host=go.example" : "go.example" };
      expect((await service.ask(DOMAIN, "/dashboard", "GET", here)).status).toBe(404);
    },
  );

  test("an address in the request line does not outvote the Host header", async () => {
    for (const path of ["/dashboard", "/api/health", "/sign-in"]) {
      expect((await service.ask(DOMAIN, `http://go.example${path}`)).status).toBe(404);
    }
    const page = await service.ask(DOMAIN, `http://go.example/r/${metacodes[1]}`, "GET", browser);
    expect(page.status).toBe(404);
  });

  test.each(["a, b", `${DOMAIN}@go.example`, `${DOMAIN}/go.example`, "go.example:port", "\u00e4.example"])(
    "%j is no Host at all",
    async (host) => {
      expect((await service.ask(host, "/dashboard")).status).toBe(400);
    },
  );
});

test("cacheable responses are named by their content, and pages are not cacheable", async () => {
  const page = await open("invite.lumen.example", metacodes[0]);
  expect(page.headers).toMatchObject({
    "cache-control": "private, no-store",
    vary: "Accept-Language, User-Agent, Accept-Encoding",
  });
  const missing = await service.ask("invite.lumen.example", `/r/${metacodes[1]}/image/x.png`);
  expect([missing.status, missing.headers["cache-control"]]).toEqual([404, "no-store"]);
});

describe("the shared host", () => {
  test("keeps showing every app's invitations and names their current address", async () => {
    expect((await open("go.example", metacodes[0])).body).toContain("https://invite.lumen.example/r/");
    expect((await open("go.example", metacodes[1])).body).toContain(`https://go.example/r/${metacodes[1]}`);
  });

  test("is in referral_link, with the app's own domain if it has one", async () => {
    for (const [index, { key }] of [lumen, other].entries()) {
      const { body } = await clientOf(key).referrer("ann");
      const host = index === 0 ? "invite.lumen.example" : "go.example";
      expect(body.referral_link).toBe(`https://${host}/r/${metacodes[index]}`);
    }
  });
});

test("a proxy may request certificates for served hosts only, and a domain names no other", async () => {
  const ask = async (domain: string) =>
    (await service.ask("127.0.0.1:3000", `/.well-known/metacode-domain?domain=${domain}`)).status;
  for (const served of ["invite.lumen.example", "INVITE.lumen.example.", "go.example", "metacode.example"])
    expect(await ask(served)).toBe(200);
  for (const unknown of ["lumen.example", "evil.example", "localhost", "10.0.0.1", ""])
    expect(await ask(unknown)).toBe(404);
  expect(await ask("%00")).toBe(400);
  const there = "/.well-known/metacode-domain?domain=";
  for (const domain of ["go.example", "invite.lumen.example", "lumen.example"])
    expect((await service.ask("invite.lumen.example", `${there}${domain}`)).status).toBe(404);
});

describe("the files for phones", () => {
  const files = { apple: "/.well-known/apple-app-site-association", android: "/.well-known/assetlinks.json" };
  const ids = async (host: string) =>
    JSON.parse((await service.ask(host, files.apple)).body).applinks.details[0]?.appIDs;

  test.each(Object.values(files))(
    "%s is exactly JSON, 200 and no redirect, for GET and HEAD",
    async (path) => {
      for (const method of ["GET", "HEAD"]) {
        const answer = await service.ask("go.example", path, method, {
          "user-agent": "swcd (unknown version)",
        });
        expect(answer.status).toBe(200);
        expect(answer.headers["content-type"]).toBe("application/json");
        expect(answer.headers["cache-control"]).toBe("public, max-age=30");
        expect(answer.headers["set-cookie"]).toBeUndefined();
        expect(answer.body.length > 0).toBe(method === "GET");
      }
      const refused = await service.ask("go.example", path, "POST");
      expect([refused.status, refused.headers.allow]).toEqual([405, "GET, HEAD, OPTIONS"]);
    },
  );

  test("name the domain's app alone, and on the shared host every app, those without a domain first", async () => {
    const [mine, theirs] = ["A1B2C3D4E5.com.example.lumen", "A1B2C3D4E5.com.example.other"];
    expect(await ids("invite.lumen.example")).toEqual([mine]);
    expect(await ids("go.example")).toEqual([theirs, mine]);
    expect(await ids("10.0.0.1:3000")).toEqual([theirs, mine]);
  });
});
