import { expect, test } from "vitest";
import type { Invitation } from "@/lib/landing/find-invitation";
import { pageFor } from "@/lib/landing/page-cache";
import { forget } from "@/lib/shared";

const invitation = (metacode: string) => ({ metacode }) as Invitation;

test("a page is rendered once for a kind of visitor, and anew when its invitation was read anew", () => {
  let rendered = 0;
  const render = () => String(rendered++);
  const one = invitation("k7m2p9xd");
  for (const kind of ["en ios", "en ios", "de ios"]) pageFor(one, kind, false, render);
  expect(rendered).toBe(2);
  expect(pageFor(one, "en ios", true, render).text()).not.toBe(pageFor(one, "en ios", false, render).text());
  expect(pageFor(invitation("k7m2p9xd"), "en ios", false, render).text()).toBe("3");
});

test("pages are kept within a bound, whoever visits every language of every link", () => {
  forget("landing.pages");
  const links = Array.from({ length: 4_000 }, (_, index) => invitation(`link${index}`));
  let rendered = 0;
  const visit = (link: Invitation | undefined) =>
    link && pageFor(link, "en", false, () => String(rendered++));
  links.forEach(visit);
  visit(links.at(-2_500));
  expect(rendered).toBe(4_000);
  visit(links.at(-2_501));
  expect(rendered).toBe(4_001);
});
