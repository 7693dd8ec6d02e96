import { createHash } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import * as route from "@/app/r/[slug]/route";
import { database } from "@/lib/platform/db/client";
import { apps, campaigns, referrers, slugDirectory } from "@/lib/platform/db/schema";
import { forgetSingleton } from "@/lib/platform/singleton";
import { clientOf } from "@/lib/testing/client";
import { openPage } from "@/lib/testing/landing";
import { useService } from "@/lib/testing/service";
import { makeTenant, type TenantOptions } from "@/lib/testing/tenant";
import { DESKTOP_AGENT, IPHONE_AGENT, PIXEL_AGENT } from "@/lib/testing/user-agents";
import { storeLinks } from "@/lib/web/landing/links";

useService();

async function inviting(options: TenantOptions = {}, metadata?: unknown) {
  const tenant = await makeTenant(options);
  const reply = await clientOf(tenant.key).referrer("ann", metadata);
  return { tenant, metacode: reply.body.metacode as string };
}

describe("an open invitation", () => {
  test("names app, inviter and metacode, and links both stores", async () => {
    const { metacode } = await inviting({ app: { name: "Lumen" } }, { name: "Ada" });
    const { status, html } = await openPage(metacode);
    expect(status).toBe(200);
    expect(html).toContain("<title>Ada invited you to Lumen</title>");
    expect(html).toContain(`>${metacode}</output>`);
    expect(html).toContain('href="https://apps.apple.com/app/id1234567890"');
    expect(html).toContain(
      'href="https://play.google.com/store/apps/details?id=com.example.fitness&amp;referrer=metacode%3D',
    );
    expect(html).toContain(
      'name="apple-itunes-app" content="app-id=1234567890, app-argument=http://localhost:3000/r/',
    );
    expect(html).toContain('property="og:title" content="Ada invited you to Lumen"');
  });

  test("is neither stored nor listed, sets no cookie and redirects nowhere", async () => {
    const { metacode } = await inviting();
    const { headers, html } = await openPage(metacode);
    expect(headers.get("cache-control")).toBe("private, no-store");
    const names = ["x-robots-tag", "x-content-type-options", "referrer-policy"];
    expect(names.map((name) => headers.get(name))).toEqual(["noindex", "nosniff", "no-referrer"]);
    expect(html).toContain('<meta name="robots" content="noindex"/>');
    for (const name of ["set-cookie", "location", "refresh"]) expect(headers.get(name)).toBeNull();
  });

  test.each([null, "#ffee00", "#d4145a", "#ffee00"])(
    "allows exactly its own styles and script, in the colour %s",
    async (accentColor) => {
      const { tenant, metacode } = await inviting();
      await database().orm.update(apps).set({ accentColor }).where(eq(apps.id, tenant.ctx.app.id));
      const { headers, html } = await openPage(metacode);
      const policy = headers.get("content-security-policy") ?? "";
      for (const tag of ["style", "script"]) {
        const texts = [...html.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, "gs"))];
        expect(texts).toHaveLength(tag === "style" && accentColor ? 2 : 1);
        const hashes = texts.map(([, text = ""]) => createHash("sha256").update(text).digest("base64"));
        expect(policy).toContain(`${tag}-src ${hashes.map((hash) => `'sha256-${hash}'`).join(" ")};`);
      }
      expect(policy).toMatch(
        /^default-src 'none'; .*; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
      );
      expect(policy).not.toContain("unsafe");
      expect(html).not.toMatch(/<(?:script|img|iframe|link)[^>]+(?:src|href)="(?:https?:)?\/\//);
      expect(html).not.toContain(" style=");
    },
  );

  test("puts the store of this phone first", async () => {
    const { metacode } = await inviting();
    const first = async (userAgent: string) =>
      /class="store[^"]*" href="https:\/\/([a-z.]+)/.exec(
        (await openPage(metacode, { "user-agent": userAgent })).html,
      )?.[1];
    expect(await first(PIXEL_AGENT)).toBe("play.google.com");
    expect(await first(IPHONE_AGENT)).toBe("apps.apple.com");
    expect(await first(DESKTOP_AGENT)).toBe("apps.apple.com");
  });

  test("has no store links when the app is in no store", async () => {
    const { metacode } = await inviting({ app: { appleAppId: null, androidPackage: null } });
    const { status, html } = await openPage(metacode, { "user-agent": IPHONE_AGENT });
    expect(status).toBe(200);
    expect(html).not.toMatch(/apple-itunes-app|class="store/);
    expect(html).toContain("Search for it");
  });
});

const HOSTILE = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "</title><script>alert(1)</script>",
  "</style><svg onload=alert(1)>",
  "' onmouseover='alert(1)",
  "javascript:alert(1)",
  "&lt;script&gt;alert(1)&lt;/script&gt;",
  "<!--",
  '" onmouseover="alert(1)',
];

describe("a hostile name", () => {
  test.each(HOSTILE)("%s stays text, of a person and of an app", async (name) => {
    const plain = await openPage((await inviting({}, { name: "Ada" })).metacode);
    const { html } = await openPage((await inviting({ app: { name } }, { display_name: name })).metacode);
    const skeleton = (text: string) =>
      [...text.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/="[^"]*"/g, ""));
    expect(skeleton(html)).toEqual(skeleton(plain.html));
    expect(html).toMatch(/<title>.+ invited you to .+<\/title>/);
  });

  test("loses control and direction marks and is cut at 80", async () => {
    const { metacode } = await inviting({}, { name: `\u202eevil\u2066\u0007 ${"x".repeat(200)}` });
    const { html } = await openPage(metacode);
    const name = /<title>(.*?) invited you to/.exec(html)?.[1] ?? "";
    expect(name).toMatch(/^evil x+$/);
    expect([...name].length).toBeLessThanOrEqual(80);
  });
});

