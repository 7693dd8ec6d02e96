import { expect, onTestFinished, test, vi } from "vitest";
import { SLOW_LOOKUPS_PER_MINUTE } from "@/lib/platform/limits/key-limits";
import { log } from "@/lib/platform/log";
import { stopClock, usePassingTime } from "@/lib/testing/clock";
import { openPage, sendClick } from "@/lib/testing/landing";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { addressToken, CLIENT_ADDRESS_HEADER } from "@/lib/web/http/client-address";
import { findInvitation } from "@/lib/web/landing/find-invitation";

const LIMIT = 4;
const pass = usePassingTime();
useService({ ADDRESS_UNKNOWN_METACODES_PER_HOUR: String(LIMIT) });

const from = (address: string) => ({ [CLIENT_ADDRESS_HEADER]: `${addressToken()}${address}` });

test("an address that tries many unknown links gets a few look-ups a minute, and no other address does", async () => {
  const { metacode } = await referringTenant();
  const statuses: number[] = [];
  for (let n = 0; n < LIMIT + 40; n++) {
    statuses.push((await openPage(`zzzz${n}`, from("2001:db8::1"))).status);
  }
  expect(statuses.slice(0, LIMIT)).toEqual(Array(LIMIT).fill(404));
  // The requests may span two minutes.
  expect(statuses.filter((status) => status === 404).length).toBeLessThanOrEqual(
    LIMIT + 2 * SLOW_LOOKUPS_PER_MINUTE,
  );
  const refused = statuses.lastIndexOf(429);
  expect(refused).toBeGreaterThan(0);
  const page = await openPage(metacode, from("2001:db8::ffff"));
  // Either a new minute has begun, or the response says when it will.
  if (page.status === 429) expect(Number(page.headers.get("retry-after"))).toBeLessThanOrEqual(61);
  else expect(page.status).toBe(200);
  expect((await openPage(metacode, from("2001:db8:0:1::1"))).status).toBe(200);
});

test("known links use up no look-up of an address with many unknown ones, which has the same number left", async () => {
  stopClock();
  const { metacode } = await referringTenant();
  const [guesser, other] = [from("203.0.113.1"), from("203.0.113.2")];
  const guess = async (count: number) => {
    for (let n = 0; n < count; n++) await openPage(`wwww${n}`, guesser);
  };
  await guess(LIMIT + 3);
  for (let n = 0; n < 5 * SLOW_LOOKUPS_PER_MINUTE; n++)
    expect((await openPage(metacode, guesser)).status).toBe(200);
  expect(await opened(guesser)).toBe(SLOW_LOOKUPS_PER_MINUTE - 3);
  expect((await openPage(metacode, guesser)).status).toBe(429);
  expect(await opened(other)).toBe(LIMIT + SLOW_LOOKUPS_PER_MINUTE);
});

test("known links are no guesses, however many a visitor opens", async () => {
  const { metacode } = await referringTenant();
  for (let n = 0; n < 10 * LIMIT; n++) {
    expect((await openPage(metacode, from("192.0.2.1"))).status).toBe(200);
  }
});

/** The number of unknown links that an address can still open. */
async function opened(headers: Record<string, string>): Promise<number> {
  const pages: number[] = [];
  for (let n = 0; n < LIMIT + 20; n++) pages.push((await openPage(`yyyy${n}`, headers)).status);
  return pages.filter((status) => status === 404).length;
}

test("a click on an unknown link is a guess as well, unless a robot sends it, and its refusal is no fault", async () => {
  stopClock();
  const warned = vi.spyOn(log(), "warn");
  onTestFinished(() => warned.mockRestore());
  const [person, robot] = [from("198.51.100.2"), { ...from("198.51.100.3"), "user-agent": "curl/8.5.0" }];
  for (let n = 0; n < LIMIT + 20; n++) {
    expect((await sendClick(`xxxx${n}`, person)).status).toBe(204);
    expect((await sendClick(`xxxx${n}`, robot)).status).toBe(204);
  }
  expect(await opened(person)).toBe(0);
  expect(await opened(robot)).toBe(LIMIT + SLOW_LOOKUPS_PER_MINUTE);
  expect(warned).not.toHaveBeenCalled();
});

test("links that are opened all at once wait for one another, and beyond a bound are asked to try again", async () => {
  const warned = vi.spyOn(log(), "warn");
  // A stopped clock keeps queries from waiting too long on a slow machine.
  const now = vi.spyOn(performance, "now").mockReturnValue(performance.now());
  onTestFinished(() => [warned, now].forEach((spy) => void spy.mockRestore()));
  const open = (n: number) => openPage(`wave${n}`, from(`192.0.2.${n % 250}`));
  const pages = await Promise.all(Array.from({ length: 400 }, (_, n) => open(n)));
  const refused = pages.filter(({ status }) => status === 503);
  const answered = pages.filter(({ status }) => status === 404);
  expect(refused[0]?.headers.get("retry-after")).toBe("5");
  expect(answered.length).toBeGreaterThanOrEqual(200);
  expect(answered.length + refused.length).toBe(400);
  expect((await open(400)).status).toBe(404);
  expect(warned.mock.calls.map(([, text]) => text)).toEqual([
    "visitors of landing pages are asked to try again; logged once a minute",
  ]);
});

test("a link that has waited for two seconds, because the database hangs, is asked to try again without a query", async () => {
  let answer: (row: null) => void = () => undefined;
  const hanging = new Promise<null>((resolve) => {
    answer = resolve;
  });
  const call = vi.fn(() => hanging);
  const pages = ["hang1", "hang2", "hang3", "hang4"].map((slug) => findInvitation(slug, { call } as never));
  await expect.poll(() => call.mock.calls.length).toBe(2);
  pass(2_001);
  answer(null);
  const states = await Promise.allSettled(pages);
  expect(states.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "rejected"]);
  expect(states[2]).toMatchObject({ reason: { code: "SERVICE_UNAVAILABLE" } });
  expect(call).toHaveBeenCalledTimes(2);
});
