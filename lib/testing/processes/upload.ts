import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { database } from "@/lib/platform/db/client";
import { checkCodeFile } from "@/lib/program/codes/check-file";
import { contextOfApp } from "@/lib/testing/app-context";
import { progressResponse } from "@/lib/web/http/progress";
import { openUpload } from "@/lib/web/http/upload";
import { createHttpServer } from "@/lib/web/server/http-server";
import { createRouteTable } from "@/lib/web/server/table";

/**
 * Runs as a separate process in tests: our server with a page that checks a code file, as the framework passes it
 * on. The result has the peak of bytes in use, without garbage, the amount of which differs between runs.
 */
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const [, , workspaceId = "", appId = "", poolId = ""] = process.argv;
const ctx = await contextOfApp(database(), workspaceId, appId);

async function pages(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const init = { method: "POST", headers: incoming.headers, body: incoming, duplex: "half" };
  const upload = openUpload(new Request("http://localhost/", init as unknown as RequestInit));
  let peak = 0;
  let groups = 0;
  const answer = progressResponse(
    async (tell) => {
      const onProgress = (progress: object) => {
        // Collecting after every group would take longer than the check itself.
        if (groups++ % 8 === 0) {
          collectGarbage();
          const { heapUsed, external } = process.memoryUsage();
          peak = Math.max(peak, heapUsed + external);
        }
        tell(progress);
      };
      const { source } = upload;
      const report = await checkCodeFile(ctx, { poolId, kind: "one_time", source, onProgress });
      return { result: { read: report.read, fresh: report.fresh, peak } };
    },
    () => undefined,
  );
  outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body) Readable.fromWeb(answer.body as ReadableStream).pipe(outgoing);
}

const server = createHttpServer({ table: createRouteTable([]), pages, hops: 0, draining: () => false });
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`${(server.address() as { port: number }).port}\n`);
});
