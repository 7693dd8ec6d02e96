import { execFile } from "node:child_process";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { escapeText, renderInvitation } from "@/components/landing/render";
import type { LandingView } from "@/lib/contract/landing";
import { forgetSingleton } from "@/lib/platform/singleton";
import { bundleForChild } from "@/lib/testing/processes/child";
import { DESKTOP_AGENT, IPHONE_AGENT, PIXEL_AGENT } from "@/lib/testing/user-agents";
import type { LandingInvitation } from "@/lib/web/landing/find-invitation";
import { cachedPage } from "@/lib/web/landing/page-cache";
import { landingView, noticeFrame } from "@/lib/web/landing/view";

process.env.LANDING_URL = "https://links.example.com";

const INVITATION: LandingInvitation = {
  appId: "01a1fbd4-0139-7fe2-a08e-0b1b349ba341",
  referrerId: "01a1fbd4-0139-7fe2-a08e-0b1b349ba342",
  metacode: "k7m2p9xd",
  state: "open",
  inviter: "Ada",
  appName: "Lumen",
  appleAppId: "1234567890",
  androidPackage: "com.example.app",
  iconHash: undefined,
  accentColor: "#d4145a",
  domain: undefined,
  ownTexts: false,
  endsAt: new Date(Date.now() + 86_400_000),
};
const VISIT = { userAgent: IPHONE_AGENT, language: "en" as const, clickId: undefined, own: {} };

/** Renders pages and counts them. */
function countingRenderer() {
  forgetSingleton("landing.templates");
  const rendered: LandingView[] = [];
  const render = (view: LandingView) => {
    rendered.push(view);
    return renderInvitation(view);
  };
  return { rendered, renderer: { renderInvitation: render, escapeText } };
}

function pageOf(invitation: LandingInvitation, visit: Parameters<typeof cachedPage>[2]) {
  const { renderer, rendered } = countingRenderer();
  // Another link of the app fills the template.
  cachedPage(renderer, { ...invitation, metacode: invitation.metacode.replace(/./g, "z") }, visit);
  const { template, values } = cachedPage(renderer, invitation, visit);
  expect(rendered).toHaveLength(1);
  const text = template.plain(values).toString();
  expect(gunzipSync(template.gzip(values)).toString()).toBe(text);
  return text;
}

describe("a page from another link's template is the one that would be rendered", () => {
  const invitations: [string, Partial<LandingInvitation>][] = [
    ["an open invitation", {}],
    ["no inviter", { inviter: undefined }],
    ["a hostile inviter", { inviter: `"><script>alert('1')</script>&lt; $& $1 \u{1f389}` }],
    ["a long metacode", { metacode: "ada2lovelace3of4london5" }],
    ["the longest short metacode", { metacode: "a".repeat(14) }],
    ["the shortest long metacode", { metacode: "a".repeat(15) }],
    ["a paused one", { state: "paused" }],
    ["one that ended", { state: "ended" }],
    ["one with a domain", { domain: "go.example.com" }],
  ];
  const visits = [IPHONE_AGENT, PIXEL_AGENT, DESKTOP_AGENT].flatMap((userAgent) =>
    (["en", "ar"] as const).flatMap((language) =>
      [undefined, "01a1fbd4-0139-7fe2-a08e-0b1b349ba343"].map((clickId) => ({
        userAgent,
        language,
        clickId,
        own: { invited: "{inviter} & {app} <{metacode}>", step2: "{metacode}" },
      })),
    ),
  );
  test.each(invitations)("%s", (_, change) => {
    const invitation = { ...INVITATION, ...change };
    for (const visit of visits)
      expect(pageOf(invitation, visit)).toBe(renderInvitation(landingView(invitation, visit)));
  });
});

test("all links of an app share a page, and whatever else differs has its own", () => {
  const { renderer, rendered } = countingRenderer();
  for (let index = 0; index < 500; index++)
    cachedPage(renderer, { ...INVITATION, metacode: `link${index}`, inviter: `Ada ${index}` }, VISIT);
  expect(rendered).toHaveLength(1);
  const others = [
    { ...INVITATION, appName: "Luma" },
    { ...INVITATION, accentColor: "#000000" },
    { ...INVITATION, appId: "01a1fbd4-0139-7fe2-a08e-0b1b349ba344" },
  ];
  for (const other of others) cachedPage(renderer, other, VISIT);
  cachedPage(renderer, INVITATION, { ...VISIT, language: "de" });
  cachedPage(renderer, INVITATION, { ...VISIT, own: { lead: "Run with me" } });
  cachedPage(renderer, INVITATION, { ...VISIT, userAgent: DESKTOP_AGENT });
  cachedPage(renderer, INVITATION, { ...VISIT, clickId: "01a1fbd4-0139-7fe2-a08e-0b1b349ba343" });
  expect(rendered).toHaveLength(8);
});

test("the cache is bounded", () => {
  const { renderer, rendered } = countingRenderer();
  const visit = (index: number) => cachedPage(renderer, { ...INVITATION, appName: `App ${index}` }, VISIT);
  for (let index = 0; index <= 400; index++) visit(index);
  visit(400);
  expect(rendered).toHaveLength(401);
  visit(0);
  expect(rendered).toHaveLength(402);
});

test("a page leaves no asynchronous storage behind, which would slow down every promise of the process", async () => {
  const file = pathToFileURL(await bundleForChild("components/landing/render.tsx"));
  const script = `
    import { executionAsyncId } from "node:async_hooks";
    import { renderNotice } from ${JSON.stringify(file)};
    const page = renderNotice("unknown", ${JSON.stringify(noticeFrame("en"))});
    await null;
    console.log(page.slice(0, 9), await Promise.resolve().then(executionAsyncId))`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
  // Promises have ids only where something follows them.
  expect(stdout.trim()).toBe("<!doctype 0");
});
