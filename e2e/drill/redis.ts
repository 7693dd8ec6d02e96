import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import { onCleanup } from "@/bench/cleanup";
import { freePort } from "@/lib/platform/embedded-postgres/address";
import { DrillProgram, makeFolder, until, writeConfig } from "./program";
import { renderRedis, renderSentinel } from "./render";

const deployed = (file: string) => readFileSync(join("deploy/redis", file), "utf8");

const SENTINELS = 3;

/** Sends one command to a server of this machine. */
async function ask(port: number, name: string, ...args: string[]): Promise<unknown> {
  const client = new Redis(port, "127.0.0.1", { lazyConnect: true, retryStrategy: () => null });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await client.call(name, ...args);
  } finally {
    client.disconnect();
  }
}

/** A Redis, its replica, and three Sentinels that watch them. */
export class RedisGroup {
  private constructor(
    private readonly servers: Map<number, DrillProgram>,
    readonly sentinels: number[],
  ) {}

  static async start(place: string): Promise<RedisGroup> {
    const folder = makeFolder(join(place, "redis"));
    const start = (name: string, command: string, text: string) => {
      const program = new DrillProgram(name, folder, command, [
        writeConfig(join(folder, `${name}.conf`), text),
      ]);
      program.start();
      onCleanup(() => program.kill());
      return program;
    };
    const [primary, replica] = [await freePort(), await freePort()];
    const servers = new Map([
      [primary, start("redis-1", "redis-server", renderRedis(deployed("redis.conf"), primary))],
      [replica, start("redis-2", "redis-server", renderRedis(deployed("redis.conf"), replica, primary))],
    ]);
    const group = new RedisGroup(servers, []);
    await until("the replica of Redis is connected", async () =>
      String(await ask(replica, "info", "replication")).includes("master_link_status:up"),
    );
    for (let number = 1; number <= SENTINELS; number += 1) {
      const port = await freePort();
      start(`sentinel-${number}`, "redis-sentinel", renderSentinel(deployed("sentinel.conf"), port, primary));
      group.sentinels.push(port);
    }
    for (const port of group.sentinels)
      await until("every Sentinel knows the others and the replica", async () => {
        const facts = (await ask(port, "sentinel", "master", "metacode")) as string[];
        const fact = (name: string) => Number(facts[facts.indexOf(name) + 1]);
        return fact("num-slaves") === 1 && fact("num-other-sentinels") === SENTINELS - 1;
      });
    return group;
  }

  private async primary(): Promise<number> {
    const [, port] = (await ask(
      this.sentinels[0] ?? 0,
      "sentinel",
      "get-master-addr-by-name",
      "metacode",
    )) as string[];
    return Number(port);
  }

  /** Kills the primary. */
  async killPrimary(): Promise<void> {
    await this.servers.get(await this.primary())?.kill();
  }

  /** Waits until the service counts its limits in the primary that Sentinel elected. */
  async counted(): Promise<void> {
    await until("the limits are counted in the new primary", async () => {
      const port = await this.primary();
      if (!this.servers.get(port)?.running) return false;
      return String(await ask(port, "info", "commandstats")).includes("cmdstat_evalsha");
    });
  }
}
