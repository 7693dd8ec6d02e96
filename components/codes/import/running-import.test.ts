import { expect, test } from "vitest";
import { reportHref } from "./running-import";

test("the report of an interrupted import keeps the pool and the campaign in the page's address", () => {
  const page = "https://metacode.example/dashboard/apps/a1/codes/import";
  expect(reportHref(`${page}?pool=p1&from=c1`, "b2")).toBe(
    "/dashboard/apps/a1/codes/import?pool=p1&from=c1&import=b2",
  );
  expect(reportHref(`${page}?import=b1`, "b2")).toBe("/dashboard/apps/a1/codes/import?import=b2");
});
