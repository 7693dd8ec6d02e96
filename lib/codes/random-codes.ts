import { randomBytes } from "node:crypto";
import type { Platform } from "@/lib/contract/fields";

/** 32 characters, so that five bits of a random byte choose one. */
const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
/** As long as the stores' own one-time codes. */
const LENGTH: Record<Platform, number> = { ios: 18, android: 23 };
const LINES_AT_ONCE = 1_000;

function randomCode(length: number): string {
  let text = "";
  for (const byte of randomBytes(length)) text += ALPHABET.charAt(byte & 31);
  return text;
}

/** A file of made-up codes, one a line, written as it is read: a million of them take no memory. */
export async function* randomCodes(platform: Platform, count: number): AsyncGenerator<string> {
  for (let made = 0; made < count; made += LINES_AT_ONCE) {
    const lines = Array.from({ length: Math.min(LINES_AT_ONCE, count - made) }, () =>
      randomCode(LENGTH[platform]),
    );
    yield `${lines.join("\n")}\n`;
  }
}
