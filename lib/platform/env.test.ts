import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { completeEnv, env, parseEnv, settings } from "./env";

const EXAMPLE: Record<string, string> = Object.fromEntries(
  [...readFileSync(".env.example", "utf8").matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [
    name,
    value,
  ]),
);

describe(".env.example", () => {
  test("lists every setting in its order, and nothing else", () => {
    const names = Object.keys(settings.shape).filter((name) => name !== "NODE_ENV");
    expect(Object.keys(EXAMPLE)).toEqual(names);
  });

  test("gives each its default, and works unedited", () => {
    const set = (entries: [string, string][]) =>
      Object.fromEntries(entries.filter(([name, value]) => value !== "" && name !== "NODE_ENV"));
    const defaults = Object.entries(settings.parse({})).map(([name, value]) => [name, String(value)]);
    expect(set(Object.entries(EXAMPLE))).toEqual(set(defaults as [string, string][]));
    expect(parseEnv(EXAMPLE)).toEqual(parseEnv({}));
  });
});

test(".env.example names the variables of OpenTelemetry that the guide names", () => {
  const named = readFileSync("docs/guides/self-hosting.md", "utf8").match(/\bOTEL_\w+/g) ?? [];
  expect(named.length).toBeGreaterThan(4);
  for (const name of named) expect(readFileSync(".env.example", "utf8")).toContain(name);
});

describe("the environment", () => {
  test.each([
    ["PORT", "http"],
    ["PORT", "65536"],
    ["PORT", "1.5"],
    ["APP_URL", "example.com"],
    ["LANDING_URL", "ftp://example.com"],
    ["DATABASE_URL", "mysql://localhost/x"],
    ["DATABASE_URL", "postgres://u:p@h1:5432,h2:5432/x"],
    ["DATABASE_URL", "postgres://u:p@h1,h2/x"],
    ["DATABASE_URL", "postgres://u:p@host:99999/x"],
    ["DATABASE_URL", "postgres://u:p@ss#w/ord@host/x"],
    ["DATABASE_POOLER", "session"],
    ["DATABASE_DIRECT_URL", "mysql://localhost/x"],
    ["REDIS_URL", "localhost:6379"],
    ["REDIS_SENTINELS", "redis://localhost"],
    ["AUTH_SECRET", "too short"],
    ["DEFAULT_PLAN", "gold"],
    ["TRUSTED_PROXIES", "-1"],
    ["LOG_LEVEL", "loud"],
    ["SAMPLE_WORKSPACE", "yes"],
    ["ROLE", "server"],
    ["SIGN_UP", "maybe"],
    ["SMTP_URL", "http://mail.example"],
    ["MAILBOX", "off"],
    ["OUTBOUND_ALLOW", "10.0.0.1"],
    ["DNS_SERVERS", "dns.example"],
  ])("with %s=%s stops the start with one line that names it and not its value", (name, value) => {
    const message = messageOf({ [name]: value });
    expect(message).toMatch(new RegExp(`^Bad environment variable ${name}: .+$`));
    expect(message).not.toContain(value);
  });

  test("knows the former name of a setting, after its present one", () => {
    expect(parseEnv({ DEMO: "never" }).SAMPLE_WORKSPACE).toBe("never");
    expect(parseEnv({ DEMO: "never", SAMPLE_WORKSPACE: "" }).SAMPLE_WORKSPACE).toBe("never");
    expect(parseEnv({ DEMO: "never", SAMPLE_WORKSPACE: "auto" }).SAMPLE_WORKSPACE).toBe("auto");
  });

  test.each(Object.keys(settings.shape))("treats an empty %s as unset", (name) => {
    expect(parseEnv({ [name]: "" })).toEqual(parseEnv({}));
  });

  test.each<Record<string, string>>([
    { UPSTASH_REDIS_REST_URL: "https://example.com" },
    { UPSTASH_REDIS_REST_TOKEN: "token" },
    { UPSTASH_REDIS_REST_URL: "https://example.com", UPSTASH_REDIS_REST_TOKEN: "" },
  ])("with half of Upstash is refused in one line: %o", (half) => {
    expect(messageOf(half)).toMatch(/^Bad environment variable UPSTASH_REDIS_REST_TOKEN: .*_URL$/);
  });

  test.each([
    ["GITHUB_ID", "GITHUB_SECRET"],
    ["GOOGLE_ID", "GOOGLE_SECRET"],
    ["SMTP_URL", "MAIL_FROM"],
  ])("with %s wants %s", (name, other) => {
    const message = `Bad environment variable ${other}: set it together with ${name}`;
    expect(messageOf({ [name]: "smtp://mail.example" })).toBe(message);
    expect(messageOf({ [other]: "Metacode <a@b.example>" })).toBe(message);
  });

  test("with Sentinels wants the name of the primary", () => {
    expect(messageOf({ REDIS_SENTINELS: "redis-1" })).toMatch(/^Bad environment variable REDIS_URL: .+$/);
    const both = { REDIS_URL: "redis://metacode", REDIS_SENTINELS: "redis-1:26379, redis-2" };
    expect(parseEnv(both).REDIS_SENTINELS).toEqual(["redis-1:26379", "redis-2"]);
  });

  test("with both halves of Upstash is fine", () => {
    const both = { UPSTASH_REDIS_REST_URL: "https://example.com", UPSTASH_REDIS_REST_TOKEN: "token" };
    expect(parseEnv(both)).toMatchObject(both);
  });

  test("derives the addresses from the settings, without a trailing slash", () => {
    const addresses = ({ APP_URL, LANDING_URL }: ReturnType<typeof parseEnv>) => [APP_URL, LANDING_URL];
    expect(addresses(parseEnv({ PORT: "4000" }))).toEqual(Array(2).fill("http://localhost:4000"));
    expect(addresses(parseEnv({ APP_URL: "https://a.example/" }))).toEqual(
      Array(2).fill("https://a.example"),
    );
    const both = { APP_URL: "https://a.example", LANDING_URL: "https://b.example" };
    expect(addresses(parseEnv(both))).toEqual(["https://a.example", "https://b.example"]);
  });
});

test("a setting that a start adds is known to code that has read the environment before", () => {
  const secret = "made by the start, and longer than 32 characters";
  const before = env().AUTH_SECRET ?? "";
  completeEnv({ AUTH_SECRET: secret });
  expect(env().AUTH_SECRET).toBe(secret);
  completeEnv({ AUTH_SECRET: before });
});

function messageOf(source: Record<string, string>): string {
  try {
    parseEnv(source);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return "no error";
}
