import { table, unknown } from "@/lib/cli/routes";
import { env } from "@/lib/platform/env";
import { appOfHost } from "@/lib/tenants/domains/hosts";
import { startBackground } from "@/lib/web/background/start";
import { preparePages } from "@/lib/web/server/pages";
import { runWebProcess } from "@/lib/web/server/web-process";

// The entry point of a web process: bundled by the production build, started by the supervisor.
const { HOST: host, PORT: port, TRUSTED_PROXIES: hops, DRAIN_DELAY_MS: drainDelay } = env();
const loadPages = () => preparePages({ dev: false, hostname: host, port });

const site = { table, ...(unknown && { unknown }), appOfHost, loadPages, host, port, hops, drainDelay };
await runWebProcess(site, startBackground);
