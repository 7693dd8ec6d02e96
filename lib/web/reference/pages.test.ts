import { expect, test } from "vitest";
import { WEBHOOK_EVENT_NAMES } from "@/lib/contract/webhook-events";
import { parseDocs } from "@/lib/web/docs/parse";
import { codesByStatus } from "@/lib/web/openapi/operation";
import { OPERATIONS } from "@/lib/web/openapi/operations";
import { referencePages } from "./pages";

const pages = referencePages();
const markdownOf = (file: string) => pages.find((page) => page.file === file)?.markdown ?? "";

test("each operation has a page with its call, its errors and its response", () => {
  for (const operation of OPERATIONS) {
    const page = pages.find(({ name }) => name === operation.summary);
    expect(page?.markdown).toContain(`\`${operation.method.toUpperCase()} /api${operation.path}\``);
    for (const codes of codesByStatus(operation).values())
      for (const code of codes) expect(page?.markdown).toContain(`[\`${code}\`](../guides/errors.md#`);
    expect(page?.markdown).toContain(JSON.stringify(operation.answer.example, null, 2));
  }
});

test("inner fields are listed by their path, and equal objects once", () => {
  const referrer = markdownOf("api/get-or-create-referrer.md");
  expect(referrer).toContain("| `stats.rewards_available` | integer |");
  expect(referrer).toContain("| `progress.ios.threshold` | integer |");
  expect(referrer).toContain("| `progress.android` | object | As `progress.ios`. |");
  expect(referrer).toContain("| `uid` | string, required |");
  expect(markdownOf("api/claim-rewards.md")).toContain("| `claimed_rewards[].code` | string |");
  expect(markdownOf("api/redeem-metacode.md")).toContain("| `redemption.store_url` | string (uri) |");
});

test("additions to the basic contract are marked, the rest is not", () => {
  const marked = (file: string) =>
    [...markdownOf(file).matchAll(/^\| `([\w.[\]-]+)` \|[^|]*\| \(\+\)/gm)].map(([, name]) => name);
  const headers = ["Idempotency-Key", "Accept-Language"];
  expect(marked("api/redeem-metacode.md")).toEqual([...headers, "click_id", "redemption"]);
  expect(marked("api/claim-rewards.md")).toEqual([...headers, "platform", "recent_claims"]);
  expect(marked("api/get-or-create-referrer.md")).toEqual([
    "stats.referrals_held",
    "stats.rewards_available",
    "stats.rewards_waiting",
  ]);
});

test("every webhook event has its fields and an example", () => {
  const { headings, blocks } = parseDocs("api/webhook-events.md", markdownOf("api/webhook-events.md"));
  expect(headings.map(({ text }) => text)).toEqual(WEBHOOK_EVENT_NAMES);
  expect(blocks.filter(({ kind }) => kind === "code")).toHaveLength(WEBHOOK_EVENT_NAMES.length);
});

test("only operations that need no signature can be sent from the page", () => {
  const tried = pages.filter(({ operation }) => operation).map(({ operation }) => operation?.path);
  expect(tried).toEqual(OPERATIONS.map(({ path }) => path).filter((path) => !path.includes("provider")));
});
