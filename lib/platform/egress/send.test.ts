import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { createServer } from "node:tls";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Receiver, startReceiver } from "@/lib/testing/webhooks/receiver";
import { MAX_ANSWER } from "./answer";
import { EgressError } from "./failure";
import { sendRequest } from "./send";

const allowed = ["127.0.0.0/8"];

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

const post = (url = `${receiver.url}/hook?a=b`, options = {}) =>
  sendRequest(
    {
      url,
      method: "POST",
      headers: { "x-sent": "yes", "content-type": "application/json" },
      body: `{"ü":1}`,
    },
    { allowed, ...options },
  );

describe("a request", () => {
  test("is sent unchanged, and its response is returned", async () => {
    receiver.answer((_, response) =>
      response
        .writeHead(202, { "x-request-id": "7", "set-cookie": "a=b", server: "test" })
        .end("thank\0 you"),
    );
    const answer = await post();
    expect(answer).toMatchObject({ status: 202, body: "thank\ufffd you" });
    expect(answer.headers).toMatchObject({ "x-request-id": "7", server: "test" });
    expect(answer.headers).not.toHaveProperty("set-cookie");
    expect(receiver.got).toMatchObject([
      { method: "POST", path: "/hook?a=b", body: `{"ü":1}`, headers: { "x-sent": "yes" } },
    ]);
  });

  test("follows no redirect", async () => {
    const other = await startReceiver();
    receiver.answer((_, response) => response.writeHead(307, { location: `${other.url}/meta` }).end());
    expect(await post()).toMatchObject({ status: 307, headers: { location: `${other.url}/meta` } });
    expect(other.got).toEqual([]);
    await other.stop();
  });

  test("reads only the beginning of a long response, and does not wait for its end", async () => {
    receiver.answer((_, response) => void response.writeHead(200).write("x".repeat(1_048_576)));
    const { status, body, ms } = await post();
    expect([status, body.length]).toEqual([200, MAX_ANSWER]);
    expect(ms).toBeLessThan(15_000);
  });

  test("goes to the address that was checked for it, after another one of the same name", async () => {
    const url = receiver.url.replace("127.0.0.1", "moved.example.com");
    const former = post(url, { resolve: async () => ["127.0.0.2"] });
    await expect(former).rejects.toMatchObject({ reason: "unreachable" });
    expect((await post(url, { resolve: async () => ["127.0.0.1"] })).status).toBe(204);
  });

  test("goes to the addresses to which its host has moved, and not over a kept connection to the former ones", async () => {
    const url = receiver.url.replace("127.0.0.1", "moves.example.com");
    const via = (...addresses: string[]) => post(url, { resolve: async () => addresses });
    expect((await via("127.0.0.1")).status).toBe(204);
    // A connection is free one turn after its answer.
    await turn();
    await expect(via("127.0.0.2")).rejects.toMatchObject({ reason: "unreachable" });
  });

  test("reaches an address that accepts slowly, although another one of the name is unreachable", async () => {
    const flag = new Int32Array(new SharedArrayBuffer(4));
    const listen = `const { parentPort, workerData } = require("node:worker_threads");
      const server = require("node:http").createServer((_, response) => response.end());
      server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
        parentPort.postMessage(server.address().port);
        setImmediate(() => Atomics.wait(workerData, 0, 0));
      });`;
    const server = new Worker(listen, { eval: true, workerData: flag });
    const [port] = await once(server, "message");
    // Its queue is full: the system answers no further connection until the server accepts these.
    const others = [connect(port, "127.0.0.1"), connect(port, "127.0.0.1")];
    await Promise.all(others.map((socket) => once(socket, "connect")));
    const sent = post(`http://far.example.com:${port}/`, {
      allowed: [...allowed, "::1/128"],
      resolve: async () => ["127.0.0.1", "::1"],
    });
    setTimeout(() => {
      Atomics.store(flag, 0, 1);
      Atomics.notify(flag, 0);
    }, 100);
    expect((await sent).status).toBe(200);
    for (const socket of others) socket.destroy();
    await server.terminate();
  });

  test("stops waiting for a receiver that does not respond, or whose response never ends", async () => {
    receiver.answer(() => undefined);
    await expect(post(undefined, { timeoutMs: 150 })).rejects.toMatchObject({ reason: "timeout" });
    receiver.answer((_, response) => void response.writeHead(200).write("half"));
    expect(await post(undefined, { timeoutMs: 2_000 })).toMatchObject({ status: 200, body: "half" });
  });

  test("ends where the answer switches to another protocol", async () => {
    const broken = { reason: "broken", message: expect.stringMatching(/protocol/) };
    const upgrade = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n";
    receiver.answer((_, response) => void response.socket?.write(upgrade));
    await expect(post()).rejects.toMatchObject(broken);
  });

  test("names the host of a secure receiver without the last dot of its address", async () => {
    const names: string[] = [];
    const server = createServer({
      SNICallback: (name, done) => {
        names.push(name);
        done(new Error("no certificate"));
      },
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const { port } = server.address() as AddressInfo;
    const resolve = async () => ["127.0.0.1"];
    await expect(post(`https://hooks.example.com.:${port}/`, { resolve })).rejects.toThrow(EgressError);
    expect(names).toEqual(["hooks.example.com"]);
    server.close();
  });

  test("gives up a name server that does not answer", async () => {
    const resolve = () => new Promise<string[]>(() => undefined);
    await expect(post(undefined, { resolve, timeoutMs: 50 })).rejects.toMatchObject({ reason: "timeout" });
  });

  test("describes the error in words", async () => {
    receiver.answer((_, response) => void response.socket?.destroy());
    await expect(post()).rejects.toMatchObject({ reason: "broken", message: expect.stringMatching(/broke/) });
    receiver.answer((_, response) => void response.socket?.end("HELLO\r\n\r\n"));
    await expect(post()).rejects.toMatchObject({ reason: "broken", message: "The response is not HTTP" });
    const { url } = receiver;
    await receiver.stop();
    await expect(post(url)).rejects.toMatchObject({ reason: "unreachable" });
    const next = await startReceiver();
    const secure = post(next.url.replace("http:", "https:"));
    await expect(secure).rejects.toMatchObject({ reason: expect.stringMatching(/tls|broken/) });
    await next.stop();
  });

  test("is repeated if the other side has closed a reused connection", async () => {
    expect((await post()).status).toBe(204);
    // A connection is free one turn after its answer.
    await turn();
    receiver.answer((_, response, index) => {
      if (index === 1) response.socket?.resetAndDestroy();
      else response.writeHead(204).end();
    });
    expect((await post()).status).toBe(204);
    expect(receiver.got).toHaveLength(3);
  });
});
