import { heavy, table, unknown } from "@/lib/cli/routes";
import { env } from "@/lib/platform/env";
import { appOfHost } from "@/lib/tenants/domains/hosts";
import { startBackground } from "@/lib/web/background/start";
import { forwardTo } from "@/lib/web/server/forward";
import { watchWarmth } from "@/lib/web/server/readiness";
import { staticFiles } from "@/lib/web/server/static-files";
import { runWebProcess } from "@/lib/web/server/web-process";

// The entry point of a web process: bundled by the production build, started by the supervisor with the address of the
// pages process.
const [, , address = ""] = process.argv;
const { HOST: host, PORT: port, TRUSTED_PROXIES: hops, DRAIN_DELAY_MS: drainDelay } = env();

await runWebProcess(
  {
    table,
    unknown,
    heavy,
    appOfHost,
    files: staticFiles(),
    pages: forwardTo(address),
    ready: watchWarmth(address),
    host,
    port,
    hops,
    drainDelay,
  },
  startBackground,
);