describe("an invitation that is not open", () => {
  const set = async (id: string, status: "paused" | "ended") =>
    database().orm.update(referrers).set({ status }).where(eq(referrers.appId, id));

  test.each([
    ["paused", 200],
    ["ended", 410],
  ] as const)("of a %s referrer says so with %i", async (status, expected) => {
    const { tenant, metacode } = await inviting();
    await set(tenant.ctx.app.id, status);
    const page = await openPage(metacode);
    expect(page.status).toBe(expected);
    expect(page.html).toContain(status === "paused" ? "is paused" : "has ended");
    expect(page.html).not.toContain(metacode.toUpperCase());
    expect(page.html).not.toMatch(/<output|data-click=|referrer=|apple-itunes-app/);
  });

  test.each([
    ["is paused", { status: "paused" as const }],
    ["has not begun", { startsAt: new Date(Date.now() + 3_600_000) }],
    ["is a draft", { status: "draft" as const, activatedAt: null }],
    ["is over", { endsAt: new Date(Date.now() - 3_600_000) }],
    ["has ended", { status: "ended" as const }],
  ])("because the campaign of the app's users %s may open again", async (_, campaign) => {
    const page = await openPage((await inviting({ campaign })).metacode);
    expect([page.status, page.html]).toEqual([200, expect.stringContaining("is paused")]);
  });

  test("opens again within the life of the cache", async () => {
    const { tenant, metacode } = await inviting({ campaign: { status: "paused" } });
    expect((await openPage(metacode)).html).toContain("is paused");
    const mine = and(eq(campaigns.appId, tenant.ctx.app.id), eq(campaigns.id, tenant.campaignId));
    await database().orm.update(campaigns).set({ status: "active" }).where(mine);
    forgetSingleton("landing.invitations");
    expect((await openPage(metacode)).html).toContain("invited to");
  });
});

describe("a link without an invitation", () => {
  test.each([
    "zzzzzzzz",
    "test123",
    "TEST409",
    "testended",
    "abc",
    "a'b--",
    "../admin",
    "\u212abcd2345",
    "x".repeat(33),
  ])("%s is 404", async (slug) => {
    const request = new Request("http://localhost:3000/r/x", { headers: { "user-agent": PIXEL_AGENT } });
    const response = await route.GET(request, { params: Promise.resolve({ slug }) });
    expect(response.status).toBe(404);
    expect(await response.text()).toContain("leads to no invitation");
  });

  test("a test metacode is 404 even when a referrer has it", async () => {
    const { tenant, metacode } = await inviting();
    const { orm } = tenant.ctx.db;
    await orm.update(slugDirectory).set({ slug: "test123" }).where(eq(slugDirectory.slug, metacode));
    await orm.update(referrers).set({ slug: "test123" }).where(eq(referrers.appId, tenant.ctx.app.id));
    forgetSingleton("landing.invitations");
    expect((await openPage("test123")).status).toBe(404);
  });

  test("a metacode that its referrer had before opens the page of the current one", async () => {
    const { tenant, metacode } = await inviting();
    const { orm } = tenant.ctx.db;
    await orm.update(referrers).set({ slug: "adasfit" }).where(eq(referrers.appId, tenant.ctx.app.id));
    const { status, html } = await openPage(metacode);
    expect(status).toBe(200);
    expect(html).toContain("adasfit");
  });

  test("the end of a sentence after a metacode is no part of it", async () => {
    const { metacode } = await inviting();
    for (const end of [".", ")", "\u201d!", "`", "에서 받으세요", "，快来", "🎁❤️", "\u2069\u200f"])
      expect([end, (await openPage(metacode + end)).status]).toEqual([end, 200]);
  });

  test("a metacode that a hyphen or a letter continues is 404, although redeem accepts hyphens", async () => {
    const { metacode } = await inviting();
    for (const end of ["-s", "ıs", "\u0301"]) expect((await openPage(metacode + end)).status).toBe(404);
  });
});

describe("methods", () => {
  test("HEAD has the headers and no page", async () => {
    const { metacode } = await inviting();
    const head = await openPage(metacode, {}, "HEAD");
    expect([head.status, head.html, head.headers.get("content-type")]).toEqual([
      200,
      "",
      "text/html; charset=utf-8",
    ]);
    expect((await openPage("zzzzzzzz", {}, "HEAD")).status).toBe(404);
  });

  test("others are refused with the allowed ones", async () => {
    for (const refuse of [route.POST, route.PUT, route.PATCH, route.DELETE]) {
      const response = refuse();
      expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    }
    expect(route.OPTIONS().status).toBe(204);
  });
});

test("without a database the page is a plain 503", async () => {
  const { metacode } = await inviting();
  await database().close();
  const page = await openPage(metacode);
  forgetSingleton("database");
  expect([page.status, page.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(page.html).toContain("Back in a moment");
  expect(page.html).not.toMatch(/at |Error|pool/);
  expect((await openPage(metacode)).status).toBe(200);
});

test("the Play link escapes its values", () => {
  const listing = { metacode: "ada", appleAppId: undefined, androidPackage: "com.x" };
  const [link] = storeLinks(listing, true, "android", "c1");
  const query = new URL(link?.href ?? "").searchParams;
  expect(query.get("id")).toBe("com.x");
  expect(query.get("referrer")).toBe("metacode=ada&click_id=c1");
  expect(
    new URL(storeLinks(listing, false, "android", undefined)[0]?.href ?? "").searchParams.has("referrer"),
  ).toBe(false);
});
