import { claim } from "./claim";
import { Metacode, MetacodeError } from "./metacode";
import { redeem } from "./redeem";

declare const process: { argv: string[]; stdout: { write(text: string): void } };

async function main(): Promise<void> {
  const [, , url = "", key = ""] = process.argv;
  const metacode = new Metacode(url, async () => ({ "x-api-key": key }));
  const anna = await metacode.referrer("anna", "Anna");
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
  const first = await metacode.redeem("bob", anna.metacode);
  const again = await redeem(metacode, "bob", `${anna.metacode} `);
  refused.push(await statusOf(metacode.claim("anna")));
  const rewards = (await claim(metacode, "anna")).codes.map(({ code }) => code);
  const codes: Record<string, string[]> = {};
  for (const uid of ["bob", "anna", "eve"]) codes[uid] = (await metacode.codes(uid)).map(({ code }) => code);
  for (const code of rewards) await metacode.removeCode("anna", code);
  await claim(metacode, "anna");
  const left = await metacode.codes("anna");
  process.stdout.write(
    JSON.stringify({
      ...{ metacode: anna.metacode, code: first.code, again: again.code?.code, words: again.words },
      ...{ rewards, codes, left, refused, requestId },
    }),
  );
}

void main();
