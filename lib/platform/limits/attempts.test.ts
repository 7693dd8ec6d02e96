import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { createLimits, type Limits } from "@/lib/platform/limits/limits";
import { useClock } from "@/lib/testing/clock";
import { SMALL } from "@/lib/testing/redis/limits";

const advanceSeconds = useClock();
const advance = (milliseconds: number) => advanceSeconds(milliseconds / 1_000);
const times = <T>(count: number, call: () => Promise<T>) => Promise.all(Array.from({ length: count }, call));

let last = 0;
/** Each attempt comes from its own network. */
const addressOf = () => `2001:db8:${(++last).toString(16)}::1`;

let limits: Limits;
let id: string;
beforeEach(() => {
  limits = createLimits(SMALL);
  id = randomUUID();
});

test("lets 30 passwords a day pass for an account from all addresses, and 5 more for a familiar browser", async () => {
  const guess = (number: number) => limits.signIn(id, { address: `198.51.${number >> 8}.${number & 255}` });
  const base = Math.floor(Math.random() * 60_000);
  const decisions = await Promise.all(Array.from({ length: 64 }, (_, number) => guess(base + number)));
  expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(30);
  expect(decisions.filter(({ allowed, usedUp }) => allowed && usedUp)).toHaveLength(1);
  expect(decisions.filter(({ allowed, usedUp }) => !allowed && usedUp)).toHaveLength(34);
  const familiar = { address: "198.51.100.1", device: randomUUID() };
  const own = await times(8, () => limits.signIn(id, familiar));
  expect(own.filter(({ allowed }) => allowed)).toHaveLength(5);
  expect(own.filter(({ usedUp }) => usedUp)).toEqual([]);
  advance(2 * 24 * 3_600_000);
  expect(await guess(base)).toMatchObject({ allowed: true, usedUp: false });
});

test("remembers the day's wrong passwords of an account while others guess at 50,000 invented addresses", async () => {
  const from = (number: number) => ({ address: `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}` });
  await times(30, () => limits.signIn(id, { address: addressOf() }));
  for (let number = 0; number < 50_000; number++) await limits.signIn(`${number}@invented`, from(number));
  expect(await limits.signIn(id, { address: addressOf() })).toMatchObject({ allowed: false, usedUp: true });
});

test("lets 30 passwords a day pass for an account from all its familiar browsers, however many they are", async () => {
  const guess = () => limits.signIn(id, { address: "198.51.100.1", device: randomUUID() });
  const decisions = await times(34, guess);
  expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(30);
  expect(decisions.filter(({ allowed, usedUp }) => allowed && usedUp)).toHaveLength(1);
  expect(decisions.filter(({ firstRefused }) => firstRefused)).toHaveLength(1);
  expect(await limits.signIn(id, { address: "198.51.100.3" })).toMatchObject({
    allowed: true,
    usedUp: false,
  });
  advance(2 * 24 * 3_600_000);
  expect(await guess()).toMatchObject({ allowed: true, usedUp: false });
});

test("the familiar browsers of an account begin a new day with a new password", async () => {
  const guess = (sessionVersion: number) =>
    limits.signIn(id, { address: "198.51.100.1", device: randomUUID(), sessionVersion });
  expect((await times(31, () => guess(1))).at(-1)).toMatchObject({ allowed: false, usedUp: true });
  expect(await guess(2)).toMatchObject({ allowed: true, usedUp: false });
});

test("an address over its limit adds no event to the accounts that it tries", async () => {
  const address = "198.51.100.4";
  await times(20, () => limits.signIn(randomUUID(), { address }));
  expect(await limits.signIn(id, { address })).toMatchObject({ allowed: false, firstRefused: false });
});

test("attempts that a limit of the account refuses use up nothing of their address's 20 an hour", async () => {
  const paused = { address: addressOf() };
  const pausedDecisions = await times(25, () => limits.signIn(id, paused));
  expect(pausedDecisions.filter(({ allowed }) => allowed)).toHaveLength(5);
  const colleague = await times(16, () => limits.signIn(randomUUID(), paused));
  expect(colleague.filter(({ allowed }) => allowed)).toHaveLength(15);

  const owner = { address: addressOf() };
  await times(25, () => limits.signIn(id, { address: addressOf() }));
  for (let time = 0; time < 25; time++)
    expect(await limits.signIn(id, owner)).toMatchObject({ allowed: false, usedUp: true });
  expect(await limits.signIn(randomUUID(), owner)).toMatchObject({ allowed: true });
});

test("lets 20 codes a day pass for an account, 5 in 15 minutes, and as many for a familiar browser", async () => {
  const attempt = (device?: string) => limits.secondFactor(id, { address: "198.51.100.2", device });
  let allowed = 0;
  for (let quarter = 0; quarter < 20; quarter++) {
    allowed += (await times(8, () => attempt())).filter((decision) => decision.allowed).length;
    advance(30 * 60_000);
  }
  expect(allowed).toBe(20);
  expect(await attempt()).toMatchObject({ allowed: false, usedUp: true });
  expect(await attempt(randomUUID())).toMatchObject({ allowed: true, usedUp: false });
  const familiar = await times(24, () => attempt(randomUUID()));
  expect(familiar.filter((decision) => decision.allowed)).toHaveLength(19);
});

test("limits requests for emails per address, and a familiar browser apart from it", async () => {
  const address = `203.0.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`;
  const decisions = await times(64, () => limits.accountEmail({ address }));
  expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(60);
  const familiar = await times(8, () => limits.accountEmail({ address, device: id }));
  expect(familiar.filter(({ allowed }) => allowed)).toHaveLength(5);
});
