import { claim } from "./claim";
import { Metacode, MetacodeError, type Referrer } from "./metacode";
import { redeem } from "./redeem";
import { ReferralScreen } from "./referral-screen";
import { shown } from "./stand-ins/react";

declare const process: { argv: string[]; stdout: { write(text: string): void } };

const settled = () => new Promise<void>((resolve) => setTimeout(() => resolve(), 0));

/** Checks that a response for anna, which arrives when the screen is already bob's, does not appear on it. */
async function checkScreen(referrer: Referrer): Promise<void> {
  const answers: Record<string, () => void> = {};
  Metacode.prototype.referrer = (uid) =>
    new Promise((resolve) => {
      answers[uid] = () => resolve({ ...referrer, metacode: uid });
    });
  for (const uid of ["anna", "bob"]) ReferralScreen({ uid });
  for (const uid of ["bob", "anna"]) {
    await settled();
    answers[uid]?.();
  }
  await settled();
  if (shown()?.metacode !== "bob") throw new Error(`The screen of bob shows ${shown()?.metacode}`);
}

async function main(): Promise<void> {
  const [, , url = "", key = ""] = process.argv;
  let calls = 0;
  const metacode = new Metacode(url, async () => {
    calls += 1;
    return { "x-api-key": key };
  });
  const offline = claim(new Metacode("http://127.0.0.1:1", () => ({})), "eve");
  const anna = await metacode.referrer("anna", "Anna");
  const headerCalls = calls;
  const statusOf = (answer: Promise<unknown>) =>
    answer.then(
      () => 200,
      (error: unknown) => (error instanceof MetacodeError ? error.status : 0),
    );
  const refused: number[] = [];
  for (let time = 0; time < 3; time += 1) refused.push(await statusOf(metacode.redeem("bob", anna.metacode)));
  const requestId = await metacode.redeem("carl", "unknown2").then(
    () => undefined,
    (error: unknown) => (error instanceof MetacodeError ? error.requestId : undefined),
  );
  /** Removes all codes of a user concurrently. */
  const removeAll = async (uid: string) =>
    Promise.all((await metacode.codes(uid)).map((code) => metacode.removeCode(uid, code)));
  for (let time = 0; time < 2; time += 1) {
    await removeAll("eve");
    await metacode.redeem("eve", anna.metacode);
  }
  const first = await metacode.redeem("bob", anna.metacode);
  const again = await redeem(metacode, "bob", `${anna.metacode} `);
  refused.push(await statusOf(metacode.claim("anna")));
  const rewards = (await claim(metacode, "anna")).codes.map(({ code }) => code);
  const codes: Record<string, string[]> = {};
  for (const uid of ["bob", "anna", "eve"]) codes[uid] = (await metacode.codes(uid)).map(({ code }) => code);
  await removeAll("anna");
  const left: string[] = [];
  for (let time = 0; time < 2; time += 1)
    left.push(...(await claim(metacode, "anna")).codes.map(({ store_url }) => store_url));
  const report = {
    metacode: anna.metacode,
    code: first.code,
    again: again.code?.code,
    words: again.words,
    rewards,
    codes,
    left,
    refused,
    requestId,
    headerCalls,
    offline: (await offline).words,
  };
  await checkScreen(anna);
  process.stdout.write(JSON.stringify(report));
}

void main();
