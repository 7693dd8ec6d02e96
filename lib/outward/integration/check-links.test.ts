import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fetchLinks } from "@/lib/outward/integration/check-links";
import { apps } from "@/lib/platform/db/schema";
import { freePort } from "@/lib/platform/embedded-postgres/address";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { type Receiver, startReceiver } from "@/lib/testing/webhooks/receiver";

const port = await freePort();
useService({ OUTBOUND_ALLOW: "127.0.0.0/8", LANDING_URL: `http://127.0.0.1:${port}` });

const FINGERPRINT = Array(32).fill("AB").join(":");
const IDENTITY = {
  appleTeamId: "A1B2C3D4E5",
  iosBundleId: "com.example.lumen",
  androidPackage: "com.example.lumen",
  androidFingerprints: [FINGERPRINT],
};
const AASA = { applinks: { details: [{ appIDs: ["A1B2C3D4E5.com.example.lumen"] }] } };
const LINKS = [{ target: { package_name: "com.example.lumen", sha256_cert_fingerprints: [FINGERPRINT] } }];

interface Served {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Answers by the beginning of the path: the service's own files and those of the stores. */
let served: Record<string, Served> = {};
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver(port);
  receiver.answer((request, response) => {
    const path = Object.keys(served).find((start) => request.path.startsWith(start)) ?? "";
    const { status = 200, headers = {}, body = {} } = served[path] ?? { status: 404 };
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
});
afterAll(() => receiver.stop());

const GOOD: Record<string, Served> = {
  "/.well-known/apple-app-site-association": { body: AASA },
  "/.well-known/assetlinks.json": { body: LINKS },
  "/apple/": { body: AASA },
  "/google": { body: JSON.stringify(LINKS, null, 2) },
};

async function linksOf(
  changes: Record<string, Served>,
  identity: Partial<typeof apps.$inferInsert> = IDENTITY,
) {
  served = { ...GOOD, ...changes };
  const { ctx } = await makeTenant({ app: identity });
  const stores = { apple: `${receiver.url}/apple/`, google: `${receiver.url}/google` };
  const [ios, android, ...more] = await fetchLinks(ctx, stores);
  expect(more).toEqual([]);
  return {
    ios: [ios?.state, ios?.evidence.join(" ")],
    android: [android?.state, android?.evidence.join(" ")],
  };
}

describe("association files", () => {
  test("that the service serves and the stores have are good", async () => {
    const { ios, android } = await linksOf({});
    expect(ios).toEqual([
      "good",
      expect.stringMatching(
        /^Served in \d+ ms, and contains A1B2C3D4E5\.com\.example\.lumen\. Apple’s cache has it too\.$/,
      ),
    ]);
    expect(android).toEqual(["good", expect.stringContaining("Google’s Digital Asset Links has it too.")]);
  });

  test.each<[string, Served, string]>([
    [
      "a redirect",
      { status: 301, headers: { location: "https://www.example.com/" } },
      "It returned 301 and redirects to https://www.example.com/, which phones do not follow.",
    ],
    [
      "a type other than JSON",
      { headers: { "content-type": "text/html" }, body: AASA },
      "has the type text/html",
    ],
    ["another app", { body: { applinks: { details: [] } } }, "does not contain A1B2C3D4E5.com.example.lumen"],
    ["an error", { status: 503 }, "It returned 503."],
  ])("with %s are a problem", async (_, answer, text) => {
    const { ios } = await linksOf({ "/.well-known/apple-app-site-association": answer });
    expect(ios).toEqual(["warning", expect.stringContaining(text)]);
  });

  test("that a store has not renewed are a hint", async () => {
    const { ios, android } = await linksOf({ "/apple/": { status: 404 }, "/google": { body: [] } });
    expect(ios).toEqual(["hint", expect.stringContaining("Apple’s cache returned 404")]);
    expect(android).toEqual([
      "hint",
      expect.stringContaining("still has an older file, without com.example.lumen"),
    ]);
  });

  test("whose copy cannot be fetched from here are as good as the served file", async () => {
    const { ctx } = await makeTenant({ app: IDENTITY });
    served = GOOD;
    const closed = { apple: "http://10.0.0.1/", google: "http://10.0.0.1/" };
    const checks = await fetchLinks(ctx, closed);
    expect(checks.map(({ state }) => state)).toEqual(["good", "good"]);
    expect(checks[0]?.evidence[1]).toContain("Apple’s cache could not be reached");
  });

  test("beyond 16 KB are read to their end", async () => {
    const details = [
      {
        appIDs: [
          ...Array.from({ length: 2_000 }, (_, n) => `A1B2C3D4E5.com.example.app${n}`),
          "A1B2C3D4E5.com.example.lumen",
        ],
      },
    ];
    const { ios } = await linksOf({
      "/.well-known/apple-app-site-association": { body: { applinks: { details } } },
    });
    expect(ios[0]).toBe("good");
  });

  test("without the app's identity are not fetched", async () => {
    const { ios } = await linksOf({}, { ...IDENTITY, appleTeamId: null });
    expect(ios).toEqual(["idle", expect.stringContaining("Enter team ID and bundle ID")]);
  });
});

test("the app's own domain is checked beside the shared host once it is verified, and a private address is never reached", async () => {
  served = GOOD;
  const { ctx } = await makeTenant({ app: IDENTITY });
  const stores = { apple: `${receiver.url}/apple/`, google: `${receiver.url}/google` };
  const own = (values: Partial<typeof apps.$inferInsert>) =>
    ctx.db.orm.update(apps).set(values).where(eq(apps.id, ctx.app.id));
  // Until then links lead to the shared host, and another site may answer there.
  await own({ landingDomain: "10.0.0.1" });
  expect(await fetchLinks(ctx, stores)).toHaveLength(2);
  await own({ landingDomainVerifiedAt: new Date() });
  const checks = await fetchLinks(ctx, stores);
  expect(checks.map(({ subject, state }) => [subject, state])).toEqual([
    [`apple 127.0.0.1:${port}`, "good"],
    [`android 127.0.0.1:${port}`, "good"],
    ["apple 10.0.0.1", "idle"],
    ["android 10.0.0.1", "idle"],
  ]);
  expect(checks[2]?.evidence[0]).toContain("private network");
});
