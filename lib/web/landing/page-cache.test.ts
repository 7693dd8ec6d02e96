import { expect, test } from "vitest";
import { forgetSingleton } from "@/lib/platform/singleton";
import type { LandingInvitation } from "@/lib/web/landing/find-invitation";
import { cachedPage } from "@/lib/web/landing/page-cache";

const invitation = (metacode: string) => ({ metacode }) as LandingInvitation;

test("a page is rendered once per variant, and again when its invitation was read again", () => {
  let rendered = 0;
  const render = () => String(rendered++);
  const link = invitation("k7m2p9xd");
  for (const variant of ["en ios", "en ios", "de ios"]) cachedPage(link, variant, false, render);
  expect(rendered).toBe(2);
  expect(cachedPage(link, "en ios", true, render).text()).not.toBe(
    cachedPage(link, "en ios", false, render).text(),
  );
  expect(cachedPage(invitation("k7m2p9xd"), "en ios", false, render).text()).toBe("3");
});

test("the cache is bounded, also when every language of every link is visited", () => {
  forgetSingleton("landing.pages");
  const links = Array.from({ length: 4_000 }, (_, index) => invitation(`link${index}`));
  let rendered = 0;
  const visit = (link: LandingInvitation | undefined) =>
    link && cachedPage(link, "en", false, () => String(rendered++));
  links.forEach(visit);
  visit(links.at(-2_500));
  expect(rendered).toBe(4_000);
  visit(links.at(-2_501));
  expect(rendered).toBe(4_001);
});
