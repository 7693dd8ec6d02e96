import type { Attempt, Final, Platform } from "./history";

export type Kind = "double" | "lost" | "stranded" | "rows" | "false_empty" | "answer" | "quota";

export interface Finding {
  kind: Kind;
  text: string;
}

type Check = (attempts: Attempt[], final: Final) => string[];

function groupBy<T>(items: T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}

/** Names that stand with more than one different partner. */
function ambiguous(pairs: [name: string, partner: string][]): string[] {
  const partners = groupBy(pairs, ([name]) => name);
  return [...partners.keys()].filter(
    (name) => new Set(partners.get(name)?.map(([, partner]) => partner)).size > 1,
  );
}

/** A code with two referees or a referee with two codes, in the answers and the database taken together. */
const double: Check = (attempts, final) => {
  const told = attempts.flatMap(({ code, referee }): [string, string][] => (code ? [[code, referee]] : []));
  const held = final.codes.map(({ code, referee }): [string, string] => [code, referee]);
  const all = [...told, ...held];
  return [
    ...ambiguous(all).map((code) => `${code} was given to two referees`),
    ...ambiguous(all.map(([code, referee]) => [referee, code])).map((referee) => `${referee} has two codes`),
  ];
};

/** A code that a referee was told and the database no longer knows to be theirs. */
const lost: Check = (attempts, final) => {
  const holder = new Map(final.codes.map(({ code, referee }) => [code, referee]));
  const told = attempts.filter(({ code, referee }) => code && holder.get(code) !== referee);
  return told.map(({ code, referee }) => `${referee} was given ${code}, which the database does not say`);
};

/** Whoever asked must be given a code, or end with an honest "none left". */
const stranded: Check = (attempts) =>
  [...groupBy(attempts, ({ referee }) => referee)].flatMap(([referee, own]) => {
    const last = own.at(-1)?.verdict;
    const fine = last === "empty" || own.some(({ code }) => code);
    return fine ? [] : [`${referee} ended with ${last}`];
  });

/** Codes out = referrals = referees that hold one. */
const rows: Check = (attempts, final) => {
  const served = new Set(attempts.filter(({ code }) => code).map(({ referee }) => referee));
  const texts = final.referrals.filter(({ code }) => !code).map(({ referee }) => `${referee} has no code`);
  const places: [string, string[]][] = [
    ["a code out", final.codes.map(({ referee }) => referee)],
    ["a referral", final.referrals.map(({ referee }) => referee)],
  ];
  for (const [what, referees] of places) {
    const found = new Set(referees);
    for (const referee of found) if (!served.has(referee)) texts.push(`${referee} has ${what}, never told`);
    for (const referee of served)
      if (!found.has(referee)) texts.push(`${referee} was served without ${what}`);
    if (found.size !== referees.length) texts.push(`a referee has ${what} twice`);
  }
  return texts;
};

/** "None left" is honest only if every code of the pool can have been out by then: codes never come back. */
const falseEmpty: Check = (attempts, final) => {
  const holders = new Set(final.codes.map(({ referee }) => referee));
  const begun: Record<Platform, number[]> = { ios: [], android: [] };
  for (const [referee, own] of groupBy(attempts, (attempt) => attempt.referee)) {
    const first = own[0];
    if (first && holders.has(referee)) begun[first.platform].push(first.invoked);
  }
  return attempts
    .filter(({ verdict }) => verdict === "empty")
    .filter(({ platform, returned }) => {
      const possible = begun[platform].filter((invoked) => invoked <= returned).length;
      return possible < final.poolSize[platform];
    })
    .map(
      ({ referee, platform }) => `${referee} was told that ${platform} is empty while it cannot have been`,
    );
};

/** No 500, no broken envelope; a code shown again only to those who had reason to ask again. */
const answer: Check = (attempts) => {
  const before = new Set<string>();
  return attempts.flatMap((attempt) => {
    const asked = before.has(attempt.referee);
    if (attempt.verdict === "unknown" || attempt.code) before.add(attempt.referee);
    if (attempt.verdict === "fault") return [`${attempt.referee} was answered ${attempt.status}`];
    return attempt.again && !asked ? [`${attempt.referee} was shown a code before asking for one`] : [];
  });
};

/**
 * Every answered request is counted; beyond them only those without an answer and the shares that killed processes
 * held.
 */
function quota(attempts: Attempt[], final: Final, shares: number): string[] {
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
 * Judges a run by its whole history. `attempts` in the order of their return; `shares`: how many units of quota the
 * killed processes can have held.
 */
export function check(attempts: Attempt[], final: Final, shares: number): Finding[] {
  const found = CHECKS.flatMap(([kind, run]) => run(attempts, final).map((text) => ({ kind, text })));
  return [...found, ...quota(attempts, final, shares).map((text) => ({ kind: "quota" as const, text }))];
}
