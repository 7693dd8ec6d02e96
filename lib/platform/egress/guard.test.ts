import { once } from "node:events";
import type { Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Canary, startCanary } from "@/lib/testing/http/canary";
import { startReceiver } from "@/lib/testing/webhooks/receiver";
import { sendRequest } from "./send";
import { checkTarget, mayReach } from "./target";

const names = vi.hoisted(() => ({
  lookedUp: [] as string[],
  addresses: [] as string[],
  silent: false,
}));

vi.mock("node:dns/promises", async (original) => ({
  ...(await original<object>()),
  Resolver: class {
    async resolve4(host: string) {
      names.lookedUp.push(host);
      if (names.addresses.length > 0) return names.addresses;
      throw new Error("no such name");
    }
    async resolve6() {
      return names.silent ? new Promise(() => undefined) : [];
    }
  },
}));

let canary: Canary;
beforeAll(async () => {
  canary = await startCanary();
});
afterAll(() => canary.stop());

const send = (url: string, resolve?: (host: string) => Promise<string[]>) =>
  sendRequest({ url, method: "POST", headers: {}, body: "{}" }, { allowed: [], ...(resolve && { resolve }) });

/** Hosts that mean this machine, a private network, or a cloud's metadata, in every spelling that a URL allows. */
const HOSTS = [
  ...["127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f.1", "0x7f000001", "0177.0.0.1", "017700000001"],
  ...[
    "0x7f.0x0.0x0.0x1",
    "①②⑦.⓪.⓪.①",
    "127。0。0。1",
    "%31%32%37.0.0.1",
    "127.0.0.1.",
    "127.0.0.1..",
    "2130706433..",
    "0",
    "0.0.0.0",
    "0x0",
  ],
  ...["10.0.0.1", "100.64.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.168.1.1"],
  ...["192.0.0.192", "198.18.0.1", "192.0.2.1", "203.0.113.9", "224.0.0.1", "255.255.255.255", "240.0.0.1"],
  ...[
    "[::]",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[::7f00:1]",
  ],
  ...["[::ffff:0:127.0.0.1]", "[64:ff9b::127.0.0.1]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::7f00:1]"],
  ...[
    "[2002:7f00:1::]",
    "[2001:0:7f00:1::]",
    "[fe80::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[fec0::1]",
    "[ff02::1]",
  ],
  ...["[2001:db8::1]", "[100::1]", "[4000::1]", "[5f00::1]", "[3fff::1]"],
];

describe("nothing is sent to", () => {
  test.each(HOSTS)("%s", async (host) => {
    for (const scheme of ["https", "http"]) {
      await expect(send(`${scheme}://${host}:${canary.port}/`)).rejects.toMatchObject({ reason: "refused" });
      await expect(send(`${scheme}://${host}/`)).rejects.toMatchObject({ reason: "refused" });
    }
    expect(canary.connections()).toBe(0);
  });

  test.each([
    "file:///etc/passwd",
    "ftp://example.com/",
    "gopher://example.com/",
    "https://user:word@93.184.216.34/",
    "https://user@93.184.216.34/",
    "https://:word@93.184.216.34/",
    "http://93.184.216.34/",
    "https://93.184.216.34:22/",
    "https://",
    "nonsense",
  ])("%s", async (url) => {
    await expect(send(url)).rejects.toMatchObject({ reason: "refused" });
  });

  test.each([
    [["127.0.0.1"]],
    [["93.184.216.34", "10.0.0.1"]],
    [["2606:2800:220:1::1", "::1"]],
    [["::ffff:127.0.0.1"]],
    [["64:ff9b::7f00:1"]],
    [["not an address"]],
  ])("a name with one private address: %j", async (addresses) => {
    const refused = send(`https://hooks.example.com:8443/`, async () => addresses);
    await expect(refused).rejects.toMatchObject({ reason: "refused" });
  });

  test("a public address of a name that also has an allowed one, on a port or in plain text that only that one may have", async () => {
    const [allowed, resolve] = [["10.0.0.0/8"], async () => ["10.0.0.1", "93.184.216.34"]];
    for (const url of ["http://hooks.example.com/", "https://hooks.example.com:22/"])
      await expect(checkTarget(url, allowed, resolve)).rejects.toMatchObject({ reason: "refused" });
  });

  test("a name that does not resolve", async () => {
    await expect(send("https://hooks.example.com/", async () => [])).rejects.toMatchObject({
      reason: "unknown_host",
    });
  });
});

test("an allowed range opens no other private address", () => {
  for (const host of ["10.1.0.0", "127.0.0.1", "::1"]) expect(mayReach(host, ["10.0.0.0/16"])).toBe(false);
});

