import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { PHONE_SCOPES, READ_ONLY_SCOPES, REDEEM_ONLY_SCOPES } from "@/lib/contract/api-key";
import { BudgetField } from "./key-limits";
import { firstRequestRow } from "./try-key";

test("a new key comes with a first request, unless it may not create a referrer", () => {
  const [row] = firstRequestRow("https://example.com", "mc_test_1", PHONE_SCOPES);
  expect(row?.text).toBe(
    `curl https://example.com/api/referrer --header "x-api-key: mc_test_1" --json '{"uid": "user_123"}'`,
  );
  for (const scopes of [READ_ONLY_SCOPES, REDEEM_ONLY_SCOPES]) {
    expect(firstRequestRow("https://example.com", "mc_test_1", scopes)).toEqual([]);
  }
});

test("the budget of a new key is explained below the field, where a phone shows the whole text", () => {
  const field = (value?: null) =>
    renderToStaticMarkup(BudgetField({ state: {}, ...(value === null && { value }) }));
  expect(field()).toContain("a tenth of the monthly quota, except on Enterprise and in a sandbox.");
  expect(field()).toContain('placeholder="Default"');
  expect(field(null)).toContain('placeholder="No budget"');
});
