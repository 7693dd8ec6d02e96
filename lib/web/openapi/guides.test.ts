import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ERROR_HELP } from "@/lib/contract/error-help";
import { formatNumber } from "@/lib/contract/format";
import { settings } from "@/lib/platform/env";
import { ERROR_STATUS, type ErrorCode } from "@/lib/platform/errors";
import { PLAN_QUOTA } from "@/lib/tenants/quota/plans";

const read = (page: string) => readFileSync(`docs/guides/${page}.md`, "utf8");
const oneLine = (text: string) => text.replace(/\s+/g, " ");

const sections = new Map(
  read("errors")
    .split(/^## /m)
    .slice(1)
    .map((section) => [/^`(\w+)`/.exec(section)?.[1] ?? section, oneLine(section)]),
);

test("the guide to errors has every code, and no other", () => {
  expect([...sections.keys()].sort()).toEqual(Object.keys(ERROR_STATUS).sort());
});

test.each(Object.entries(ERROR_STATUS))(
  "%s has its status, cause, fix, and whether to retry",
  (code, status) => {
    const section = sections.get(code as ErrorCode) ?? "";
    expect(section).toContain(`Status ${status}.`);
    const help = ERROR_HELP[code];
    expect(section).toContain(`**Cause.** ${help ? oneLine(help.why) : ""}`);
    expect(section).toContain(`**Fix.** ${help ? oneLine(help.todo) : ""}`);
    // Errors of the service and temporary ones are retried; a wrong request stays wrong.
    const verdict = status >= 500 || status === 429 || status === 408 ? "Yes" : "(No|Only)";
    expect(section).toMatch(new RegExp(`\\*\\*Retry\\.\\*\\* ${verdict}\\b`));
  },
);

test("the guide to rate limits has the real numbers", () => {
  const page = read("rate-limits");
  for (const [plan, quota] of Object.entries(PLAN_QUOTA)) {
    expect(page).toMatch(new RegExp(`\\| ${plan} \\| ${formatNumber(quota)}\\b`, "i"));
  }
  const defaults = settings.parse({});
  const names = [
    "KEY_BURST_SIZE",
    "KEY_BURST_PER_SECOND",
    "KEY_UNKNOWN_METACODES_PER_HOUR",
    "IP_REQUESTS_PER_MINUTE",
  ];
  for (const name of names) {
    const value = defaults[name as keyof typeof defaults] as number;
    expect(page).toContain(`| ${formatNumber(value)} | \`${name}\` |`);
  }
});
