import { setTimeout as pause } from "node:timers/promises";
import { clusterFolder } from "@/lib/postgres/initialize";
import { type Exit, launch, type Running } from "@/lib/postgres/launch";
import { killLeftovers } from "@/lib/postgres/reap";
import { type Held, hold, type PostgresOptions } from "@/lib/postgres/start";

/** An embedded server that comes back, with the same address and password, whatever ends it. */
interface KeptPostgres {
  url: string;
  port: number;
  /** Pid of the present server; changes with a restart. */
  pid(): number;
  /** Ends the keeping, shuts down fast and gives the data folder back. */
  stop(): Promise<void>;
}

const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 2_000;

/** Starts the embedded PostgreSQL as `startPostgres` does and restarts it until `stop()`. */
export async function keepPostgres(options: PostgresOptions): Promise<KeptPostgres> {
  const held = await hold(options);
  const keeper = new Keeper(held, options.log ?? (() => {}));
  const kept = keeper.keep();
  const stop = async () => {
    await keeper.stop();
    await kept;
    await held.release();
  };
  return { url: held.url, port: held.port, pid: () => keeper.server.pid, stop };
}

class Keeper {
  server: Running;
  private readonly stopping = new AbortController();

  constructor(
    private readonly held: Held,
    private readonly log: (message: string) => void,
  ) {
    this.server = held.server;
  }

  /** Ends only after `stop()`. */
  async keep(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const exit = await this.server.exited;
      if (this.stopping.signal.aborted) return;
      this.log(`PostgreSQL ended (${describe(exit)}) and is started again`);
      await this.restart();
    }
    await this.server.stop();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.server.stop();
  }

  /** Retries until it runs: the dead server's shared memory or port may need a moment to be freed. */
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
