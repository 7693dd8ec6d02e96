import { NextRequest } from "next/server";
import { expect, test } from "vitest";
import { acceptedLanguages, acceptsGzip, chooseEncoding } from "./preferences";

const ask = (encodings?: string) =>
  new Request("http://localhost:3000/", { headers: encodings ? { "accept-encoding": encodings } : {} });

test.each([
  ["gzip", true],
  ["br, gzip;q=0.5", true],
  ["*", true],
  ["gzip;q=0, br", false],
  ["br", false],
  [undefined, false],
])("a client that accepts %s gets gzip: %s", (encodings, wanted) => {
  expect(acceptsGzip(ask(encodings))).toBe(wanted);
});

test("nothing is gzipped behind Next, because it drops the header", () => {
  expect(acceptsGzip(new NextRequest(ask("gzip")))).toBe(false);
});

test("of a long header only the beginning is read, because 15 KB took 5 ms", () => {
  const long = "a,".repeat(7_000);
  expect([acceptsGzip(ask(`${long}gzip`)), chooseEncoding(`${long}br`)]).toEqual([false, undefined]);
  expect([acceptsGzip(ask(`gzip,${long}`)), chooseEncoding(`br,${long}`)]).toEqual([true, "br"]);
  expect(acceptedLanguages(long)).toEqual(Array(10).fill("a"));
});
