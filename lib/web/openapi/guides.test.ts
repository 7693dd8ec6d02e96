import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DEFAULT_ADDRESS_CAP } from "@/lib/contract/api-key";
import { DEFAULT_REFERRER_CAP } from "@/lib/contract/app";
import { ERROR_HELP } from "@/lib/contract/error-help";
import { formatNumber } from "@/lib/contract/format";
import { PACE_FACTOR, PACE_FLOOR } from "@/lib/outward/problems/detect-abuse";
import { settings } from "@/lib/platform/env";
import { ERROR_STATUS, type ErrorCode } from "@/lib/platform/errors";
import { SLOW_LOOKUPS_PER_MINUTE } from "@/lib/platform/limits/key-limits";
import { YOUNG_HOURS } from "@/lib/program/referrals/address-cap";
import { PLAN_QUOTA } from "@/lib/tenants/quota/plans";
import { MAX_UPLOAD_BYTES } from "@/lib/web/http/upload";

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

test.each([
  ["http", "rmSync(file)"],
  ["react-native", "removeItem(name)"],
  ["swift", "removeObject(forKey: name)"],
  ["kotlin", "remove(name)"],
  ["flutter", "_delete(name, uid);\n      return"],
  ["flutter", "if (error.isFinal) await _delete(name, uid)"],
  ["unity", "DeleteKey(name)"],
])("the client of %s stores the codes right before it deletes the key: %s", (guide, removal) => {
  const before = read(guide)
    .split(removal)
    .slice(0, -1)
    .map((text) => text.split("\n").at(-2));
  expect(before).not.toHaveLength(0);
  for (const line of before) expect(line).toMatch(/storeCodes\(/i);
});

test.each([
  ["kotlin", '"Accept-Language", Locale.getDefault().toLanguageTag()', "in headers)"],
  ["flutter", "'accept-language': Platform.localeName", "...own"],
  ["react-native", '"accept-language": language', "...own"],
])(
  "the client of %s names the phone's language, which Android does not, before the app's own headers",
  (guide, name, own) => {
    const [before = "", after = ""] = read(guide).split(name);
    expect(after).toContain(own);
    expect(before).not.toContain(own);
  },
);

test.each(["kotlin", "deep-links"])(
  "the Kotlin of the guide %s takes a Korean word that follows a link for no part of the metacode",
  (guide) => {
    const ends = [...read(guide).matchAll(/\.takeWhile \{ (.*?) \}/g)].map(([, condition]) => condition);
    expect(ends).toEqual(["it.code < 128 && it.isLetterOrDigit()"]);
  },
);

test("the proxy of the guide to self-hosting passes the largest code file that the service takes", () => {
  expect(read("self-hosting")).toContain(`client_max_body_size ${MAX_UPLOAD_BYTES / 1024 / 1024}m;`);
});

test("the guide to rate limits has the real numbers", () => {
  const page = read("rate-limits");
  for (const [plan, quota] of Object.entries(PLAN_QUOTA)) {
    expect(page).toMatch(new RegExp(`\\| ${plan} \\| ${formatNumber(quota)}\\b`, "i"));
  }
  const defaults = settings.parse({});
  const names = [
    "KEY_BURST_SIZE",
    "KEY_BURST_PER_SECOND",
    "KEY_INVALID_REQUESTS_PER_MINUTE",
    "KEY_UNKNOWN_METACODES_PER_HOUR",
    "USER_UNKNOWN_METACODES_PER_HOUR",
    "ADDRESS_UNKNOWN_METACODES_PER_HOUR",
    "IP_REQUESTS_PER_MINUTE",
  ];
  for (const name of names) {
    const value = defaults[name as keyof typeof defaults] as number;
    expect(page).toContain(`| ${formatNumber(value)} | \`${name}\` |`);
  }
});

test("the guide to fraud has the real numbers, and so has the guide to keys", () => {
  const rows = read("fraud").split("\n");
  const defaultOf = (limit: string) => rows.find((row) => row.startsWith(`| ${limit}`))?.split(" | ")[1];
  expect(defaultOf("Codes per referrer in 24 hours")).toBe(formatNumber(DEFAULT_REFERRER_CAP));
  expect(defaultOf("Codes per address in 24 hours")).toBe(formatNumber(DEFAULT_ADDRESS_CAP));
  expect(defaultOf("New referrers per address in 24 hours")).toBe(formatNumber(DEFAULT_ADDRESS_CAP));
  expect(defaultOf("Alert *Unusual pace*")).toBe(
    `${PACE_FACTOR} times the usual hour, from ${PACE_FLOOR} codes an hour on`,
  );
  const fraud = oneLine(read("fraud"));
  expect(fraud).toContain(`a referrer younger than ${YOUNG_HOURS} hours counts twice`);
  expect(fraud).toContain(
    `an address gets ${DEFAULT_ADDRESS_CAP / 2} codes through new referrers, and ${DEFAULT_ADDRESS_CAP} in all`,
  );
  expect(oneLine(read("keys"))).toContain(
    `${DEFAULT_ADDRESS_CAP} a day for each address and ${DEFAULT_REFERRER_CAP} for each referrer`,
  );
});

test("the decision about the quota has the real numbers", () => {
  const page = oneLine(readFileSync("docs/decisions/quota.md", "utf8"));
  const limits = settings.parse({});
  expect(page).toContain(`${limits.KEY_INVALID_REQUESTS_PER_MINUTE} a minute for each key and address`);
  expect(page).toContain(`| ${limits.USER_UNKNOWN_METACODES_PER_HOUR} an hour | key, address and`);
  expect(page).toContain(`| ${limits.ADDRESS_UNKNOWN_METACODES_PER_HOUR} an hour | address;`);
  expect(page).toContain(
    `| ${formatNumber(limits.KEY_UNKNOWN_METACODES_PER_HOUR)} an hour more than known ones | key`,
  );
  const perDay = 24 * (limits.ADDRESS_UNKNOWN_METACODES_PER_HOUR + 60 * SLOW_LOOKUPS_PER_MINUTE);
  expect(page).toContain(`${formatNumber(perDay)} look-ups a day`);
});
