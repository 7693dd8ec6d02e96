import { openAppStore } from "@/lib/app-store-connect/open";
import { advanceRequest } from "@/lib/code-requests/advance";
import { database } from "@/lib/db/client";
import { contextOfApp } from "@/lib/testing/app-context";

/** Run as a process of its own by tests: works on a request for codes and ends, as by `kill -9`, at a point. */
const [, , workspaceId = "", appId = "", requestId = "", base = "", end = ""] = process.argv;

const ctx = await contextOfApp(database(), workspaceId, appId);
await advanceRequest(ctx, requestId, {
  open: (scope) => openAppStore(scope, { base }),
  at(point) {
    if (point === end) process.kill(process.pid, "SIGKILL");
  },
});
