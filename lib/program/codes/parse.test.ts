import { expect, test } from "vitest";
import { type ParsedRow, parseCodes } from "./parse";
import type { CodeKind } from "./read-row";

const IOS: CodeKind = { platform: "ios", kind: "one_time", appleAppId: "1234567890" };
const ANDROID: CodeKind = { platform: "android", kind: "one_time" };
const LINK = "https://apps.apple.com/redeem?ctx=offercodes&id=1234567890&code=";
const CODES = ["ABCDEFGHIJKLMNOPQR", "ABCD1234EFGH5678JK"];

async function* inPieces(file: string | Buffer, size: number) {
  const bytes = Buffer.from(file);
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

/** The codes, or `line: fault`, of a file that arrives in pieces of a few bytes. */
async function read(file: string | Buffer, expected = IOS, size = 7): Promise<string[]> {
  const rows: ParsedRow[] = [];
  for await (const group of parseCodes(inPieces(file, size), expected)) rows.push(...group);
  return rows.map((row) => ("code" in row ? row.code : `${row.line}: ${row.fault}`));
}

test.each([
  ["one code per line", CODES.join("\n")],
  ["Windows line ends and a last one", `${CODES.join("\r\n")}\r\n`],
  ["old Macintosh line ends", CODES.join("\r")],
  ["a byte order mark", `\ufeff${CODES.join("\n")}`],
  ["formulas that keep a cell a text", CODES.map((code) => `="${code}"`).join("\n")],
  ["the same in quotes", `Code,Offer\n${CODES.map((code) => `"=""${code}""",Gold`).join("\n")}`],
  ["apostrophes that keep a cell a text", CODES.map((code) => `'${code}`).join("\n")],
  ["invisible characters", CODES.map((code) => `\u200b ${code}\u00a0\u200b`).join("\n")],
  ["blank lines and spaces", `\n\n  ${CODES.join(" \n\n , \n\t")}\n\n`],
  ["a header", `Code\n${CODES.join("\n")}`],
  ["lines that end in different ways", `Code\r\n${CODES.join("\n")}\r`],
  [
    "a byte order mark, a quoted header and quoted cells",
    `\ufeff"Offer Code"\r\n"${CODES.join('"\r\n"')}"\r\n`,
  ],
  ["code and link", CODES.map((code) => `${code},${LINK}${code}`).join("\n")],
  ["link alone", CODES.map((code) => LINK + code).join("\n")],
  ["link alone with its header", `Redemption URL\n${CODES.map((code) => LINK + code).join("\n")}`],
  ["link before code", `URL;PROMO CODE\n${CODES.map((code) => `${LINK}${code};${code}`).join("\n")}`],
  ["a header in the middle", `Code\n${CODES.join("\nCode\n")}`],
  ["cells like headers", `Code,Type,Status\n${CODES.map((code) => `${code},Promo code,free`).join("\n")}`],
  ["notes", `Notes,Code\n${CODES.map((code) => `"for Ann, say",${code}`).join("\n")}`],
  ["tabs", `Promo Code\tPrice\tUsed\n${CODES.map((code) => `${code}\t€1,x\tno`).join("\n")}`],
  ["a note like a header", `Code,Note\n${CODES[0]},"sent; code"\nCode;Note\n${CODES.slice(1).join(";x\n")}`],
  ["numbered rows", CODES.map((code, index) => `${index + 1},${code},${LINK}${code}`).join("\n")],
  ["lower case", CODES.join("\n").toLowerCase()],
])("reads a file with %s", async (_name, file) => {
  expect(await read(file)).toEqual(CODES);
  expect(await read(file, IOS, 1_000_000)).toEqual(CODES);
});

test("reads a line of the store's codes as a list, and no table as one", async () => {
  const [a, b, c] = ["ABCD1234EFGH", "BCDE2345FGHJ", "CDEF3456GHJK"];
  expect(await read(`${a}, ${b},${c},\n${c};${b}\t${a}`)).toEqual([a, b, c, c, b, a]);
  expect(await read(`${a},${b}\n${c},GOLD,${a}`)).toEqual([a, c]);
  expect(await read(`${a},202711302359,${b}\n${b},not${a.slice(3)},${c}`)).toEqual([a, b]);
  expect(await read(`Code,Offer,Plan\n${a},${b},${c}`)).toEqual([a]);
  expect(await read(`${a},${b},${c}`, ANDROID)).toEqual([a]);
});

test("refuses single rows with a reason", async () => {
  const rows = [
    "GOOD1234",
    "abc",
    "two words",
    `BAD${"x".repeat(70)}`,
    `OTHER123,${LINK.replace("1234567890", "999")}OTHER123`,
    "PLAY1234,https://play.google.com/redeem?code=PLAY1234",
    `FIRST123,${LINK}SECOND12`,
    "https://apps.apple.com/app/id1234567890",
    "1.23E+17",
    "GOOD5678",
  ];
  expect(await read(rows.join("\n"))).toEqual([
    "GOOD1234",
    "2: not_a_code",
    "3: not_a_code",
    "4: not_a_code",
    "5: other_app",
    "6: other_store",
    "7: link_differs",
    "8: not_a_code",
    "9: not_a_code",
    "GOOD5678",
  ]);
});

const EXPIRY =
  "Expires,Expire date,Expiry date,Expiration date,Code expiration,Valid until,Valid to,Valid thru";

test.each([
  ...EXPIRY.split(","),
  ...["Available until", "expired_at", "End date", "Einlösbar bis", "Gültig bis zum", "Verfällt am"],
])("reads the expiry from a column %j", async (header) => {
  const file = `Code,${header}\nGONE1234,2020-03-31\nGOOD1234,2098-03-31`;
  expect(await read(file)).toEqual(["2: expired", "GOOD1234"]);
});

test("keeps custom and Google codes as they are typed", async () => {
  const custom = { ...IOS, kind: "custom" } as const;
  const numbered = ["CODE1000", "PROMOCODE2027", "code-24"];
  expect(await read(numbered.join("\n"), custom)).toEqual(numbered);
  expect(await read("Summer-2030\nspring.sale", custom)).toEqual(["Summer-2030", "spring.sale"]);
  expect(await read("Code,Type\nSale,Link\nState,Code\nfree,Fall", custom)).toEqual(["Sale", "Fall"]);
  expect(await read("aBcD1234,https://play.google.com/redeem?code=aBcD1234", ANDROID)).toEqual(["aBcD1234"]);
});

test("accepts any link if the app has no store id", async () => {
  const link = "https://apps.apple.com/redeem?ctx=offercodes&id=999&code=OTHER123";
  expect(await read(link, { ...IOS, appleAppId: null })).toEqual(["OTHER123"]);
});

test("lets the process answer others while it reads a long file", async () => {
  const file = Buffer.from("ABCDEFGHIJKLMNOPQR\n".repeat(50_000));
  let calls = 0;
  let reading = true;
  const others = () => {
    calls += 1;
    if (reading) setImmediate(others);
  };
  others();
  let rows = 0;
  for await (const group of parseCodes(inPieces(file, file.length), IOS)) rows += group.length;
  reading = false;
  expect(rows).toBe(50_000);
  expect(calls).toBeGreaterThan(50);
});

test("refuses a file whose quote never ends, before it is all in memory", async () => {
  async function* endless() {
    yield 'Code\n"';
    while (true) yield "x".repeat(4_096);
  }
  const rows = parseCodes(endless(), IOS);
  await expect(rows.next()).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    message:
      "Line 2 has a quotation mark that is never closed, or is too long. Put each code on a line of its own",
  });
});

