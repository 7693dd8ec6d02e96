import { once } from "node:events";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { exchange } from "@/lib/testing/http/raw-http";
import { call, gone, useSupervisor } from "@/lib/testing/processes/supervised";
import { MAX_JSON_BYTES } from "@/lib/web/http/body";

const launch = useSupervisor();

interface State {
  pid: number;
  notes: string[];
  held: number;
  memory: number;
}

/** The states of `count` different processes. */
function statesOf(port: number, count: number): Promise<State[]> {
  const seen = new Map<number, State>();
  return vi.waitFor(
    async () => {
      const state = await call<State>(port, "GET /api/state");
      seen.set(state.pid, state);
      expect(seen.size).toBe(count);
      return [...seen.values()];
    },
    { timeout: 150_000, interval: 10 },
  );
}

describe("the supervisor", () => {
  it("replaces a process that was killed", async () => {
    const { port, said } = await launch({ processes: 2 });
    await said("ready");
    const [first] = await statesOf(port, 2);
    process.kill(first?.pid ?? 0, "SIGKILL");
    await said("is being restarted");
    const after = await statesOf(port, 2);
    expect(after.map(({ pid }) => pid)).not.toContain(first?.pid);
  });

  it("replaces a process that stands still: it takes connections and never answers", async () => {
    const { port, said } = await launch({ pulse: 200 });
    await said("ready");
    const [before] = await statesOf(port, 1);
    void exchange(port, "GET /api/hang HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await said(`Web process ${before?.pid} does not respond`);
    await said("is being restarted");
    const [after] = await statesOf(port, 1);
    expect(after?.pid).not.toBe(before?.pid);
  });

  it.each([
    ["missing", "ENOENT"],
    ["too long", "E2BIG"],
  ] as const)("starts a process later that the system refuses to start: it is %s", async (starts, code) => {
    const { port, said } = await launch({ starts });
    await said(`Web process cannot be started (spawn`);
    await said(code);
    await said("ready");
    await statesOf(port, 1);
  });

  it("starts all of many processes later that the system refuses to start at one moment", async () => {
    const { port, said } = await launch({ processes: 6, starts: "missing" });
    await said("ready");
    await statesOf(port, 6);
  });

  it("lets whichever process is asked report the metrics of all", async () => {
    const { port, said } = await launch({ processes: 3 });
    await said("ready");
    const pids = (await statesOf(port, 3)).map(({ pid }) => String(pid));
    for (let question = 0; question < 4; question++) {
      const reported = await call<string[]>(port, "GET /api/metrics");
      expect(reported.sort()).toEqual(pids.sort());
    }
  });

  it("leaves no process behind when it is killed itself", async () => {
    const { child, port, said } = await launch({ processes: 2 });
    await said("ready");
    const states = await statesOf(port, 2);
    child.kill("SIGKILL");
    await gone(states.map(({ pid }) => pid));
  });

  it("lets a running request finish while it ends the work beside the requests, then ends with code 0", async () => {
    const { child, port, said } = await launch();
    await said("ready");
    const held = exchange(port, "GET /api/hold HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await vi.waitFor(async () => expect((await call<State>(port, "GET /api/state")).held).toBe(1), {
      timeout: 150_000,
    });
    child.kill("SIGTERM");
    const [[code], answer] = await Promise.all([once(child, "exit"), held]);
    expect(answer.status).toBe(200);
    expect(answer.headers.connection).toBe("close");
    expect(code).toBe(0);
    expect((await exchange(port, "")).status).toBe(0);
  });

  it("turns readiness to 503 for the configured time and answers everything else meanwhile", async () => {
    const { child, port, said } = await launch({ drainDelay: 120_000 });
    await said("ready");
    child.kill("SIGTERM");
    await vi.waitFor(async () => {
      const { status } = await exchange(port, "GET /api/ready HTTP/1.1\r\nHost: localhost\r\n\r\n");
      expect(status).toBe(503);
    }, 150_000);
    expect((await call<State>(port, "GET /api/state")).pid).toBeGreaterThan(0);
    expect(child.exitCode).toBeNull();
  });

  it("closes the port after that time and ends with code 0", async () => {
    const { child, port, said } = await launch({ drainDelay: 100 });
    await said("ready");
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
    expect((await exchange(port, "")).status).toBe(0);
  });

  it("ends a process that is still starting without the delay", async () => {
    const { child, said } = await launch({ drainDelay: 600_000, starts: "never" });
    await said("forked");
    child.kill("SIGTERM");
    const [code] = await once(child, "exit");
    expect(code).toBe(0);
  });

  it("ends its pages process too, and removes the socket", async () => {
    const { child, port, said } = await launch({ pages: true });
    await said("ready");
    const { pid, address } = await vi.waitFor(
      () => call<{ pid: number; address: string }>(port, "GET /page"),
      150_000,
    );
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
    await gone([pid]);
    expect(existsSync(dirname(address))).toBe(false);
  });

  it("says in one line that the port is taken", async () => {
    const first = await launch();
    await first.said("ready");
    const second = await launch({ processes: 2, port: first.port });
    const [code] = await once(second.child, "exit");
    await second.said(`Port ${first.port} is already in use`);
    expect(code).toBe(1);
  });

  it("carries a broadcast to the other processes before it returns", async () => {
    const { port, said } = await launch({ processes: 2 });
    await said("ready");
    await statesOf(port, 2);
    await call(port, "POST /api/tell", "revoked");
    const states = await statesOf(port, 2);
    expect(states.map(({ notes }) => notes)).toEqual([["revoked"], ["revoked"]]);
  });
});

describe("a body of 60 MB in chunks", () => {
  const CHUNK = Buffer.concat([Buffer.from("100000\r\n"), Buffer.alloc(1 << 20, 97), Buffer.from("\r\n")]);

  it("is cut for the handler and does not stay in memory", async () => {
    const { port, said } = await launch();
    await said("ready");
    const before = await call<State>(port, "GET /api/state");
    const head = "POST /api/size HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
    let written = 0;
    const answer = await exchange(port, head, async (socket) => {
      for (; written < 60 && socket.writable; written++) {
        if (!socket.write(CHUNK)) await once(socket, "drain").catch(() => undefined);
      }
    });
    const after = await call<State>(port, "GET /api/state");
    expect(Number(answer.body)).toBe(MAX_JSON_BYTES + 1);
    // Less than a megabyte as a rule; 37 in a process that reads the body whole.
    expect(after.memory - before.memory).toBeLessThan(20 * (1 << 20));
  });
});
