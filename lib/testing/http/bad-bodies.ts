/** A body that every endpoint refuses: its description, its bytes or text, and the response. */
type BadBody = [name: string, body: string | Uint8Array, status: number, says: RegExp];

const bytes = (...values: number[]) => Uint8Array.from(values);

/** Bodies that are not a JSON object of an accepted size. */
export const BAD_BODIES: BadBody[] = [
  ["nothing", "", 400, /JSON/],
  ["no JSON", "{", 400, /JSON/],
  ["single quotes", "{'uid':'a'}", 400, /JSON/],
  ["text after the object", '{"uid":"a"} x', 400, /JSON/],
  ["an array", "[]", 400, /object/],
  ["null", "null", 400, /object/],
  ["a string", '"uid"', 400, /object/],
  ["a number", "1e999", 400, /object/],
  ["invalid UTF-8", bytes(0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d), 400, /UTF-8/],
  ["a lone surrogate in UTF-8", bytes(0x22, 0xed, 0xa0, 0x80, 0x22), 400, /UTF-8/],
  ["a raw NUL", bytes(0x7b, 0x00, 0x7d), 400, /JSON/],
  ["UTF-16", bytes(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00), 400, /UTF-8/],
  ["16 KiB and a byte", `{"pad":"${"x".repeat(16_375)}"}`, 413, /16384 bytes/],
  ["8,000 brackets", "[".repeat(8_000), 400, /JSON/],
  ["60,000 levels", `{"metadata":${"[".repeat(30_000)}${"]".repeat(30_000)}}`, 413, /16384/],
  ["no field", "{}", 400, /uid/],
  ["an inherited field", '{"__proto__":{"uid":"a","referee_uid":"a"}}', 400, /uid/],
];

const ASTRAL = "\u{1F600}";

/** Invalid values of a user id, as JSON text, with a word of the error message. */
export const BAD_UIDS: [name: string, json: string, says: string][] = [
  ["missing", "null", "required"],
  ["a number", "1", "string"],
  ["a number beyond numbers", "1e400", "string"],
  ["an object", '{"a":1}', "string"],
  ["empty", '""', "blank"],
  ["blank", '" \\u00a0\\u3000 "', "blank"],
  ["256 characters", JSON.stringify("a".repeat(256)), "255"],
  ["256 astral characters", JSON.stringify(ASTRAL.repeat(256)), "255"],
  ["a megabyte's worth", JSON.stringify("a".repeat(10_000)), "255"],
  ["a NUL", '"a\\u0000b"', "control"],
  ["a line break", '"a\\nb"', "control"],
  ["a C1 control", '"a\\u0085b"', "control"],
  ["a lone high surrogate", '"a\\ud800"', "Unicode"],
  ["a lone low surrogate", '"\\udc00a"', "Unicode"],
];

/** Accepted values of a user id. */
export const GOOD_UIDS: [name: string, value: string][] = [
  ["one character", "a"],
  ["255 characters", "b".repeat(255)],
  ["255 astral characters", ASTRAL.repeat(255)],
  ["spaces around", "  a  "],
  ["looks like SQL", "'; drop table codes; --"],
  ["looks like a path", "../../etc/passwd"],
  ["looks like a prototype", "__proto__"],
];
