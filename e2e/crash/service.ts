import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import type { SampleWorkspace } from "@/lib/cli/sample-workspace/build";
import { freePort, runningPostgres } from "@/lib/platform/embedded-postgres/address";
import { clusterFolder } from "@/lib/platform/embedded-postgres/initialize";
import { readPidFile } from "@/lib/platform/embedded-postgres/process";
import { descendants } from "./processes";

const RUN = "lib/cli/run.mjs";
const START_LIMIT = 180_000;

/** The real service on a new data folder, started as by `npm start`. */
export class TestedService {
  private child: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    readonly dataDir: string,
    private readonly processes: number,
    private readonly given: Record<string, string>,
    private program: string,
  ) {}

  /**
   * A service that is not started yet; `given` are further settings of its environment, `program` the file that takes the
   * commands `start` and `sample`.
   */
  static async make(
    processes = 2,
    given: Record<string, string> = {},
    program = RUN,
  ): Promise<TestedService> {
    const dataDir = await realpath(await mkdtemp(join(tmpdir(), "metacode-crash-")));
    return new TestedService(await freePort(), dataDir, processes, given, program);
  }

  /** Makes the next start run another version. */
  replaceProgram(program: string): void {
    this.program = program;
  }

  private get env(): NodeJS.ProcessEnv {
    const none = {
      DATABASE_URL: "",
      REDIS_URL: "",
      REDIS_SENTINELS: "",
      UPSTASH_REDIS_REST_URL: "",
      UPSTASH_REDIS_REST_TOKEN: "",
    };
    const own = {
      HOST: "127.0.0.1",
      PORT: String(this.port),
      DATA_DIR: this.dataDir,
      SAMPLE_WORKSPACE: "never",
    };
    const web = { APP_URL: "", LANDING_URL: "", AUTH_SECRET: "", WEB_PROCESSES: String(this.processes) };
    const rest = { NODE_ENV: "production", LOG_LEVEL: "error", DEFAULT_PLAN: "enterprise" } as const;
    return { ...process.env, ...none, ...own, ...web, ...rest, ...this.given };
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

  /** Starts the service without waiting, in its own process group as in a terminal. */
  launch([command, ...args]: [string, ...string[]] = [process.execPath, this.program, "start"]): void {
    const out = openSync(this.logFile, "a");
    this.child = spawn(command, args, {
      env: this.env,
      stdio: ["ignore", out, out],
      detached: true,
    });
    closeSync(out);
  }

  /** Starts the service again as soon as the killed process has exited. */
  async relaunch(): Promise<void> {
    if (this.child?.signalCode === null) await once(this.child, "exit");
    this.launch();
  }

  /** Throws when the service has ended without a signal. */
  assertRunning(): void {
    const { exitCode } = this.child ?? {};
    if (typeof exitCode === "number")
      throw new Error(`The service ended with code ${exitCode}: ${this.log().slice(-2_000)}`);
  }

  /** Resolves when the service responds; rejects when it ends. */
  async ready(): Promise<void> {
    for (const begin = Date.now(); Date.now() - begin < START_LIMIT; await pause(50)) {
      this.assertRunning();
      const answer = await fetch(`http://127.0.0.1:${this.port}/api/health`).catch(() => undefined);
      if (answer?.ok) return;
    }
    throw new Error("The service does not answer");
  }

  async sample(codes: number, threshold = 3): Promise<SampleWorkspace> {
    const counts = ["--codes", String(codes), "--threshold", String(threshold)];
    const args = [this.program, "sample", "--json", "--plan", "enterprise", ...counts];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: this.env });
    return JSON.parse(stdout) as SampleWorkspace;
  }

  webPids(): number[] {
    return this.pidsOf("worker.mjs");
  }

  pagesPids(): number[] {
    return this.pidsOf("pages.mjs");
  }

  private pidsOf(file: string): number[] {
    return descendants(this.pid)
      .filter(({ parent, command }) => parent === this.pid && command.includes(file))
      .map(({ pid }) => pid);
  }

  /** Whether the service uses its embedded database, which ends with it. */
  get isEmbedded(): boolean {
    return !this.given.DATABASE_URL;
  }

  async databaseUrl(): Promise<string> {
    const url = this.given.DATABASE_URL ?? (await runningPostgres(this.dataDir));
    if (!url) throw new Error("PostgreSQL does not run");
    return url;
  }

  async postmasterPid(): Promise<number> {
    const file = await readPidFile(clusterFolder(this.dataDir));
    if (!file) throw new Error("PostgreSQL does not run");
    return file.pid;
  }

  /** `kill -9` of the supervisor and all its processes at once, as when a machine dies. */
  async killAll(): Promise<void> {
    const ended = this.child ? once(this.child, "exit") : Promise.resolve();
    process.kill(-this.pid, "SIGKILL");
    await ended;
  }

  /** `kill -9` of the supervisor only. */
  async kill(): Promise<void> {
    if (this.child?.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill("SIGKILL");
    await once(this.child, "exit");
  }

  /** Sends SIGTERM to the supervisor, or SIGINT to the group as Ctrl-C does; resolves with the exit code. */
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
