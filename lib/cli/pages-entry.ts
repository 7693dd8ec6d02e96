import { heavy } from "@/lib/cli/routes";
import { env } from "@/lib/platform/env";
import { startBackground } from "@/lib/web/background/start";
import { bounded } from "@/lib/web/server/page-gate";
import { preparePages } from "@/lib/web/server/pages";
import { redirectConsole, runPagesProcess } from "@/lib/web/server/pages-process";
import { PublicPages } from "@/lib/web/server/public-pages";

// The entry point of the pages process: bundled by the production build, started by the supervisor with its address.
const [, , address = ""] = process.argv;
const { HOST: hostname, PORT: port } = env();

// After an action that redirects, Next requests the next page from itself, with the visitor's protocol. Behind a TLS proxy
// that is https, which this port does not speak, so the browser would have to load the whole page again.
const ownHost = hostname === "0.0.0.0" || hostname === "::" ? "localhost" : hostname;
process.env.__NEXT_PRIVATE_ORIGIN = `http://${ownHost.includes(":") ? `[${ownHost}]` : ownHost}:${port}`;

// Before the framework is loaded, so that its own start of the background work finds this one.
const background = startBackground({ shared: false });
const { pages, loaded } = preparePages({ dev: false, hostname, port });
const publicPages = new PublicPages(address, bounded(pages));
const warmUp = async () => {
  await loaded;
  redirectConsole();
  await publicPages.warmUp();
};
await runPagesProcess({ address, heavy, pages: publicPages.answer, warmUp }, () => background);
