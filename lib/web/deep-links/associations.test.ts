import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { apps } from "@/lib/platform/db/schema";
import { insertWorkspace } from "@/lib/tenants/workspaces/create";
import { useService } from "@/lib/testing/service";
import { androidAssociation, appleAssociation, type LinkedApp, linkedApps } from "./associations";

useService();

const FINGERPRINT = Array(32).fill("AB").join(":");

const app = (changes: Partial<LinkedApp> = {}): LinkedApp => ({
  appleTeamId: "A1B2C3D4E5",
  iosBundleId: "com.example.lumen",
  androidPackage: "com.example.lumen",
  androidFingerprints: [FINGERPRINT],
  ...changes,
});

test("the iOS file has the app's ids, and opens landing pages but no paths below them", () => {
  expect(JSON.parse(appleAssociation([app(), app()]).text)).toEqual({
    applinks: {
      details: [
        {
          appIDs: ["A1B2C3D4E5.com.example.lumen"],
          components: [{ "/": "/r/*/*", exclude: true }, { "/": "/r/*" }],
        },
      ],
    },
  });
});

test("the Android file has package and certificates, in one statement for two apps with the same package", () => {
  const second = FINGERPRINT.replace("AB", "CD");
  const { text } = androidAssociation([app(), app({ androidFingerprints: [second, FINGERPRINT] })]);
  expect(JSON.parse(text)).toEqual([
    {
      relation: ["delegate_permission/common.handle_all_urls"],
      target: {
        namespace: "android_app",
        package_name: "com.example.lumen",
        sha256_cert_fingerprints: [FINGERPRINT, second],
      },
      relation_extensions: {
        "delegate_permission/common.handle_all_urls": {
          dynamic_app_link_components: [
            { "/": "/r/*/*", exclude: true },
            { "/": "/r/*" },
            { "/": "*", exclude: true },
          ],
        },
      },
    },
  ]);
});

test("an app without both of its ids is in neither file", () => {
  const none = [
    app({ iosBundleId: null, androidFingerprints: [] }),
    app({ appleTeamId: null, androidPackage: null }),
  ];
  expect(JSON.parse(appleAssociation(none).text)).toEqual({ applinks: { details: [] } });
  expect(JSON.parse(androidAssociation(none).text)).toEqual([]);
});

test("beyond the size that Apple reads the last apps are left out, and counted", () => {
  const many = Array.from({ length: 4_000 }, (_, index) =>
    app({
      iosBundleId: `com.example.an-app-with-a-long-name${index}`,
      androidPackage: `com.example.x${index}`,
    }),
  );
  for (const { text, left } of [appleAssociation(many), androidAssociation(many)]) {
    const most = (text.startsWith("[") ? 1024 : 128) * 1024;
    expect(Buffer.byteLength(text)).toBeGreaterThan(most - 1_500);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(most);
    expect(left).toBeGreaterThan(500);
    expect(text).toContain(text.startsWith("[") ? `x0"` : `name0"`);
  }
  const { details } = JSON.parse(appleAssociation(many).text).applinks;
  expect(details[0].appIDs.length + appleAssociation(many).left).toBe(4_000);
});

test("the first app of every workspace is listed before the second of any, and apps with a domain last", async () => {
  const addApps = async (name: string, count: number, landingDomainVerifiedAt: Date | null = null) => {
    const { id: workspaceId } = await insertWorkspace(database(), { name });
    const rows = Array.from({ length: count }, (_, nth) => ({
      ...app({ iosBundleId: `${name}${nth}` }),
      id: uuidv7(),
      workspaceId,
      name,
      landingDomainVerifiedAt,
    }));
    await database().orm.insert(apps).values(rows);
  };
  await addApps("own-domain", 1, new Date());
  await addApps("many", 3);
  await addApps("late", 2);
  expect((await linkedApps(undefined)).map(({ iosBundleId }) => iosBundleId)).toEqual([
    ...["many0", "late0", "many1", "late1", "many2", "own-domain0"],
  ]);
});
