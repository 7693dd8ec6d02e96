import { appOfHost } from "@/lib/domains/app-of-host";
import { env } from "@/lib/env";
import { startBackground } from "@/lib/server/background";
import { preparePages } from "@/lib/server/pages";
import { table, unknown } from "@/lib/server/routes";
import { runWebProcess } from "@/lib/server/web-process";

// The entry of a web process; the production build bundles it, the supervisor starts it.
const { HOST: host, PORT: port, TRUSTED_PROXIES: hops } = env();
const loadPages = () => preparePages({ dev: false, hostname: host, port });

const site = { table, ...(unknown && { unknown }), appOfHost, loadPages, host, port, hops };
await runWebProcess(site, startBackground);
