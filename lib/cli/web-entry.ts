import type { ServerResponse } from "node:http";
import { heavy, probes, table, unknown } from "@/lib/cli/routes";
import { env } from "@/lib/platform/env";
import { appOfHost } from "@/lib/tenants/domains/hosts";
import { startBackground } from "@/lib/web/background/start";
import { forwardTo } from "@/lib/web/server/forward";
import { watchWarmth } from "@/lib/web/server/readiness";
import { pageRefusal, sendRefusal } from "@/lib/web/server/refusal";
import { staticFiles } from "@/lib/web/server/static-files";
import { WARM } from "@/lib/web/server/supervise";
import { runWebProcess } from "@/lib/web/server/web-process";

// The entry point of a web process: bundled by the production build, started by the supervisor with the address of the
// pages process, the id of the deployment, and whether the pages process was warm before.
const [, , address = "", deployment = "", warmth] = process.argv;
const { HOST: host, PORT: port, TRUSTED_PROXIES: hops, DRAIN_DELAY_MS: drainDelay, ROLE } = env();

const whole = () => ({
  table,
  unknown,
  heavy,
  appOfHost,
  files: staticFiles(deployment),
  pages: forwardTo(address),
  ready: watchWarmth(address, { warm: warmth === WARM }),
});

/** The site of a worker: only the probes of load balancers and monitoring. */
const health = () => ({
  table: probes,
  pages: async (_incoming: unknown, outgoing: ServerResponse) => sendRefusal(outgoing, pageRefusal(404)),
});

await runWebProcess(
  { ...(ROLE === "worker" ? health() : whole()), host, port, hops, drainDelay },
  startBackground,
);