test("reads the status and the expiry of a German table", async () => {
  const used = ["Eingelöst", "verwendet", "benutzt", "abgelaufen"];
  const rows = ["frei", ...used].map((status, index) => `GOOD123${index};${status}`);
  const faults = used.map((_, index) => `${index + 3}: used`);
  expect(await read(`Gutscheincode;Status\n${rows.join("\n")}`)).toEqual(["GOOD1230", ...faults]);
  expect(await read("Gutscheincode;Eingelöst\nGOOD1234;ja\nGOOD5678;nein")).toEqual(["2: used", "GOOD5678"]);
  for (const header of ["Gültig bis", "Ablauf", "Ablaufdatum", "Läuft ab"]) {
    const file = `Aktionscode;${header}\nGOOD1234;31.12.2020\nGOOD5678;5.12.2090\nGOOD9012;31.12.20`;
    expect(await read(file)).toEqual(["2: expired", "GOOD5678", "4: expired"]);
    const rows: ParsedRow[] = [];
    for await (const group of parseCodes(inPieces(file, 99), IOS)) rows.push(...group);
    expect(rows[1]).toMatchObject({ code: "GOOD5678", expires: Date.UTC(2090, 11, 5) });
  }
});

test("reads a German table in the code page of Windows, as Excel saves it", async () => {
  const rows = ["GOOD1234;;31.12.2090;ja", "GONE1234;;31.12.2020;ja", "USED1234;;;nein"];
  const file = Buffer.from(["Code;ä;Gültig bis;Verfügbar", ...rows].join("\r\n"), "latin1");
  expect(await read(file)).toEqual(["GOOD1234", "3: expired", "4: used"]);
  const notes = Buffer.from(`Code;Notiz\nGOOD1234;${"ä".repeat(3_000)}`);
  expect(await read(notes, IOS, 4_095)).toEqual(["GOOD1234"]);
});

test("the first letter that is not ASCII tells the code page, wherever it is", async () => {
  const text = `Code;Status\n${"GOOD1234;frei\n".repeat(500)}USED1234;eingelöst\nGONE1234;ungültig\n`;
  expect((await read(Buffer.from(text, "latin1"))).slice(-2)).toEqual(["502: used", "503: used"]);
  const utf8 = Buffer.from(text).toString("latin1");
  const damaged = Buffer.from(`${utf8}NOTE1234;\xe4\n${utf8}`, "latin1");
  expect((await read(damaged, IOS, 9_000)).slice(-2)).toEqual(["1006: used", "1007: used"]);
});

