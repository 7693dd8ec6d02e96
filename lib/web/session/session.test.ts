import { NextRequest } from "next/server";
import { expect, test } from "vitest";
import { MOST_ROWS } from "@/lib/contract/bulk";
import { fromOurPage } from "@/lib/web/session/access";
import { cookieName, cookieOptions } from "@/lib/web/session/cookies";
import { readForm } from "@/lib/web/session/form";
import {
  issueDeviceToken,
  issueSessionToken,
  issueStepToken,
  readDeviceToken,
  readSessionToken,
  readStepToken,
} from "@/lib/web/session/token";
import { proxy } from "@/proxy";

Object.assign(process.env, { APP_URL: "https://metacode.example", AUTH_SECRET: "a".repeat(32) });

test("a session cookie carries account and version, and a changed cookie is invalid", async () => {
  const account = {
    id: "018f0000-0000-7000-8000-000000000000",
    sessionVersion: 3,
    sessionId: "018f0000-0000-7000-8000-000000000001",
  };
  const token = await issueSessionToken(account);
  expect(token).not.toContain(account.id);
  expect(await readSessionToken(token)).toEqual(account);
  for (const other of [undefined, "", "junk", `${token}x`, token.slice(0, -4), token.replaceAll(".", "..")]) {
    expect(await readSessionToken(other)).toBeUndefined();
  }
});

test("a token for one use is invalid for another", async () => {
  const account = { id: "018f0000-0000-7000-8000-000000000000", sessionVersion: 3 };
  const session = { ...account, sessionId: "018f0000-0000-7000-8000-000000000001" };
  const tokens = {
    session: await issueSessionToken(session),
    step: await issueStepToken(session, "step"),
    connect: await issueStepToken(session, "connect"),
  };
  const device = await issueDeviceToken("ann@example.com", 3);
  const seen = { id: expect.any(String), email: "ann@example.com", sessionVersion: 3 };
  expect(await readDeviceToken(device)).toEqual(seen);
  for (const [use, token] of Object.entries({ ...tokens, device })) {
    expect(await readSessionToken(token)).toEqual(use === "session" ? session : undefined);
    if (use !== "device") expect(await readDeviceToken(token)).toBeUndefined();
    for (const read of ["step", "connect"] as const)
      expect(await readStepToken(token, read)).toEqual(use === read ? account : undefined);
  }
});

test("over HTTPS cookies are bound to the host", () => {
  expect(cookieName("session")).toBe("__Host-metacode.session");
  expect(cookieOptions()).toEqual({ httpOnly: true, sameSite: "lax", path: "/", secure: true });
});

test.each([
  ["metacode.example", "max-age=31536000; includeSubDomains"],
  ["METACODE.example.:443", "max-age=31536000; includeSubDomains"],
  // A domain that points to the service before verification or after removal; its owner decides.
  ["invite.shop.example", null],
  ["metacode.example.shop.example", null],
  ["", null],
])("a page on the host %j has Strict-Transport-Security: %s", (host, bound) => {
  const { headers } = proxy(new NextRequest("https://metacode.example/sign-in", { headers: { host } }));
  expect(headers.get("strict-transport-security")).toBe(bound);
  expect(Object.fromEntries(headers)).toMatchObject({
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    "permissions-policy": expect.stringContaining("camera=(), geolocation=()"),
    "cross-origin-opener-policy": "same-origin",
    "content-security-policy": expect.stringMatching(
      /^default-src 'self'; script-src 'nonce-[^ ]{24}' 'strict-dynamic'; style-src 'self' 'nonce-[^ ]{24}'; .*; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'$/,
    ),
  });
});

test.each([
  [{ origin: "https://metacode.example", host: "10.0.0.7:3000" }, true],
  [{ origin: "http://127.0.0.1:3000", host: "127.0.0.1:3000" }, true],
  [{ origin: "https://metacode.example", host: "metacode.example" }, true],
  [{ origin: "http://metacode.example", host: "metacode.example" }, false],
  [{ origin: "https://evil.example", host: "metacode.example" }, false],
  [{ origin: "https://metacode.example.evil.example", host: "metacode.example" }, false],
  [{ origin: "null", host: "metacode.example" }, false],
  [{ "sec-fetch-site": "same-origin", host: "metacode.example" }, true],
  [{ "sec-fetch-site": "cross-site", host: "metacode.example" }, false],
  [{ host: "metacode.example" }, false],
])("a form with the headers %j is from this site: %s", (headers, ours) => {
  expect(fromOurPage(new Headers(headers))).toBe(ours);
});

test("a form is read as text, with lists for repeated and bracketed names", () => {
  const form = new FormData();
  for (const [name, value] of [
    ["name", "Ann"],
    ["notes", "one\r\ntwo\n"],
    ["empty", ""],
    ["scopes[]", "a"],
    ["scopes[]", "b"],
    ["one[]", "a"],
    ["$ACTION_ID_x", "y"],
  ] as const) {
    form.append(name, value);
  }
  form.append("file", new Blob(["x"]), "x.txt");
  expect(readForm(form)).toEqual({ name: "Ann", notes: "one\ntwo\n", scopes: ["a", "b"], one: ["a"] });
});

test("a field named with dots belongs to a group, and no name reaches a prototype", () => {
  const form = new FormData();
  for (const [name, value] of [
    ["platforms.ios.threshold", "3"],
    ["platforms.ios.instructions", ""],
    ["platforms.android.on", "on"],
    ["platforms.android.days[]", "1"],
    ["platforms", "text"],
    ["platforms.late", "1"],
    ["__proto__.polluted", "yes"],
    ["constructor.prototype.polluted", "yes"],
  ] as const) {
    form.append(name, value);
  }
  const fields = readForm(form);
  expect(fields.platforms).toEqual({ late: "1" });
  form.delete("platforms");
  expect(readForm(form).platforms).toEqual({
    ios: { threshold: "3", instructions: undefined },
    android: { on: "on", days: ["1"] },
    late: "1",
  });
  expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
  expect({} as Record<string, unknown>).not.toHaveProperty("polluted");
});

test.each([
  ["a name of 500,000 parts", [`${"a.".repeat(499_999)}a`]],
  ["a name of six parts", ["a.b.c.d.e.f"]],
  ["a name of 201 characters", ["a".repeat(201)]],
  ["20,000 fields", Array.from({ length: 20_000 }, (_, index) => `a${index}`)],
])("a form with %s is refused before its fields are grouped", (_, names) => {
  const form = new FormData();
  for (const name of names) form.append(name, "x");
  expect(() => readForm(form)).toThrow("more fields or longer names than any page");
});

test("a form with the rows of the largest bulk action is read", () => {
  const form = new FormData();
  for (let row = 0; row < MOST_ROWS; row++) form.append("ids[]", String(row));
  expect(readForm(form).ids).toHaveLength(MOST_ROWS);
});
