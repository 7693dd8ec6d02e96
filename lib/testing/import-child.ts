import { importCodes } from "@/lib/codes/import";
import { database } from "@/lib/db/client";
import { contextOfApp } from "@/lib/testing/app-context";

/** Run as a process of its own by tests: imports codes into the pool of its argument until it is killed. */
const [, , workspaceId = "", appId = "", poolId = ""] = process.argv;

async function* endless(): AsyncGenerator<string> {
  for (let index = 0; ; index++) yield `CODE${String(index).padStart(8, "0")}\n`;
}

const ctx = await contextOfApp(database(), workspaceId, appId);
const onProgress = () => void process.stdout.write("stored\n");
await importCodes(ctx, { poolId, kind: "one_time", source: endless(), onProgress });