test("a date or a status that is not known is passed on with the code", async () => {
  const table = async (header: string, ...cells: string[]) => {
    const file = [`Code;${header}`, ...cells.map((cell, index) => `GOOD123${index};${cell}`)].join("\n");
    const rows: ParsedRow[] = [];
    for await (const group of parseCodes(inPieces(file, 99), IOS)) rows.push(...group);
    return rows.map((row) => ("code" in row ? (row.unread ?? row.expires) : row.fault));
  };
  const dates = ["31/12/2090", "31. Dezimber 90", "46387", "2090", "12/2090", "KW 52 2090", "bald 1 2090"];
  expect(await table("Gültig bis", ...dates)).toEqual(dates.map((expires) => ({ expires })));
  const read = [
    "31.12.2090 00:00 Uhr",
    "31. Dezember 2090",
    "31 Dec 2090",
    '"Thu, 31 Dec 2090 00:00:00 GMT"',
    "2090-12-31T00:00:00Z",
  ];
  expect(await table("Expires", ...read)).toEqual(read.map(() => Date.UTC(2090, 11, 31)));
  const endless = ["", "-", "never", "unbegrenzt"];
  expect(await table("Expires", ...endless)).toEqual(endless.map(() => undefined));
  const spring = ["1. März 2090", "1. Mar. 2090", "01 March 2090"];
  expect(await table("Ablauf", ...spring)).toEqual(spring.map(() => Date.UTC(2090, 2, 1)));
  const unknown = ["blocked", "x", "1", "2026-01-31"];
  expect(await table("Status", ...unknown)).toEqual(unknown.map((status) => ({ status })));
  const free = ",Available,not redeemed,FALSE,frei,nicht eingelöst,unbenutzt,Verfügbar".split(",");
  expect(await table("Redeemed", ...free)).toEqual(free.map(() => undefined));
  for (const header of ["Redeemed", "Used at", "Eingelöst am"]) {
    const marks = ["x", "1", "2026-01-31", "31.01.2026 12:00", "0", "", "by Ann"];
    const read = ["used", "used", "used", "used", undefined, undefined, { status: "by Ann" }];
    expect(await table(header, ...marks)).toEqual(read);
  }
  const used = ["Redeemed", "assigned", "void", "reserviert", "gesperrt"];
  for (const header of ["Zustand", "Offer code status", "Current status"])
    expect(await table(header, ...used)).toEqual(used.map(() => "used"));
});

const table = (header: string, cells: readonly string[]) =>
  [header, ...cells.map((cell, index) => `GOOD123${index};${cell}`)].join("\n");

const AVAILABLE = "Available,Is available?,Active,Valid,unused,not redeemed,Verfügbar,noch frei,Gültig";

test.each(AVAILABLE.split(","))("a column %j says by no which codes are used", async (header) => {
  const yes = ["yes", "TRUE", "1", "ja", "x", "y", "verfügbar", "aktiv"];
  expect(await read(table(`Code;${header}`, yes))).toEqual(yes.map((_, index) => `GOOD123${index}`));
  const no = ["no", "FALSE", "0", "nein", "n", "used", "abgelaufen", "eingelöst"];
  expect(await read(table(`Code;${header}`, no))).toEqual(no.map((_, index) => `${index + 2}: used`));
  const unread: ParsedRow[] = [];
  const file = table(`Code;${header}`, ["", "-", "5"]);
  for await (const group of parseCodes(inPieces(file, 99), IOS)) unread.push(...group);
  expect(unread.map((row) => "code" in row && row.unread)).toEqual([
    { status: "(empty)" },
    { status: "-" },
    { status: "5" },
  ]);
});

const USE = "Used,Is used,already redeemed,Eingelöst,Bereits eingelöst?,Assigned to,Reserviert für";
const USE_DATE =
  "Redemption date,Date redeemed,redeemed_on_date,Redemption status,Einlösedatum,Expired,Abgelaufen?";

test.each(`${USE},${USE_DATE}`.split(","))(
  "a column %j says by yes which codes are used, beside other such columns",
  async (header) => {
    const cells = ["yes;", "Ja;", ";y", "2026-01-31;no", "no;no", "nein;", "n;0", "0;"];
    expect(await read(table(`Code;${header};Redeemed`, cells))).toEqual([
      ...["2: used", "3: used", "4: used", "5: used"],
      ...["GOOD1234", "GOOD1235", "GOOD1236", "GOOD1237"],
    ]);
  },
);

test("an expiry column that begins like a column of yes and no keeps its meaning", async () => {
  expect(await read("Code,Valid until,Available\nGOOD1234,2098-03-31,yes\nGONE1234,2020-03-31,yes")).toEqual([
    "GOOD1234",
    "3: expired",
  ]);
});
