import { spawn } from "node:child_process";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { stopChild } from "@/bench/children";
import { postgresBelow } from "@/bench/cpu";
import { onEnd } from "@/bench/ending";
import { anyFreePort } from "@/lib/cli/port";

/** A service in production mode. `pid` is its supervisor, whose children are everything else. */
export interface Service {
  port: number;
  pid: number;
  /** The embedded database's first process, 0 where it has none of its own. */
  databasePid: number;
  stop(): Promise<void>;
}

/** No check is off; these limits are only beyond what one key can reach here. */
const WIDE = { KEY_BURST_PER_SECOND: "1000000", KEY_BURST_SIZE: "1000000" };

/** The very command of `npm start`, with its log in a file as a host would keep it. Throws its last words. */
export async function startService(folder: string, env: Record<string, string>): Promise<Service> {
  const port = await anyFreePort();
  const log = await open(join(folder, `service-${port}.log`), "w");
  const child = spawn(process.execPath, ["lib/cli/run.mjs", "start"], {
    env: {
      ...process.env,
      DATABASE_URL: "",
      HOST: "127.0.0.1",
      PORT: String(port),
      DEMO: "never",
      ...WIDE,
      ...env,
    },
    stdio: ["ignore", log.fd, "pipe"],
  });
  await log.close();
  const stop = () => stopChild(child, 30_000);
  onEnd(stop);
  let words = "";
  await new Promise<void>((resolve, reject) => {
    child.once("exit", () => reject(new Error(`The service did not start: ${words.trim()}`)));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      words += text;
      if (words.includes("Metacode serves")) resolve();
    });
  });
  const pid = child.pid ?? 0;
  return { port, pid, databasePid: postgresBelow(pid), stop };
}
