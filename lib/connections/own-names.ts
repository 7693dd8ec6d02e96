import { fail } from "@/lib/errors";
import type { OwnNames } from "@/lib/providers/adapter";
import { plainName } from "@/lib/providers/fields";
import type { EventRule } from "@/lib/providers/provider";
import { PROVIDERS, type ProviderName } from "@/lib/providers/registry";

const MAX_EVENTS = 50;

/** Printable, with spaces within; Stripe takes keys of up to 40 characters, and nobody names an event longer than 100. */
const NAME = /^[^\p{Cc}\p{Cs}=]{1,100}$/u;
const KEY = /^[\x21-\x7e]{1,40}$/;

/** Names as a form sends them: lines of `name there = documented name`, and a key. */
export interface GivenNames {
  events?: string | undefined;
  userIdKey?: string | undefined;
}

/** What the owner has named otherwise; null where nothing is. Throws VALIDATION_ERROR, naming the field. */
export function parseOwnNames(provider: ProviderName, given: GivenNames): OwnNames | null {
  const events = eventsOf(provider, given.events ?? "");
  const userIdKey = keyOf(provider, given.userIdKey?.trim() ?? "");
  return Object.keys(events).length === 0 && userIdKey === null ? null : { events, userIdKey };
}

function eventsOf(provider: ProviderName, text: string): OwnNames["events"] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length === 0) return {};
  const { label, ownNames } = PROVIDERS[provider];
  if (!ownNames?.includes("events")) refuse("events", `${label} has no events that can be renamed`);
  if (lines.length > MAX_EVENTS) refuse("events", `At most ${MAX_EVENTS} names can be entered`);
  const pairs = lines.map((line) => pairOf(provider, line));
  const twice = pairs.find(([own], index) => pairs.findIndex(([one]) => isSame(one, own)) !== index);
  if (twice) refuse("events", `\`${twice[0]}\` is there twice`);
  return Object.fromEntries(pairs);
}

function pairOf(provider: ProviderName, line: string): [string, string] {
  const [own = "", documented = "", ...more] = line.split("=").map((part) => part.trim());
  if (!NAME.test(own) || documented === "" || more.length > 0) {
    refuse("events", "Write one name a line: your name = the documented name");
  }
  const known = documentedEvents(provider).find((type) => isSame(type, documented));
  return [
    own,
    known ?? refuse("events", `\`${documented.slice(0, 100)}\` is no event in the table of this provider`),
  ];
}

const isSame = (one: string, other: string) => plainName(one) === plainName(other);

/** Every event that the tables of docs/providers.md name for it. */
function documentedEvents(provider: ProviderName): string[] {
  const rules: readonly EventRule[] = PROVIDERS[provider].events;
  return rules.flatMap(({ types }) => types);
}

function keyOf(provider: ProviderName, key: string): string | null {
  if (key === "") return null;
  const { label, ownNames } = PROVIDERS[provider];
  if (!ownNames?.includes("userIdKey")) refuse("userIdKey", `${label} has its user id in a field of its own`);
  return KEY.test(key) ? key : refuse("userIdKey", "A key has at most 40 characters and no spaces");
}

const refuse = (field: string, words: string): never => fail("VALIDATION_ERROR", words, { field });
