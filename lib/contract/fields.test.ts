import { beforeAll, describe, expect, test } from "vitest";
import { batchInput } from "@/lib/contract/batch";
import { listDay, nameField } from "@/lib/contract/fields";
import { overviewQuery } from "@/lib/contract/overview";
import { poolUpdate } from "@/lib/contract/pool";
import { channelInput } from "@/lib/contract/problems";
import { referralQuery } from "@/lib/contract/referral-list";
import { parseConnectionName } from "@/lib/program/connections/fields";
import { parseUserName } from "@/lib/tenants/accounts/user";
import { clientOf, postToApi } from "@/lib/testing/client";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";

useService();

let key: string;
let metacode: string;

beforeAll(async () => {
  key = (await makeTenant()).key;
  metacode = (await clientOf(key).referrer("ann")).body.metacode;
});

describe("a metacode", () => {
  test.each([
    ["empty", () => ""],
    ["only spaces", () => "  "],
    ["with NUL", () => `${metacode}\0`],
    ["with a lone surrogate", () => `${metacode}\ud800`],
    ["with a letter that only Unicode folds", () => "\u212a2345678"],
    ["with a no-break space", () => `\u00a0${metacode}`],
    ["with a tab inside", () => `${metacode.slice(0, 4)}\t${metacode.slice(4)}`],
    ["with a long run of tabs inside", () => `${metacode}${"\t".repeat(7_900)}x`],
    ["as long as the body allows", () => "x".repeat(16_000)],
    ["that looks like SQL", () => "' or true --"],
    ["that looks like a pattern", () => "%"],
    ["of three letters", () => metacode.slice(0, 3)],
    ["with one letter more", () => `${metacode}x`],
  ])("a text %s is not a metacode", async (_, make) => {
    const { status, body } = await clientOf(key).redeem("bob", make());
    expect([status, body.error.code]).toEqual([404, "METACODE_NOT_FOUND"]);
  });

  test.each([
    ["upper case", () => metacode.toUpperCase()],
    ["spaces around", () => `\t ${metacode}\r\n`],
    [
      "hyphens and spaces inside",
      () => `${metacode.slice(0, 2)}-${metacode.slice(2, 5)} ${metacode.slice(5)}`,
    ],
  ])("in %s is the same", async (name, make) => {
    expect((await clientOf(key).redeem(name, make())).status).toBe(200);
  });

  test.each([["1"], ["null"], ["[]"], ["{}"], ["true"]])("that is %s is 400 and named", async (json) => {
    const body = `{"referee_uid":"bob","platform":"ios","metacode":${json}}`;
    const reply = await postToApi("referee-redeem", body, key);
    expect([reply.status, reply.body.error.message]).toEqual([
      400,
      expect.stringMatching(/^metacode .*string/),
    ]);
  });
});

/** Every place of a name, as it is stored. */
const names = (name: string) => [
  nameField("name").parse(name),
  channelInput.parse({ type: "mail", target: "a@example.com", kinds: ["quota"], name }).name,
  parseUserName(name),
  parseConnectionName(name),
];

test.each([..."\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"])(
  "a name loses the mark of order %j, which no reader sees, and a uid or an offer keeps it",
  async (mark) => {
    expect(names(`Ann${mark}Ash`)).toEqual(Array(4).fill("AnnAsh"));
    expect((await clientOf(key).referrer(`Ann${mark}Ash`)).status).toBe(200);
    expect(poolUpdate.shape.offers.parse([`Ann${mark}Ash`])).toEqual([`Ann${mark}Ash`]);
    expect(batchInput.shape.offer.parse(`Ann${mark}Ash`)).toBe(`Ann${mark}Ash`);
  },
);

test("a name has a space for an end of a line of Unicode's own, and control characters are refused", () => {
  expect(names("Ann\u2028Ash\u2029")).toEqual(Array(4).fill("Ann Ash"));
  for (const name of ["Ann\u0085Ash", "Ann\nAsh"]) {
    const channel = { type: "mail", target: "a@example.com", kinds: ["quota"], name };
    for (const parsed of [nameField("name").safeParse(name), channelInput.safeParse(channel)])
      expect(parsed.error?.issues[0]?.message).toBe("name must not contain control characters");
    expect(() => parseUserName(name)).toThrow("name must have 1 to 100 characters");
    expect(() => parseConnectionName(name)).toThrow("name must be at most 60 characters");
    expect(batchInput.shape.offer.safeParse(name).success).toBe(false);
  }
});

test("a name may have letters of every script, joined emoji and an end that is trimmed", () => {
  for (const name of ["Zoë", "אבג", "محمد", "می\u200cخواهم", "👩\u200d💻 Ltd.", "日本"])
    expect(nameField("name").parse(` ${name}\u2028`)).toBe(name);
});

test.each(["IOS", "ios ", "web", "", null, 1])("the platform %j is 400 and named", async (platform) => {
  const { status, body } = await clientOf(key).redeem("bob", "test123", platform as string);
  expect([status, body.error.message]).toEqual([400, "platform must be 'ios' or 'android'"]);
});

test("a day in an address that no calendar has, or whose neighbours the database cannot take, is ignored", () => {
  expect(listDay.parse("2026-02-28")).toBe("2026-02-28");
  for (const text of ["0000-01-01", "0001-01-01", "9999-12-31", "2026-02-30", "10000-01-01", "x", 5, null]) {
    expect(listDay.parse(text)).toBeUndefined();
  }
});

test.each([overviewQuery, referralQuery])("a range of days is read in either order", (query) => {
  const [from, to] = ["2026-03-01", "2026-03-30"];
  expect(query.parse({ from, to })).toMatchObject({ from, to });
  expect(query.parse({ from: to, to: from })).toMatchObject({ from, to });
  expect(query.parse({ from: to })).toMatchObject({ from: to });
});
