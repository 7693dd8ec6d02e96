import { existsSync, writeFileSync } from "node:fs";
import { wakeQueue } from "@/lib/platform/jobs/queue";
import { runPagesProcess } from "@/lib/web/server/pages-process";
import { createRouteTable } from "@/lib/web/server/table";

// A pages process without the framework. It returns the body of an upload as it arrives, or leaves it unread (`?unread`),
// writes `/endless` until the reader has gone, wakes a queue at `/wake`, sets two cookies at `/cookies`, and answers
// everything else with facts about the request and itself.
const [, , address = ""] = process.argv;
const CHUNK = Buffer.alloc(64 * 1024, 97);
let written = 0;
let streams = 0;

await runPagesProcess({
  address,
  heavy: createRouteTable([]),
  warmUp: async () => {
    if (process.env.FIRST_WARM_UP !== "fails" || existsSync(`${address}.failed`)) return;
    writeFileSync(`${address}.failed`, "");
    throw new Error("the framework cannot be loaded");
  },
  pages: async (incoming, outgoing) => {
    if (incoming.url?.endsWith("?unread")) return;
    if (incoming.method === "POST" && incoming.url !== "/page") return void incoming.pipe(outgoing);
    const { headers, url } = incoming;
    const patience = process.env.DATABASE_WAIT_MS;
    if (incoming.url === "/wake") wakeQueue("test");
    if (incoming.url === "/cookies") outgoing.setHeader("set-cookie", ["session=1", "device=2"]);
    if (incoming.url !== "/endless")
      return void outgoing.end(
        JSON.stringify({ pid: process.pid, address, written, streams, url, headers, patience }),
      );
    streams += 1;
    outgoing.once("close", () => {
      streams -= 1;
    });
    const write = () => {
      do written += CHUNK.length;
      while (outgoing.write(CHUNK));
    };
    outgoing.on("drain", write);
    write();
  },
});
