import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { relayBroadcasts } from "@/lib/platform/broadcast/broadcast";

/** A kind of worker: its JavaScript file, its arguments, and the variables that only its environment has. */
interface WorkerFile {
  exec: string;
  args: string[];
  env?: Record<string, string>;
}

interface SupervisorOptions {
  web: WorkerFile;
  /** Web processes, which share one port. */
  processes: number;
  /** The process that renders pages, where there is one. */
  pages?: WorkerFile;
  env: Record<string, string>;
  /** Milliseconds that workers wait before they stop, see `DRAIN_DELAY_MS`. */
  drainDelay?: number;
  /** Milliseconds between two pings of each worker; default {@link PULSE}. */
  pulse?: number;
  /** Called when a worker dies or does not respond. */
  log: (message: string) => void;
}

export interface Supervisor {
  /** Resolves when the first web process accepts connections; rejects with one line when none can. */
  ready: Promise<void>;
  /** Lets the workers finish their requests; kills those still running after the delay and {@link STOP_PATIENCE}. */
  stop(): Promise<void>;
}

/** The message that makes a worker finish its requests and exit. */
export const DRAIN = "drain";

/** The message of a web process that found the pages process warm, and the last argument of its successors. */
export const WARM = "warm";

/** The message that a worker returns as soon as its event loop turns. */
export const ALIVE = "alive";

/** The message of a worker that cannot start. */
export interface StartFailure {
  failure: string;
}

const STOP_PATIENCE = 6_500;
/** Milliseconds until {@link DRAIN} is sent again: a process that does not handle messages yet loses it. */
const DRAIN_AGAIN = 250;
const PULSE = 5_000;
/** Unanswered pings until a worker is killed: a minute, far longer than a loop is busy. A sleeping machine sends no pings. */
const UNANSWERED = 12;
const LONG_LIFE = 5_000;
const LONGEST_PAUSE = 5_000;
const FRUITLESS_STARTS = 5;

function isFailure(value: unknown): value is StartFailure {
  return typeof value === "object" && value !== null && "failure" in value;
}

/**
 * Keeps web processes alive behind one port, and the pages process behind them. When this process dies, even by `kill -9`,
 * the workers see their channel close and exit. A dead worker is replaced at once, then more and more slowly while its
 * successors die young; one whose event loop stands still is killed first.
 */
export function superviseWorkers(options: SupervisorOptions): Supervisor {
  relayBroadcasts();
  const web = new Pool("Web", options.web, options);
  const pages = options.pages && new Pool("Pages", options.pages, options);
  pages?.fork(0);
  for (let index = 0; index < options.processes; index++) web.fork(0);
  const stop = async () => {
    // Requests that the web processes finish may still need a page.
    await web.stop();
    await pages?.stop();
  };
  return { ready: web.ready, stop };
}

class Pool {
  readonly ready: Promise<void>;
  private readonly workers = new Set<Worker>();
  private started = false;
  private stopping = false;
  private warm = false;
  private deaths = 0;
  private succeed: () => void = () => undefined;
  private giveUp: (reason: Error) => void = () => undefined;

  constructor(
    private readonly name: "Web" | "Pages",
    private readonly file: WorkerFile,
    private readonly options: SupervisorOptions,
  ) {
    this.ready = new Promise((resolve, reject) => {
      this.succeed = resolve;
      this.giveUp = reject;
    });
    // The supervisor waits for web processes only.
    this.ready.catch(() => undefined);
  }

  /** `young` counts the direct predecessors that died young. */
  fork(young: number): void {
    if (this.stopping) return;
    const born = Date.now();
    // Settings of the primary, which the next fork takes.
    const { exec, args } = this.file;
    cluster.setupPrimary({ exec, args: this.warm ? [...args, WARM] : args });
    try {
      this.watch(cluster.fork({ ...this.options.env, ...this.file.env }), born, young);
    } catch (error) {
      this.replace(undefined, error instanceof Error ? error.message : String(error), born, young);
    }
  }

  private watch(worker: Worker, born: number, young: number): void {
    this.workers.add(worker);
    worker.once("listening", () => {
      this.started = true;
      this.succeed();
    });
    worker.on("message", (message: unknown) => {
      this.warm ||= message === WARM;
      if (isFailure(message) && !this.started) this.giveUp(new Error(message.failure));
    });
    worker.once("online", () => this.killWhenStill(worker));
    worker.once("exit", (code, signal) => this.replace(worker, signal ?? `code ${code}`, born, young));
    // A process that the system cannot start, for lack of memory or files, has no pid and no exit event.
    worker.on("error", ({ message }) => {
      if (worker.process.pid === undefined) this.replace(worker, message, born, young);
    });
  }

  /** Kills a worker whose event loop stands still, from its first answer on, because a start may take any time. */
  private killWhenStill(worker: Worker): void {
    const { log, pulse = PULSE } = this.options;
    let unanswered = Number.NEGATIVE_INFINITY;
    worker.on("message", () => {
      unanswered = 0;
    });
    const asking = setInterval(() => {
      if (unanswered++ === UNANSWERED) {
        log(`${this.name} process ${worker.process.pid} does not respond and is killed`);
        worker.process.kill("SIGKILL");
      } else if (worker.isConnected()) worker.send(ALIVE, () => undefined);
    }, pulse);
    worker.once("exit", () => clearInterval(asking));
  }

  private replace(worker: Worker | undefined, reason: string, born: number, young: number): void {
    if (worker) this.workers.delete(worker);
    if (this.stopping) return;
    const { pid } = worker?.process ?? {};
    this.options.log(
      pid === undefined
        ? `${this.name} process cannot be started (${reason}) and is tried again`
        : `${this.name} process ${pid} ended (${reason}) and is being restarted`,
    );
    // The API goes on without pages, so the pages process is tried again without limit. The system may refuse all first
    // processes at once, so a refusal counts only with those of its direct predecessors.
    const fruitless = pid === undefined ? young + 1 : ++this.deaths;
    if (this.name === "Web" && !this.started && fruitless >= FRUITLESS_STARTS) {
      this.giveUp(new Error(`The web processes cannot start: the last one ended with ${reason}`));
      return;
    }
    const before = Date.now() - born < LONG_LIFE ? young + 1 : 0;
    const pause = before <= 1 ? 0 : Math.min(100 * 2 ** before, LONGEST_PAUSE);
    setTimeout(() => this.fork(before), pause);
  }

  async stop(): Promise<void> {
    this.stopping = true;
    const patience = STOP_PATIENCE + (this.options.drainDelay ?? 0);
    await Promise.all([...this.workers].map((worker) => endWorker(worker, patience)));
  }
}

async function endWorker(worker: Worker, patience: number): Promise<void> {
  if (worker.isDead()) return;
  const ended = once(worker, "exit");
  const drain = () => worker.isConnected() && worker.send(DRAIN, () => undefined);
  drain();
  const again = setInterval(drain, DRAIN_AGAIN);
  const timer = setTimeout(() => worker.process.kill("SIGKILL"), patience);
  await ended;
  clearInterval(again);
  clearTimeout(timer);
}
