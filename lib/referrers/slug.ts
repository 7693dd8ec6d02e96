import { randomInt } from "node:crypto";

/** No vowels, so no words; nothing that looks like something else. */
const ALPHABET = "23456789bcdfghjkmnpqrstvwxz";
const LENGTH = 8;

/** A random metacode: one of 2.8e11. It cannot be a reserved word, which all have vowels or other characters. */
export function randomSlug(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join("");
}
