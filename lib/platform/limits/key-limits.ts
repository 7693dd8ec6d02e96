import type { Env } from "@/lib/platform/env";
import type { LimitDecision } from "@/lib/platform/limits/decision";
import type { Limiter, MakeLimiter } from "@/lib/platform/limits/limiter";
import type { Clock } from "@/lib/platform/limits/memory";
import { burst, sliding } from "@/lib/platform/limits/rules";

export type KeyLimitSettings = Pick<
  Env,
  | "KEY_BURST_PER_SECOND"
  | "KEY_BURST_SIZE"
  | "KEY_INVALID_REQUESTS_PER_MINUTE"
  | "KEY_UNKNOWN_METACODES_PER_HOUR"
  | "USER_UNKNOWN_METACODES_PER_HOUR"
  | "ADDRESS_UNKNOWN_METACODES_PER_HOUR"
>;

/** Look-ups a minute for an address that used up its unknown metacodes: slows a guesser, locks no honest user out. */
export const SLOW_LOOKUPS_PER_MINUTE = 10;

const HOUR = 60;
const DAY = 24 * HOUR;

/** The limits of a valid key. A place is a key with an address. */
export interface KeyLimiters {
  /** One request of a verified key: `KEY_BURST_SIZE` at once, `KEY_BURST_PER_SECOND` in the long run. */
  key(key: string): Promise<LimitDecision>;
  /** One request with an invalid body, or without the scope that it needs. */
  invalidRequest(place: string): Promise<LimitDecision>;
  /** One unknown metacode of a key, from all its callers together. */
  unknownMetacode(key: string): Promise<LimitDecision>;
  /**
   * Uncounts one unknown metacode of the key, and of an end user's address, for a metacode that exists: honest callers
   * enter more of these than they mistype.
   */
  knownMetacode(key: string, place?: string): Promise<void>;
  /** One unknown metacode of an end user. */
  guess(endUser: string): Promise<LimitDecision>;
  /** Whether the end user may continue, without counting, so that a request is refused before it runs. */
  peekGuess(endUser: string): Promise<LimitDecision>;
  /** One unknown metacode or link from an address that belongs to an end user. */
  guessFrom(place: string): Promise<void>;
  /**
   * Whether a metacode may be looked up from an address: always within the limit of guesses, then ten a minute, and the
   * decision is `slow`.
   */
  lookUp(place: string): Promise<LimitDecision & { slow?: boolean }>;
  /** Uncounts a slow look-up that found its link, so that others at the address can open theirs. */
  foundSlowly(place: string): Promise<void>;
  /**
   * Counts a code, a new referrer or a look-up in a form for an address, or a chosen metacode for a referrer: at most
   * `cap` of each in 24 hours.
   */
  perAddress(
    what: "code" | "referrer" | "check" | "metacode",
    cap: number,
    place: string,
  ): Promise<LimitDecision>;
  /** Uncounts a code that was not assigned after all, or a referrer that another call created. */
  returnUnit(what: "code" | "referrer", cap: number, place: string): Promise<void>;
}

/** Creates the limiters in the store that the process uses. */
export function keyLimiters(make: MakeLimiter, settings: KeyLimitSettings, now: Clock): KeyLimiters {
  const key = make("key", burst(settings.KEY_BURST_PER_SECOND, settings.KEY_BURST_SIZE, now));
  const invalid = make("invalid", sliding(settings.KEY_INVALID_REQUESTS_PER_MINUTE, 1, now));
  const unknown = make("unknown", sliding(settings.KEY_UNKNOWN_METACODES_PER_HOUR, HOUR, now));
  const guesses = make("guess", sliding(settings.USER_UNKNOWN_METACODES_PER_HOUR, HOUR, now));
  const fromAddress = make("guess-from", sliding(settings.ADDRESS_UNKNOWN_METACODES_PER_HOUR, HOUR, now));
  const slow = make("slow-lookup", sliding(SLOW_LOOKUPS_PER_MINUTE, 1, now));
  const caps = new Map<string, Limiter>();
  const capped = (what: string, cap: number): Limiter => {
    const name = `${what}-${cap}`;
    const known = caps.get(name) ?? make(name, sliding(cap, DAY, now));
    caps.set(name, known);
    return known;
  };
  return {
    key: (id) => key.take(id),
    invalidRequest: (place) => invalid.take(place),
    unknownMetacode: (id) => unknown.take(id),
    knownMetacode: async (id, place) => {
      await Promise.all([unknown.giveBack(id), place && fromAddress.giveBack(place)]);
    },
    guess: (endUser) => guesses.take(endUser),
    peekGuess: (endUser) => guesses.peek(endUser),
    guessFrom: async (place) => void (await fromAddress.take(place)),
    async lookUp(place) {
      const decision = await fromAddress.peek(place);
      return decision.allowed ? decision : { ...(await slow.take(place)), slow: true };
    },
    foundSlowly: (place) => slow.giveBack(place),
    perAddress: (what, cap, place) => capped(what, cap).take(place),
    returnUnit: (what, cap, place) => capped(what, cap).giveBack(place),
  };
}
