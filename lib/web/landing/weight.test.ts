import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { GET } from "@/app/r/[slug]/route";
import { landingStyle } from "@/components/landing/style";
import { LANDING_TAGS } from "@/lib/contract/landing-languages";
import { database } from "@/lib/platform/db/client";
import { apps } from "@/lib/platform/db/schema";
import { clientOf } from "@/lib/testing/client";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { DESKTOP_AGENT } from "@/lib/testing/user-agents";

useService();

/** Maximum size of a first view, compressed, without the owner's icon. */
const MOST = 30_000;

async function longest() {
  const tenant = await makeTenant({ app: { name: "W".repeat(80) } });
  await database().orm.update(apps).set({ accentColor: "#ffee00" }).where(eq(apps.id, tenant.ctx.app.id));
  const reply = await clientOf(tenant.key).referrer("ann", { name: "\u{1f389}".repeat(80) });
  return reply.body.metacode as string;
}

function open(slug: string, language: string): Promise<Response> {
  const headers = { "user-agent": DESKTOP_AGENT, "accept-language": language, "accept-encoding": "gzip, br" };
  const request = new Request(`http://localhost:3000/r/${slug}`, { headers });
  return GET(request, { params: Promise.resolve({ slug }) });
}

test("the page is small in every language", async () => {
  const metacode = await longest();
  const weights: number[] = [];
  for (const language of LANDING_TAGS) {
    const response = await open(metacode, language);
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect(response.headers.get("content-language")).toBe(language);
    weights.push((await response.arrayBuffer()).byteLength);
  }
  expect(weights).toHaveLength(LANDING_TAGS.length);
  expect(Math.max(...weights)).toBeLessThan(MOST);
  expect(Math.min(...weights)).toBeGreaterThan(1_000);
  const html = await (await open(metacode, "en")).text();
  expect(html).not.toContain("<html");
});

test("a page loads no other file: no script, style sheet, font or image", async () => {
  const request = new Request("http://localhost:3000/r/x", { headers: { "user-agent": DESKTOP_AGENT } });
  const slug = await longest();
  const html = await (await GET(request, { params: Promise.resolve({ slug }) })).text();
  const loaded = html
    .replace(/<noscript>.*?<\/noscript>/g, "")
    .match(/<(?:script|img|iframe|source|video)[^>]*src=|<link[^>]*href="(?!data:)|url\(|@import/g);
  expect(loaded).toBeNull();
});

test("the place of “Copied” is there before its text, because screen readers announce only changes of what is there", () => {
  const rules = landingStyle.match(/\.status[^{]*\{[^}]*\}/g);
  expect(rules).toHaveLength(2);
  expect(String(rules)).not.toMatch(/display:none|visibility/);
});
