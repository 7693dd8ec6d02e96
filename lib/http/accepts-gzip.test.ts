import { NextRequest } from "next/server";
import { expect, test } from "vitest";
import { acceptsGzip } from "./accepts-gzip";

const ask = (encodings?: string) =>
  new Request("http://localhost:3000/", { headers: encodings ? { "accept-encoding": encodings } : {} });

test.each([
  ["gzip", true],
  ["br, gzip;q=0.5", true],
  ["*", true],
  ["gzip;q=0, br", false],
  ["br", false],
  [undefined, false],
])("a client that takes %s is answered in gzip: %s", (encodings, wanted) => {
  expect(acceptsGzip(ask(encodings))).toBe(wanted);
});

test("below the framework nothing is packed, because it drops the header that says so", () => {
  expect(acceptsGzip(new NextRequest(ask("gzip")))).toBe(false);
});
