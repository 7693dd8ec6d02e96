import { claim } from "./claim";
import { Metacode, MetacodeError } from "./metacode";
import { redeem } from "./redeem";

declare const process: { argv: string[]; stdout: { write(text: string): void } };

async function main(): Promise<void> {
  const [, , url = "", key = ""] = process.argv;
  const metacode = new Metacode(url, async () => ({ "x-api-key": key }));
  const anna = await metacode.referrer("anna", "Anna");
  const first = await metacode.redeem("bob", anna.metacode);
  const again = await redeem(metacode, "bob", `${anna.metacode} `);
  const refused = await metacode.claim("anna").then(
    () => 200,
    (error: unknown) => (error instanceof MetacodeError ? error.status : 0),
  );
  const requestId = await metacode.redeem("carl", "unknown2").then(
    () => undefined,
    (error: unknown) => (error instanceof MetacodeError ? error.requestId : undefined),
  );
  const rewards = (await claim(metacode, "anna")).codes.map(({ code }) => code);
  const codes = (await metacode.codes()).map(({ code }) => code);
  process.stdout.write(
    JSON.stringify({
      ...{ metacode: anna.metacode, code: first.code, again: again.code?.code, words: again.words },
      ...{ rewards, codes, refused, requestId },
    }),
  );
}

void main();
