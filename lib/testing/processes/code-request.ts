import { database } from "@/lib/platform/db/client";
import { connectAppStore } from "@/lib/program/app-store-connect/connect";
import { contextOfApp } from "@/lib/testing/app-context";
import { advanceRequest } from "@/lib/testing/app-store/advance";

/** Runs as a separate process in tests: works on a request for codes and is killed (`kill -9`) at a checkpoint. */
const [, , workspaceId = "", appId = "", requestId = "", base = "", end = ""] = process.argv;

const ctx = await contextOfApp(database(), workspaceId, appId);
await advanceRequest(ctx, requestId, {
  connect: (scope) => connectAppStore(scope, { base }),
  checkpoint(point) {
    if (point === end) process.kill(process.pid, "SIGKILL");
  },
});
