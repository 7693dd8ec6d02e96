import { eq } from "drizzle-orm";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { referrers } from "@/lib/platform/db/schema";
import { forgetSingleton } from "@/lib/platform/singleton";
import { clientOf } from "@/lib/testing/client";
import { assignDomain, hostServer } from "@/lib/testing/domain";
import { useService } from "@/lib/testing/service";
import { makeTenant, type Tenant } from "@/lib/testing/tenant";
import { PIXEL_AGENT } from "@/lib/testing/user-agents";

useService({ APP_URL: "https://metacode.example", LANDING_URL: "https://go.example" });

/** User agents of the fetchers; none of them sends an Accept-Language. */
const FETCHERS = {
  iMessage:
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0",
  WhatsApp: "WhatsApp/2.21.12.21 A",
  Telegram: "TelegramBot (like TwitterBot)",
  Slack: "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
  X: "Twitterbot/1.0",
  Discord: "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
};

let service: Awaited<ReturnType<typeof hostServer>>;
let tenant: Tenant;
let metacode: string;
beforeAll(async () => {
  service = await hostServer();
  tenant = await makeTenant({ app: { name: "Lumen & Co" } });
  metacode = (await clientOf(tenant.key).referrer("ann", { name: 'Ada "Lovelace"' })).body.metacode;
});
afterAll(() => service.close());

const MARKS: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };
const text = (html: string) => html.replace(/&(?:amp|lt|gt|quot|#39);/g, (mark) => MARKS[mark] ?? mark);

/** Meta tags in the first 32 kB, as such a fetcher reads them: the first of a name counts. */
function tagsOf(html: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [tag] of html.slice(0, 32_768).matchAll(/<meta [^>]*>/g)) {
    const name = /(?:property|name)="([^"]*)"/.exec(tag)?.[1];
    const content = /content="([^"]*)"/.exec(tag)?.[1];
    if (name && content !== undefined && !found.has(name)) found.set(name, text(content));
  }
  return found;
}

async function preview(userAgent: string, host = "go.example", more: Record<string, string> = {}) {
  const page = await service.ask(host, `/r/${metacode}`, "GET", { "user-agent": userAgent, ...more });
  return { page, tags: tagsOf(page.body) };
}

const pathOf = (tags: Map<string, string>) => new URL(tags.get("og:image") ?? "").pathname;

describe.each(Object.entries(FETCHERS))("%s", (name, userAgent) => {
  test("reads inviter, app and an image with its size", async () => {
    const { page, tags } = await preview(userAgent);
    expect([page.status, page.headers.location]).toEqual([200, undefined]);
    expect(Object.fromEntries(tags)).toMatchObject({
      "og:title": 'Ada "Lovelace" invited you to Lumen & Co',
      "og:url": `https://go.example/r/${metacode}`,
      "og:site_name": "Lumen & Co",
      "og:type": "website",
      "og:locale": "en_US",
      "og:image:width": "1200",
      "og:image:height": "630",
      "og:image:type": "image/png",
      "og:image:alt": 'Ada "Lovelace" invited you to Lumen & Co',
      "twitter:card": "summary_large_image",
    });
    expect(tags.get("og:description")).toContain(metacode);
    expect(tags.get("og:image")).toMatch(
      new RegExp(`^https://go\\.example/r/${metacode}/image/[0-9a-f]{20}\\.png$`),
    );
  });

  test("gets the whole image, whether it requests the headers, a part or all of it", async () => {
    const path = pathOf((await preview(userAgent)).tags);
    const headers = { "user-agent": userAgent, accept: "image/*" };
    const head = await service.ask("go.example", path, "HEAD", headers);
    const part = await service.ask("go.example", path, "GET", { ...headers, range: "bytes=0-524288" });
    const whole = await service.ask("go.example", path, "GET", headers);
    for (const answer of [head, part, whole]) {
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({
        "content-type": "image/png",
        "content-length": String(whole.bytes.length),
        "cache-control": "public, max-age=31536000, immutable",
      });
      expect(answer.headers["set-cookie"]).toBeUndefined();
    }
    expect(head.bytes).toHaveLength(0);
    expect(await sharp(whole.bytes).metadata()).toMatchObject({ format: "png", width: 1200, height: 630 });
    expect(part.bytes.equals(whole.bytes)).toBe(true);
    if (name === "WhatsApp") expect(whole.bytes.length).toBeLessThan(300_000);
  });
});

test("none of them gets a click to report, unlike a phone", async () => {
  const reportsClick = async (userAgent: string) =>
    /data-click=|click_id/.test((await preview(userAgent)).page.body);
  for (const userAgent of [...Object.values(FETCHERS), ""]) expect(await reportsClick(userAgent)).toBe(false);
  expect(await reportsClick(PIXEL_AGENT)).toBe(true);
});

test("a fetcher that sends its user's language reads the tags in it", async () => {
  const { tags } = await preview(FETCHERS.Telegram, "go.example", { "accept-language": "de-AT,de;q=0.9" });
  expect(tags.get("og:locale")).toBe("de_DE");
});

test("the image has another address when the name changes, and the former one shows the new name", async () => {
  const former = pathOf((await preview(FETCHERS.X)).tags);
  const before = await service.ask("go.example", former);
  const mine = eq(referrers.appId, tenant.ctx.app.id);
  await database()
    .orm.update(referrers)
    .set({ metadata: { name: "Grace" } })
    .where(mine);
  forgetSingleton("landing.invitations");
  const current = pathOf((await preview(FETCHERS.X)).tags);
  expect(current).not.toBe(former);
  const after = await service.ask("go.example", former);
  expect(after.headers["cache-control"]).toBe("public, max-age=300");
  expect(after.bytes.equals(before.bytes)).toBe(false);
  expect(after.bytes.equals((await service.ask("go.example", current)).bytes)).toBe(true);
});

test("a paused invitation's image shows the app, but neither inviter nor metacode", async () => {
  const { ctx } = tenant;
  const drawn = async (status: "paused" | "active", name: string) => {
    const change = { status, metadata: { name } };
    await database().orm.update(referrers).set(change).where(eq(referrers.appId, ctx.app.id));
    forgetSingleton("landing.invitations");
    return (await service.ask("go.example", pathOf((await preview(FETCHERS.Slack)).tags))).bytes;
  };
  const paused = await drawn("paused", "Ada");
  expect(paused.equals(await drawn("paused", "Grace"))).toBe(true);
  expect(paused.equals(await drawn("active", "Ada"))).toBe(false);
});

test("there is an image for an invitation's own address only", async () => {
  for (const path of ["/r/zzzzzzzz/image/abc.png", `/r/${metacode}/image/abc.svg`]) {
    expect((await service.ask("go.example", path)).status).toBe(404);
  }
  expect((await service.ask("go.example", `/r/${metacode}/image/x.png`, "POST")).status).toBe(405);
});

test("on an app's own domain the tags name it, and another app's image is missing", async () => {
  const other = await makeTenant({ app: { name: "Other" } });
  await assignDomain(other.ctx.app.id, "invite.other.example");
  expect((await service.ask("invite.other.example", `/r/${metacode}/image/x.png`)).status).toBe(404);
  await assignDomain(tenant.ctx.app.id, "invite.lumen.example");
  const { tags } = await preview(FETCHERS.Discord, "invite.lumen.example");
  expect(tags.get("og:image")).toMatch(/^https:\/\/invite\.lumen\.example\/r\//);
  expect((await service.ask("invite.lumen.example", pathOf(tags))).status).toBe(200);
});
