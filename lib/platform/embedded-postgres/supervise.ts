import { setTimeout as pause } from "node:timers/promises";
import { clusterFolder } from "@/lib/platform/embedded-postgres/initialize";
import { type Exit, launch, type Running } from "@/lib/platform/embedded-postgres/launch";
import { killLeftovers } from "@/lib/platform/embedded-postgres/reap";
import { type Held, hold, type PostgresOptions } from "@/lib/platform/embedded-postgres/start";

/** An embedded server that is restarted with the same address and password whenever it ends. */
interface SupervisedPostgres {
  url: string;
  port: number;
  /** Pid of the current server; changes with a restart. */
  pid(): number;
  /** Shuts the server down fast, without a restart, and releases the data folder. */
  stop(): Promise<void>;
}

const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 2_000;

/** Starts the embedded PostgreSQL like `startPostgres`, and restarts it until `stop()`. */
export async function supervisePostgres(options: PostgresOptions): Promise<SupervisedPostgres> {
  const held = await hold(options);
  const supervisor = new PostgresSupervisor(held, options.log ?? (() => {}));
  const supervision = supervisor.run();
  const stop = async () => {
    await supervisor.stop();
    await supervision;
    await held.release();
  };
  return { url: held.url, port: held.port, pid: () => supervisor.server.pid, stop };
}

class PostgresSupervisor {
  server: Running;
  private readonly stopping = new AbortController();

  constructor(
    private readonly held: Held,
    private readonly log: (message: string) => void,
  ) {
    this.server = held.server;
  }

  /** Restarts the server until `stop()`. */
  async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const exit = await this.server.exited;
      if (this.stopping.signal.aborted) return;
      this.log(`PostgreSQL ended (${describe(exit)}) and is being restarted`);
      await this.restart();
    }
    await this.server.stop();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.server.stop();
  }

  /** Retries until it runs: the dead server's shared memory or port may be freed with a delay. */
  private async restart(): Promise<void> {
    for (let wait = FIRST_PAUSE; !this.stopping.signal.aborted; wait = Math.min(wait * 2, LONGEST_PAUSE)) {
      try {
        await killLeftovers(clusterFolder(this.held.setup.folder));
        this.server = await launch(this.held.setup, this.held.port);
        return;
      } catch (error) {
        this.log(String(error));
      }
      await pause(wait, undefined, { signal: this.stopping.signal }).catch(() => {});
    }
  }
}

function describe({ code, signal }: Exit): string {
  return signal ?? `code ${code}`;
}
