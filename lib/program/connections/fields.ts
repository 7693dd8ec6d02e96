import { cleanName, isLine } from "@/lib/contract/fields";
import { fail } from "@/lib/platform/errors";
import { generateHeaderSecret, generateWebhookSecret } from "@/lib/platform/secrets/random-token";
import type { OwnNames } from "@/lib/program/providers/common/adapter";
import { plainName } from "@/lib/program/providers/common/fields";
import type { EventRule } from "@/lib/program/providers/common/labels";
import { PROVIDERS, type ProviderName } from "@/lib/program/providers/registry";

const refuse = (field: string, message: string): never => fail("VALIDATION_ERROR", message, { field });

const MAX_NAME = 60;

/** The owner's name for a connection; blank means none. Throws VALIDATION_ERROR. */
export function parseConnectionName(input: string | null | undefined): string | null {
  const name = cleanName(input ?? "");
  if (name === "") return null;
  if (name.length > MAX_NAME || !isLine(name)) {
    refuse("name", `name must be at most ${MAX_NAME} characters`);
  }
  return name;
}

/** Stored without a secret: the provider's has not been pasted yet, or the provider has none. */
export const NO_SECRET = "";

/** Whether a provider's secret has not been pasted yet. */
export function isWaiting(provider: ProviderName, secret: string): boolean {
  return PROVIDERS[provider].adapter.secret.from === "provider" && secret === NO_SECRET;
}

/**
 * The secret of a new connection or of a rotation: generated here, or the provider's as pasted. Until a provider's
 * own secret is pasted, every delivery is refused. Throws VALIDATION_ERROR, naming `secret`.
 */
export function generateConnectionSecret(provider: ProviderName, input: string | null | undefined): string {
  const { secret } = PROVIDERS[provider].adapter;
  const pasted = input?.trim() ?? "";
  if (secret.from === "provider") {
    if (pasted !== "" && !secret.pattern.test(pasted)) refuse("secret", secret.expected);
    return pasted;
  }
  if (pasted !== "") refuse("secret", "This provider's secret is generated here, not pasted");
  if (secret.from === "none") return NO_SECRET;
  return secret.form === "standard" ? generateWebhookSecret() : generateHeaderSecret();
}

/** A pasted signing secret; blank means none. Throws VALIDATION_ERROR if the provider has no second signature. */
export function parseSigningSecret(provider: ProviderName, input: string | null | undefined): string | null {
  const secret = input?.trim() ?? "";
  if (secret === "") return null;
  if (PROVIDERS[provider].signingSecretLabel === null) {
    refuse("signingSecret", "This provider has no signing secret of its own");
  }
  if (!/^[\x21-\x7e]{1,500}$/.test(secret)) {
    refuse("signingSecret", "The signing secret must be at most 500 printable characters");
  }
  return secret;
}

const MAX_EVENTS = 50;

/** Printable, with inner spaces. Stripe accepts keys of up to 40 characters, and no event name has 100. */
const EVENT_NAME = /^[^\p{Cc}\p{Cs}=]{1,100}$/u;
const METADATA_KEY = /^[\x21-\x7e]{1,40}$/;

/** Custom names as a form sends them: lines of `name there = documented name`, and a metadata key. */
export interface OwnNamesInput {
  events?: string | undefined;
  userIdKey?: string | undefined;
}

/** The owner's custom names; null if there are none. Throws VALIDATION_ERROR, naming the field. */
export function parseOwnNames(provider: ProviderName, input: OwnNamesInput): OwnNames | null {
  const events = parseEventNames(provider, input.events ?? "");
  const userIdKey = parseUserIdKey(provider, input.userIdKey?.trim() ?? "");
  return Object.keys(events).length === 0 && userIdKey === null ? null : { events, userIdKey };
}

function parseEventNames(provider: ProviderName, text: string): OwnNames["events"] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length === 0) return {};
  const { label, ownNames } = PROVIDERS[provider];
  if (!ownNames?.includes("events")) refuse("events", `${label} has no events that can be renamed`);
  if (lines.length > MAX_EVENTS) refuse("events", `At most ${MAX_EVENTS} names can be entered`);
  const pairs = lines.map((line) => parsePair(provider, line));
  const twice = pairs.find(([own], index) => pairs.findIndex(([name]) => isSame(name, own)) !== index);
  if (twice) refuse("events", `\`${twice[0]}\` is there twice`);
  return Object.fromEntries(pairs);
}

function parsePair(provider: ProviderName, line: string): [string, string] {
  const [own = "", documented = "", ...more] = line.split("=").map((part) => part.trim());
  if (!EVENT_NAME.test(own) || documented === "" || more.length > 0) {
    refuse("events", "Write one name per line: your name = the documented name");
  }
  const known = documentedEvents(provider).find((type) => isSame(type, documented));
  return [
    own,
    known ?? refuse("events", `\`${documented.slice(0, 100)}\` is not an event in this provider's table`),
  ];
}

const isSame = (a: string, b: string) => plainName(a) === plainName(b);

/** Every event in the provider's table of docs/providers.md. */
function documentedEvents(provider: ProviderName): string[] {
  const rules: readonly EventRule[] = PROVIDERS[provider].events;
  return rules.flatMap(({ types }) => types);
}

function parseUserIdKey(provider: ProviderName, key: string): string | null {
  if (key === "") return null;
  const { label, ownNames } = PROVIDERS[provider];
  if (!ownNames?.includes("userIdKey")) refuse("userIdKey", `${label} sends its user id in a separate field`);
  return METADATA_KEY.test(key) ? key : refuse("userIdKey", "A key has at most 40 characters and no spaces");
}
