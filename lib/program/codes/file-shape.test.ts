import { deflateRawSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { Platform } from "@/lib/contract/fields";
import { FileShape } from "./file-shape";
import { parseCodes } from "./parse";

const APPLE = ["7Q9M2I0HZ2UEWMUFXB", "P1ENTHJXJQI3OGZ5KO", "K16ZV0MWUFXBV932BY", "V7S6EHOGFQRCLRI1QZ"];
const PROMO = ["7Q9M2I0HZ2UE", "P1ENTHJXJQI3", "OGZ5KOK16ZV0"];
const GOOGLE = ["FBCIXGY29DB8P5QA3E68F7E", "4QEQPNO35YE4SCMEJVQTIA4", "D5RGN5S7S333H9MTF4BS3E6"];
const link = (code: string) => `https://apps.apple.com/redeem?ctx=offercodes&id=1234567890&code=${code}`;

async function* inPieces(bytes: Buffer, size: number) {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

/** The codes of a file, and the concerns that it raises. */
async function read(file: string | Buffer, platform: Platform = "ios", size = 100) {
  const shape = new FileShape(platform);
  const expected = { platform, kind: "one_time", appleAppId: "1234567890" } as const;
  const codes: string[] = [];
  for await (const group of parseCodes(inPieces(Buffer.from(file), size), expected, shape)) {
    codes.push(...group.flatMap((row) => ("code" in row ? [row.code] : [])));
  }
  return { codes, concerns: Object.keys(shape.concerns()), shape };
}

const bigEndian = (text: string) => Buffer.from(text, "utf16le").swap16();
const withMark = (text: string) => `\ufeff${text}`;
const rows = (codes: readonly string[], row: (code: string, index: number) => string, end = "\n") =>
  codes.map(row).join(end) + end;

test.each<[string, string | Buffer, Platform, string[]]>([
  ["Apple's one-time codes, code and address", rows(APPLE, (code) => `${code},${link(code)}`), "ios", APPLE],
  [
    "the same with a header and Windows line ends",
    `Code,URL\r\n${rows(APPLE, (code) => `${code},${link(code)}`, "\r\n")}`,
    "ios",
    APPLE,
  ],
  ["Apple's addresses alone", rows(APPLE, link), "ios", APPLE],
  ["Apple's unpacked text of offer codes", rows(APPLE, (code) => code), "ios", APPLE],
  ["App Store promo codes", rows(PROMO, (code) => code, "\r"), "ios", PROMO],
  ["Google's CSV of promo codes", `Promotion code\n${rows(GOOGLE, (code) => code)}`, "android", GOOGLE],
  [
    "Google's links",
    rows(GOOGLE, (code) => `https://play.google.com/redeem?code=${code}`),
    "android",
    GOOGLE,
  ],
  ["a sheet that Excel saved as UTF-16", bom("Code\tNotes", APPLE, "\t"), "ios", APPLE],
  [
    "a sheet with semicolons and a byte order mark",
    withMark(`Notes;Code\n${rows(APPLE, (code) => `"a; b";${code}`)}`),
    "ios",
    APPLE,
  ],
  ["UTF-16, big end first", bigEndian(withMark(rows(GOOGLE, (code) => code))), "android", GOOGLE],
  [
    "UTF-16 without a byte order mark",
    Buffer.from(
      rows(APPLE, (code) => code),
      "utf16le",
    ),
    "ios",
    APPLE,
  ],
  ["quoted cells and blank lines", `\n"${APPLE.join('"\r\n\r\n"')}"\r\n`, "ios", APPLE],
  ["a title line of words", `Spring, for Anna\n${rows(APPLE, (code) => code)}`, "ios", APPLE],
  ["a title line before the codes", `Spring offer, 4 codes\n${rows(APPLE, (code) => code)}`, "ios", APPLE],
  [
    "a title line of words before the header",
    `Codes for Anna, spring\nCode,Notes\n${rows(APPLE, (code) => `${code},x`)}`,
    "ios",
    APPLE,
  ],
  [
    "a sheet whose header is not in English",
    `Nr;Gutscheincode;Datum\n${rows(APPLE, (code, index) => `${index};${code};31.12.2027`)}`,
    "ios",
    APPLE,
  ],
  ["an unknown word as its header", `Kennwort\n${rows(APPLE, (code) => code)}`, "ios", APPLE],
  ["a numbered header", `Code1;Code 2026\n${rows(APPLE, (code) => code)}`, "ios", APPLE],
  [
    "a code of letters alone",
    `ABCDEFGHIJKLMNOPQR\n${rows(APPLE, (code) => code)}`,
    "ios",
    ["ABCDEFGHIJKLMNOPQR", ...APPLE],
  ],
])("takes %s, and has no doubt", async (_name, file, platform, codes) => {
  const { shape: _shape, ...found } = await read(file, platform);
  expect(found).toEqual({ codes, concerns: [] });
  expect((await read(file, platform, 3)).codes).toEqual(codes);
});

function bom(header: string, codes: readonly string[], separator: string): Buffer {
  return Buffer.from(
    withMark(`${header}\r\n${rows(codes, (code) => `${code}${separator}x`, "\r\n")}`),
    "utf16le",
  );
}

/** An archive whose first file has this name. */
function zip(name: string, content: string): Buffer {
  const data = deflateRawSync(content);
  const header = Buffer.alloc(30);
  header.write("PK\x03\x04", "latin1");
  header.writeUInt16LE(8, 8);
  header.writeUInt32LE(data.length, 18);
  header.writeUInt32LE(content.length, 22);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, Buffer.from(name), data]);
}

