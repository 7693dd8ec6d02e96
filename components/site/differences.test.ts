import { expect, test } from "vitest";
import { findDocsPage, findQuickstartExchange } from "@/lib/web/docs/page";
import { DIFFERENCES } from "./differences";

test.each(DIFFERENCES)("the proof of “$title” exists", async ({ proof: { href } }) => {
  const [path = "", anchor] = href.split("#");
  const page = await findDocsPage(path);
  expect(page).toBeDefined();
  if (anchor) expect(page?.headings.map(({ id }) => id)).toContain(anchor);
});

test("the front page shows the request of the quickstart", async () => {
  const shown = await findQuickstartExchange();
  expect(shown?.request.text).toMatch(/^curl .*referee-redeem/);
  expect(JSON.parse(shown?.answer.text ?? "")).toHaveProperty("store_url");
});
