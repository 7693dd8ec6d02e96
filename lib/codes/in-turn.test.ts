import { expect, test } from "vitest";
import { inTurn } from "@/lib/codes/in-turn";

/** Work that ends when it is told to, and what is under way. */
function workshop() {
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const work = (name: string) => () =>
    new Promise<string>((resolve, reject) => {
      begun.push(name);
      ends.set(name, (error) => (error ? reject(error) : resolve(name)));
    });
  return { begun, work, end: (name: string, error?: Error) => ends.get(name)?.(error) };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("two run, the others wait in the order in which they came", async () => {
  const { begun, work, end } = workshop();
  const done = ["a", "b", "c", "d"].map((name) => inTurn(work(name)));
  await settled();
  expect(begun).toEqual(["a", "b"]);
  end("b");
  await settled();
  expect(begun).toEqual(["a", "b", "c"]);
  end("a");
  await settled();
  expect(begun).toEqual(["a", "b", "c", "d"]);
  for (const name of ["c", "d"]) end(name);
  expect(await Promise.all(done)).toEqual(["a", "b", "c", "d"]);
});

test("one that fails gives its turn on", async () => {
  const { begun, work, end } = workshop();
  const done = ["a", "b", "c"].map((name) => inTurn(work(name)).catch((error: Error) => error.message));
  await settled();
  end("a", new Error("broken"));
  await settled();
  expect(begun).toEqual(["a", "b", "c"]);
  for (const name of ["b", "c"]) end(name);
  expect(await Promise.all(done)).toEqual(["broken", "b", "c"]);
});
