import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { bounded, PageGate } from "./page-gate";

test("one address has at most 12 pages under way, all together at most 32", () => {
  const gate = new PageGate(1_000);
  const enter = (address: string, times: number) => Array.from({ length: times }, () => gate.enter(address));
  expect(enter("a", 13).filter((status) => status === undefined)).toHaveLength(12);
  expect(gate.enter("a")).toBe(503);
  expect(enter("b", 12)).not.toContain(503);
  expect(enter("c", 9).filter((status) => status === 503)).toHaveLength(1);
  gate.leave("a");
  expect(gate.enter("d")).toBeUndefined();
});

test("an address may ask for so many pages a minute, and again as time passes", () => {
  let now = 1_000_000;
  const gate = new PageGate(60, () => now);
  const visit = (address: string) => {
    const status = gate.enter(address);
    if (!status) gate.leave(address);
    return status;
  };
  for (let count = 0; count < 60; count++) expect(visit("a")).toBeUndefined();
  expect([visit("a"), visit("b")]).toEqual([429, undefined]);
  now += 1_000;
  expect([visit("a"), visit("a")]).toEqual([undefined, 429]);
});

test("more pages than are rendered at once are 503 with Retry-After, until one is finished", async () => {
  const held: ServerResponse[] = [];
  const pages = bounded(async (_incoming, outgoing) => void held.push(outgoing), 2);
  const server = createServer((incoming, outgoing) => void pages(incoming, outgoing)).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close().closeAllConnections());
  await once(server, "listening");
  const ask = () => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const first = [ask(), ask()];
  await vi.waitFor(() => expect(held).toHaveLength(2));
  const refused = await ask();
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
  held.pop()?.end("page");
  await Promise.any(first);
  const third = ask();
  await vi.waitFor(() => expect(held).toHaveLength(2));
  for (const outgoing of held) outgoing.end("page");
  expect((await third).status).toBe(200);
});
