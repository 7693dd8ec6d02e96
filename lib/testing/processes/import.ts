import { database } from "@/lib/platform/db/client";
import { importCodes } from "@/lib/program/codes/import";
import { contextOfApp } from "@/lib/testing/app-context";

/** Runs as a separate process in tests: imports codes into a pool until it is killed. */
const [, , workspaceId = "", appId = "", poolId = ""] = process.argv;

async function* endless(): AsyncGenerator<string> {
  for (let index = 0; ; index++) yield `CODE${String(index).padStart(8, "0")}\n`;
}

const ctx = await contextOfApp(database(), workspaceId, appId);
const onProgress = () => void process.stdout.write("stored\n");
await importCodes(ctx, { poolId, kind: "one_time", source: endless(), onProgress });
