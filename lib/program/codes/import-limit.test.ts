import { expect, test } from "vitest";
import { importLimit } from "./import";

/** Work that ends on demand, and the names of the work that has begun. */
function controlledWork() {
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

test("two imports run, the others wait in the order of their calls", async () => {
  const { begun, work, end } = controlledWork();
  const done = ["a", "b", "c", "d"].map((name) => importLimit()(work(name)));
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

test("a failed import frees its slot", async () => {
  const { begun, work, end } = controlledWork();
  const done = ["a", "b", "c"].map((name) =>
    importLimit()(work(name)).catch((error: Error) => error.message),
  );
  await settled();
  end("a", new Error("broken"));
  await settled();
  expect(begun).toEqual(["a", "b", "c"]);
  for (const name of ["b", "c"]) end(name);
  expect(await Promise.all(done)).toEqual(["broken", "b", "c"]);
});
