import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { afterAll, afterEach, beforeAll, expect, vi } from "vitest";
import { freePort } from "@/lib/platform/embedded-postgres/address";
import { exchange } from "@/lib/testing/http/raw-http";
import { bundleForChild } from "@/lib/testing/processes/child";

/** A supervisor in its own process, with the web and pages processes of the tests. */
interface SupervisedService {
  child: ChildProcess;
  port: number;
  /** Resolves when the supervisor has logged a line with this text. */
  said: (text: string) => Promise<void>;
}

interface Launch {
  processes?: number;
  port?: number;
  drainDelay?: number;
  /** With a pages process. */
  pages?: boolean;
  /** `never`: the web processes never listen. `missing`, `too long`: the system cannot start the first process. */
  starts?: "yes" | "never" | "missing" | "too long";
  /** Milliseconds between two pings of a process. */
  pulse?: number;
  /** Stays until the end of the file. */
  lasting?: boolean;
}

async function endAll(children: ChildProcess[]): Promise<void> {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
}

/** Returns the function that starts supervisors; those of a test are killed after it. */
export function useSupervisor(): (options?: Launch) => Promise<SupervisedService> {
  const ofTest: ChildProcess[] = [];
  const ofFile: ChildProcess[] = [];
  let files: string[] = [];
  beforeAll(async () => {
    const names = ["supervisor", "web-process", "pages-process"];
    // One after the other, because the end of one bundle stops the bundler for all.
    files = [];
    for (const name of names) files.push(await bundleForChild(`lib/testing/processes/${name}.ts`));
  });
  afterEach(() => endAll(ofTest));
  afterAll(() => endAll(ofFile));
  return async ({
    processes = 1,
    port,
    drainDelay = 0,
    pages = false,
    starts = "yes",
    pulse = 0,
    lasting = false,
  } = {}) => {
    const own = port ?? (await freePort());
    const [supervisor = "", web = "", rendering = ""] = files;
    const args = [
      supervisor,
      web,
      String(processes),
      String(own),
      String(drainDelay),
      pages ? rendering : "",
      starts,
      String(pulse),
    ];
    const env = { ...process.env, AUTH_SECRET: "a".repeat(32) };
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"], env });
    (lasting ? ofFile : ofTest).push(child);
    const lines: string[] = [];
    createInterface(child.stdout).on("line", (line) => lines.push(line));
    const said = (text: string) =>
      vi.waitFor(() => expect(lines.join("\n")).toContain(text), { timeout: 150_000, interval: 10 });
    return { child, port: own, said };
  };
}

/** The JSON of a response. Every call opens a new connection, so the web processes answer in rotation. */
export async function call<T>(port: number, line: string, body = ""): Promise<T> {
  const head = `${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`;
  const answer = await exchange(port, head + body);
  if (answer.status !== 200) throw new Error(`${line}: ${answer.status}`);
  return JSON.parse(answer.body) as T;
}

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Resolves when none of the processes exists any more. */
export const gone = (pids: number[]) =>
  vi.waitFor(() => expect(pids.filter(alive)).toEqual([]), { timeout: 150_000, interval: 10 });
