import { env } from "@/lib/env";
import { startBackground } from "@/lib/server/background";
import { preparePages } from "@/lib/server/pages";
import { table, unknown } from "@/lib/server/routes";
import { runWebProcess } from "@/lib/server/web-process";

// The entry of a web process; the production build bundles it, the supervisor starts it.
const { HOST: host, PORT: port, TRUSTED_PROXIES: hops } = env();
const loadPages = () => preparePages({ dev: false, hostname: host, port });

await runWebProcess({ table, ...(unknown && { unknown }), loadPages, host, port, hops }, startBackground);
