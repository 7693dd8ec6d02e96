import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { anyFreePort } from "@/lib/cli/port";
import type { Sample } from "@/lib/demo/build";
import { clusterFolder } from "@/lib/postgres/initialize";
import { readPidFile } from "@/lib/postgres/pidfile";
import { descendants } from "./processes";

const RUN = "lib/cli/run.mjs";
const START_LIMIT = 180_000;

/** The real service on a data folder of its own, started the way `npm start` does it. */
export class Service {
  private child: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    readonly dataDir: string,
    private readonly processes: number,
  ) {}

  static async make(processes = 2): Promise<Service> {
    const dataDir = await realpath(await mkdtemp(join(tmpdir(), "metacode-chaos-")));
    return new Service(await anyFreePort(), dataDir, processes);
  }

  private get env(): NodeJS.ProcessEnv {
    const none = {
      DATABASE_URL: "",
      REDIS_URL: "",
      UPSTASH_REDIS_REST_URL: "",
      UPSTASH_REDIS_REST_TOKEN: "",
    };
    const own = { HOST: "127.0.0.1", PORT: String(this.port), DATA_DIR: this.dataDir, DEMO: "never" };
    const web = { APP_URL: "", LANDING_URL: "", AUTH_SECRET: "", WEB_PROCESSES: String(this.processes) };
    const rest = { NODE_ENV: "production", LOG_LEVEL: "error", DEFAULT_PLAN: "enterprise" } as const;
    return { ...process.env, ...none, ...own, ...web, ...rest };
  }

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  get logFile(): string {
    return join(this.dataDir, "service.log");
  }

  log(): string {
    return readFileSync(this.logFile, "utf8");
  }

  /** Starts it without waiting. In a group of its own, as a terminal would. */
  launch([command, ...args]: [string, ...string[]] = [process.execPath, RUN, "start"]): void {
    const out = openSync(this.logFile, "a");
    this.child = spawn(command, args, {
      env: this.env,
      stdio: ["ignore", out, out],
      detached: true,
    });
    closeSync(out);
  }

  /** Starts it again as soon as the killed one is gone. */
  async relaunch(): Promise<void> {
    if (this.child?.signalCode === null) await once(this.child, "exit");
    this.launch();
  }

  /** Resolves when it answers; rejects with its last words when it ends instead. */
  async ready(): Promise<void> {
    for (const begin = Date.now(); Date.now() - begin < START_LIMIT; await pause(50)) {
      if (this.child?.exitCode !== null) throw new Error(`The service ended: ${this.log().slice(-2_000)}`);
      const answer = await fetch(`http://127.0.0.1:${this.port}/api/health`).catch(() => undefined);
      if (answer?.ok) return;
    }
    throw new Error("The service does not answer");
  }

  async sample(codes: number): Promise<Sample> {
    const args = [RUN, "sample", "--json", "--plan", "enterprise", "--codes", String(codes)];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: this.env });
    return JSON.parse(stdout) as Sample;
  }

  webPids(): number[] {
    return descendants(this.pid)
      .filter(({ parent, command }) => parent === this.pid && command.includes("worker.mjs"))
      .map(({ pid }) => pid);
  }

  async postmasterPid(): Promise<number> {
    return (await readPidFile(clusterFolder(this.dataDir)))?.pid ?? 0;
  }

  /** `kill -9` of the supervisor, and nothing else. */
  async kill(): Promise<void> {
    if (this.child?.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill("SIGKILL");
    await once(this.child, "exit");
  }

  /** Sends SIGTERM to the supervisor, or SIGINT to all as Ctrl-C does; resolves with the exit code. */
  async end(signal: "SIGTERM" | "SIGINT"): Promise<number | null> {
    const ended = this.child ? once(this.child, "exit") : Promise.resolve([null]);
    process.kill(signal === "SIGINT" ? -this.pid : this.pid, signal);
    const [code] = await ended;
    return code as number | null;
  }

  async remove(): Promise<void> {
    if (this.child?.exitCode === null && this.child.signalCode === null) await this.end("SIGTERM");
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
