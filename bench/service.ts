import { spawn } from "node:child_process";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { stopChild } from "@/bench/children";
import { onCleanup } from "@/bench/cleanup";
import { postgresBelow } from "@/bench/cpu";
import { freePort } from "@/lib/platform/embedded-postgres/address";

/** A service in production mode. `pid` is its supervisor, the parent of its other processes. */
export interface RunningService {
  port: number;
  pid: number;
  /** The first process of the embedded database; 0 without one. */
  databasePid: number;
  stop(): Promise<void>;
}

/** All checks stay on; these limits exceed the load of one key from one address. */
const HIGH_LIMITS = {
  KEY_BURST_PER_SECOND: "1000000",
  KEY_BURST_SIZE: "1000000",
  PAGES_PER_MINUTE: "1000000",
};

/** Runs the command of `npm start` in a copy of the project, with its log in a file. Throws with its error output when it exits. */
export async function startService(
  folder: string,
  env: Record<string, string>,
  root = process.cwd(),
): Promise<RunningService> {
  const port = await freePort();
  const log = await open(join(folder, `service-${port}.log`), "w");
  const child = spawn(process.execPath, ["lib/cli/run.mjs", "start"], {
    cwd: root,
    env: {
      ...process.env,
      DATABASE_URL: "",
      HOST: "127.0.0.1",
      PORT: String(port),
      SAMPLE_WORKSPACE: "never",
      ...HIGH_LIMITS,
      ...env,
    },
    stdio: ["ignore", log.fd, "pipe"],
  });
  await log.close();
  const stop = () => stopChild(child, 30_000);
  onCleanup(stop);
  let output = "";
  await new Promise<void>((resolve, reject) => {
    child.once("exit", () => reject(new Error(`The service did not start: ${output.trim()}`)));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (output.includes("Metacode serves")) resolve();
    });
  });
  const pid = child.pid ?? 0;
  return { port, pid, databasePid: postgresBelow(pid), stop };
}