test("an IPv4 address within an IPv6 one, as a gateway writes it, is judged as that IPv4 address", () => {
  for (const prefix of ["::ffff:", "64:ff9b::"]) {
    expect(mayReach(`${prefix}93.184.216.34`, [])).toBe(true);
    expect([mayReach(`${prefix}10.0.0.1`, []), mayReach(`${prefix}10.0.0.1`, ["10.0.0.0/8"])]).toEqual([
      false,
      true,
    ]);
  }
});

test("a name that changes between the check and the connection is connected to the checked address", async () => {
  const lookedUp: string[] = [];
  const rebinding = async (host: string) => {
    lookedUp.push(host);
    return lookedUp.length === 1 ? ["127.0.0.2"] : ["127.0.0.1"];
  };
  const url = `http://rebind.example.com:${canary.port}/`;
  const attempt = sendRequest(
    { url, method: "POST", headers: {}, body: "" },
    { allowed: ["127.0.0.2/32"], resolve: rebinding },
  );
  // The canary listens on every address, so it counts the connection to the allowed address and no other.
  await expect(attempt).rejects.toMatchObject({ reason: "broken" });
  expect(lookedUp).toEqual(["rebind.example.com"]);
  const again = sendRequest(
    { url, method: "POST", headers: {}, body: "" },
    { allowed: ["127.0.0.2/32"], resolve: rebinding },
  );
  await expect(again).rejects.toMatchObject({ reason: "refused" });
  expect(canary.connections()).toBe(1);
});

test("a name is looked up once for all requests of some seconds, and each of them is checked", async () => {
  names.addresses = [];
  await expect(send("https://moved.example.com/")).rejects.toMatchObject({ reason: "unknown_host" });
  names.addresses = ["127.0.0.1"];
  const sent = Array.from({ length: 8 }, () => send("https://moved.example.com/"));
  for (const attempt of sent) await expect(attempt).rejects.toMatchObject({ reason: "refused" });
  expect(names.lookedUp).toEqual(["moved.example.com", "moved.example.com"]);
  const later = performance.now() + 5_001;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => later);
  await vi.waitFor(async () => {
    await expect(send("https://moved.example.com/")).rejects.toMatchObject({ reason: "refused" });
    expect(names.lookedUp).toHaveLength(3);
  }, 60_000);
  clock.mockRestore();
});

test("a name is found by its IPv4 addresses where its name servers do not answer for IPv6", async () => {
  Object.assign(names, { addresses: ["127.0.0.1"], silent: true });
  const request = { url: "https://half.example.com/", method: "POST", headers: {}, body: "" } as const;
  const sent = sendRequest(request, { allowed: [], timeoutMs: 5_000 });
  await expect(sent.finally(() => Object.assign(names, { silent: false }))).rejects.toMatchObject({
    reason: "refused",
  });
});

/** Sends to a server of this machine. */
const sendHere = (port: number, path: string) =>
  sendRequest(
    { url: `http://127.0.0.1:${port}${path}`, method: "POST", headers: {}, body: "" },
    { allowed: ["127.0.0.0/8"] },
  );

test("requests of one tenant that a host leaves unanswered hold up no other tenant's to the same host", async () => {
  const receiver = await startReceiver();
  receiver.answer(({ path }, response) => path === "/other" && response.writeHead(204).end());
  const port = Number(new URL(receiver.url).port);
  const waiting = Array.from({ length: 64 }, () => sendHere(port, "/waits").catch(() => undefined));
  await vi.waitFor(() => expect(receiver.got).toHaveLength(64), 30_000);
  expect((await sendHere(port, "/other")).status).toBe(204);
  await receiver.stop();
  await Promise.all(waiting);
});

test("a response keeps no more memory than its body, whatever else comes between its parts", async () => {
  const before = process.memoryUsage().arrayBuffers;
  let held = 0;
  const receiver = await startReceiver();
  receiver.answer(async (_, response) => {
    const { socket } = response;
    socket?.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    const part = `1;${"x".repeat(65_000)}\r\na\r\n`;
    for (let index = 0; index < 4_000; index++) {
      if (!socket?.write(part)) await once(socket as Socket, "drain");
    }
    held = process.memoryUsage().arrayBuffers - before;
    socket?.write("0\r\n\r\n");
  });
  const { body } = await sendHere(Number(new URL(receiver.url).port), "/");
  expect(body).toHaveLength(4_000);
  expect(held).toBeLessThan(128 * 2 ** 20);
  await receiver.stop();
});
