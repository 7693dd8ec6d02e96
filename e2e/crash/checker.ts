import type { Platform } from "@/lib/contract/fields";
import type { Final, RedeemAttempt } from "./history";

export type Kind = "double" | "lost" | "stranded" | "rows" | "false_empty" | "answer" | "quota";

export interface Finding {
  kind: Kind;
  text: string;
}

type Check = (attempts: RedeemAttempt[], final: Final) => string[];

function groupBy<T>(items: T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}

/** The names with more than one partner. */
function ambiguous(pairs: [name: string, partner: string][]): string[] {
  const partners = groupBy(pairs, ([name]) => name);
  return [...partners.keys()].filter(
    (name) => new Set(partners.get(name)?.map(([, partner]) => partner)).size > 1,
  );
}

/** A code with two referees or a referee with two codes, in the responses and the database together. */
const double: Check = (attempts, final) => {
  const answered = attempts.flatMap(({ code, referee }): [string, string][] =>
    code ? [[code, referee]] : [],
  );
  const stored = final.codes.map(({ code, referee }): [string, string] => [code, referee]);
  const all = [...answered, ...stored];
  return [
    ...ambiguous(all).map((code) => `${code} was assigned to two referees`),
    ...ambiguous(all.map(([code, referee]) => [referee, code])).map((referee) => `${referee} has two codes`),
  ];
};

/** A code in a response that the database does not assign to the same referee. */
const lost: Check = (attempts, final) => {
  const holder = new Map(final.codes.map(({ code, referee }) => [code, referee]));
  const wrong = attempts.filter(({ code, referee }) => code && holder.get(code) !== referee);
  return wrong.map(({ code, referee }) => `${referee} got ${code}, which the database does not confirm`);
};

/** A referee that ends neither with a code nor with "none left". */
const stranded: Check = (attempts) =>
  [...groupBy(attempts, ({ referee }) => referee)].flatMap(([referee, own]) => {
    const last = own.at(-1)?.outcome;
    const fine = last === "empty" || own.some(({ code }) => code);
    return fine ? [] : [`${referee} ended with ${last}`];
  });

/** Assigned codes = referrals = referees with a code. */
const rows: Check = (attempts, final) => {
  const served = new Set(attempts.filter(({ code }) => code).map(({ referee }) => referee));
  const texts = final.referrals.filter(({ code }) => !code).map(({ referee }) => `${referee} has no code`);
  const places: [string, string[]][] = [
    ["an assigned code", final.codes.map(({ referee }) => referee)],
    ["a referral", final.referrals.map(({ referee }) => referee)],
  ];
  for (const [what, referees] of places) {
    const found = new Set(referees);
    for (const referee of found)
      if (!served.has(referee)) texts.push(`${referee} has ${what}, but no response with it`);
    for (const referee of served)
      if (!found.has(referee)) texts.push(`${referee} was served without ${what}`);
    if (found.size !== referees.length) texts.push(`a referee has ${what} twice`);
  }
  return texts;
};

/** "None left" is correct only if every code of the pool can have been assigned by then: codes never return. */
const falseEmpty: Check = (attempts, final) => {
  const holders = new Set(final.codes.map(({ referee }) => referee));
  const begun: Record<Platform, number[]> = { ios: [], android: [] };
  for (const [referee, own] of groupBy(attempts, (attempt) => attempt.referee)) {
    const first = own[0];
    if (first && holders.has(referee)) begun[first.platform].push(first.invoked);
  }
  return attempts
    .filter(({ outcome }) => outcome === "empty")
    .filter(({ platform, returned }) => {
      const possible = begun[platform].filter((invoked) => invoked <= returned).length;
      return possible < final.poolSize[platform];
    })
    .map(
      ({ referee, platform }) =>
        `${referee} got "none left" for ${platform}, whose pool cannot have been empty`,
    );
};

/** A 500, a broken envelope, or a code repeated to a referee that had no reason to retry. */
const answer: Check = (attempts) => {
  const before = new Set<string>();
  return attempts.flatMap((attempt) => {
    const retried = before.has(attempt.referee);
    if (attempt.outcome === "unknown" || attempt.code) before.add(attempt.referee);
    if (attempt.outcome === "fault") return [`${attempt.referee} was answered ${attempt.status}`];
    return attempt.again && !retried ? [`${attempt.referee} got a repeated code on the first request`] : [];
  });
};

/** A quota that misses answered requests, or counts more than those without a response and the shares of killed processes. */
function quota(attempts: RedeemAttempt[], final: Final, shares: number): string[] {
  const counted = attempts.filter(({ status }) => status > 0 && status < 500 && status !== 429).length;
  const unsure = attempts.filter(({ status }) => status === 0 || status >= 500).length;
  const most = counted + unsure + shares;
  if (final.quotaUsed >= counted && final.quotaUsed <= most) return [];
  return [`${final.quotaUsed} requests are counted, not ${counted} to ${most}`];
}

const CHECKS: [Kind, Check][] = [
  ["double", double],
  ["lost", lost],
  ["stranded", stranded],
  ["rows", rows],
  ["false_empty", falseEmpty],
  ["answer", answer],
];

/**
 * Checks a run by its whole history. `attempts` are in the order of their responses; `shares` are the units of quota that
 * the killed processes may have held.
 */
export function check(attempts: RedeemAttempt[], final: Final, shares: number): Finding[] {
  const found = CHECKS.flatMap(([kind, run]) => run(attempts, final).map((text) => ({ kind, text })));
  return [...found, ...quota(attempts, final, shares).map((text) => ({ kind: "quota" as const, text }))];
}