const REPORT = "Date,Units,Proceeds\n2026-11-01,12,34.50\n2026-11-02,7,20.00\n";
const SALES =
  "Provider\tProvider Country\tSKU\tDeveloper\tTitle\tUnits\nAPPLE\tUS\tmonthly01\tExample\tPro 1\t12\nAPPLE\tUS\tyearly01\tExample\tPro 2\t3\n";

test.each<[string, string | Buffer, RegExp]>([
  ["a workbook", zip("[Content_Types].xml", "<Types/>"), /^This is an Excel file, not a list of codes/],
  ["a workbook whose parts are in another order", zip("xl/workbook.xml", "<x/>"), /an Excel file/],
  ["a document of Word", zip("word/document.xml", "<w/>"), /a Word document/],
  ["an old workbook", Buffer.from("d0cf11e0a1b11ae100", "hex"), /an Excel file/],
  ["a Numbers sheet", zip("Index/Document.iwa", "x"), /a Numbers file/],
  [
    "an OpenDocument sheet",
    Buffer.from(
      "PK\x03\x04..........................mimetypeapplication/vnd.oasis.opendocument.spreadsheet",
      "latin1",
    ),
    /an OpenDocument file/,
  ],
  [
    "Apple's archive of offer codes, packed",
    zip("offer_codes.csv", APPLE.join("\n")),
    /a ZIP archive, not a list of codes. Unpack it/,
  ],
  ["a compressed list", gzipSync(APPLE.join("\n")), /a compressed file/],
  ["a PDF", "%PDF-1.7\n1 0 obj\n", /a PDF document/],
  ["a picture", Buffer.from("89504e470d0a1a0a0000000d", "hex"), /a picture/],
  ["a web page", "<!DOCTYPE html><html><body>Sign in</body></html>", /a web page/],
  ["a feed", '<?xml version="1.0"?><rss/>', /an XML file/],
  ["an answer of an API", '{"codes":["7Q9M2I0HZ2UEWMUFXB"]}', /a JSON file/],
  [
    "a list of email addresses",
    "email\nanna@example.com\nben@example.com\n",
    /a list of email addresses, not of codes/,
  ],
  ["a list of dates", "2026-11-01\n2026-11-02\n03.11.2026\n", /a list of dates, not of codes/],
  ["a list of names", "Name\nAnna Berg\nBen\nJosé d'Arc\n", /a list of names or words, not of codes/],
  [
    "a list of UUIDs",
    "5b0f9d0e-6d0a-4c52-9c55-0d5b3b3b6a10\nC10F9D0E-6D0A-4C52-9C55-0D5B3B3B6A11\n",
    /a list of IDs, not of codes/,
  ],
  ["a list of orders", "GPA.3312-1234-5678-90123\nGPA.3312-1234-5678-90124..0\n", /a list of IDs/],
  ["a list of products", "com.example.monthly\ncom.example.yearly\n", /a list of IDs/],
  ["bytes without meaning", Buffer.from([1, 2, 0, 0, 0, 3, 9, 200, 0, 0]), /not a text file/],
  ["a report", REPORT, /a report with 3 columns \(Date, Units, Proceeds\), not a list/],
  ["the same report, saved as UTF-16", Buffer.from(withMark(REPORT), "utf16le"), /a report with 3 columns/],
  [
    "Apple's sales report",
    SALES,
    /a report with 6 columns \(Provider, Provider Country, SKU, Developer, …\)/,
  ],
  [
    "the same with its last columns, of which none holds a code",
    SALES.replace("Units\n", "Units\tPromo Code\n")
      .replaceAll(/(\d)\n/g, "$1\t\n")
      .replace("3\t\n", "3\tCR-RW\n"),
    /a report with 7 columns \(Provider, Provider Country, SKU, Developer, …\)/,
  ],
  [
    "an export of users",
    `app_user_id,platform,country\n${rows(["user12345678", "user87654321"], (id) => `${id},ios,US`)}`,
    /a report with 3 columns/,
  ],
  [
    "codes in a column with another name",
    `Kunde;Kennung\n${rows(APPLE, (code) => `Anna;${code}`)}`,
    /name that column “Code”/,
  ],
  [
    "a quotation mark that is never closed",
    `${APPLE[0]}\n${APPLE[1]}\n"${APPLE[2]}\n${APPLE[3]}\n`,
    /^Line 3 has a quotation mark/,
  ],
])("refuses %s by its name", async (_name, file, message) => {
  await expect(read(file)).rejects.toMatchObject({ code: "VALIDATION_ERROR", message });
  await expect(read(file, "android", 2)).rejects.toMatchObject({ message });
});

test("words, dates and decimal numbers never become codes", async () => {
  const terms =
    "Date TOTAL Voucher Subscription Introductory Gutschein-Code summary com.example.yearly".split(" ");
  const numbers = ["2026-11-01", "01.11.2026", "1234.50", "1.23E17", "1.2.3456"];
  expect((await read([...terms, ...numbers, ...APPLE].join("\n"))).codes).toEqual(APPLE);
  expect((await read(`Code\n${[...terms, ...numbers, ...APPLE].join("\n")}`)).codes).toEqual(APPLE);
});

test.each<[string, string, Platform, string[]]>([
  ["codes of the other store", rows(GOOGLE, (code) => code), "ios", ["other_store"]],
  ["codes of the other store, for Android", rows(APPLE, (code) => code), "android", ["other_store"]],
  ["codes of different lengths", rows([...APPLE, PROMO[0] ?? ""], (code) => code), "ios", ["lengths"]],
  ["a heading as long as a code", `subscription\n${rows(PROMO, (code) => code)}`, "ios", ["heading"]],
  ["digits alone", rows(["202611010001", "202611010002"], (code) => code), "ios", ["numbers"]],
  [
    "several columns without a header",
    rows(["user00000001", "user00000002"], (id) => `${id},ios,3`),
    "ios",
    ["columns"],
  ],
])("doubts %s until its sender agrees", async (_name, file, platform, concerns) => {
  const found = await read(file, platform);
  expect(found.concerns).toEqual(concerns);
  const agree = (agreed: string[]) => () => found.shape.assertAgreed(agreed as never);
  expect(agree([])).toThrow(/Check the file again and confirm this/);
  expect(agree(["none"])).toThrow();
  expect(agree(concerns)).not.toThrow();
});

test("cells that cannot be read are counted and named", async () => {
  const cells = ["31/12/2090;x", "bald;frei", "31/12/2090;gesperrt bis Mai", "31.12.2090;"];
  const { codes, shape } = await read(
    `Code;Ablauf;Status\n${rows(APPLE, (code, n) => `${code};${cells[n]}`)}`,
  );
  expect(codes).toEqual(APPLE);
  expect(shape.concerns()).toEqual({
    expires: expect.stringMatching(
      /^The expiry of 3 codes cannot be read: “31\/12\/2090”, “bald”\. Expired codes/,
    ),
    status: expect.stringMatching(
      /^The status of 2 codes is not known: “x”, “gesperrt bis Mai”\. They would/,
    ),
  });
});

test("shows both ends of the file, masked, and each code once", async () => {
  const { shape } = await read(rows(APPLE, (code) => code));
  expect(shape.ends()).toEqual({
    first: ["7Q9••••FXB", "P1E••••5KO", "K16••••2BY"],
    last: ["V7S••••1QZ"],
  });
  expect((await read(rows([...APPLE, ...APPLE], (code) => code))).shape.ends()).toEqual(shape.ends());
  const noted = await read(`ABCDEFGHIJKLMNOPQR,Anna\n${rows(APPLE, (code) => code)}`);
  expect(noted.concerns).toEqual([]);
  expect((await read("AB12\nCD34\n")).shape.ends().first).toEqual(["••••12", "••••34"]);
});
