import { heavy } from "@/lib/cli/routes";
import { env } from "@/lib/platform/env";
import { startBackground } from "@/lib/web/background/start";
import { bounded } from "@/lib/web/server/page-gate";
import { preparePages } from "@/lib/web/server/pages";
import { runPagesProcess } from "@/lib/web/server/pages-process";
import { PublicPages } from "@/lib/web/server/public-pages";

// The entry point of the pages process: bundled by the production build, started by the supervisor with its address.
const [, , address = ""] = process.argv;
const { HOST: hostname, PORT: port } = env();

// Before the framework is loaded, whose own start of the background work finds this one.
const background = startBackground({ shared: false });
const { pages, loaded } = preparePages({ dev: false, hostname, port });
const publicPages = new PublicPages(address, bounded(pages));
const warmUp = async () => {
  await loaded;
  await publicPages.warmUp();
};
await runPagesProcess({ address, heavy, pages: publicPages.answer, warmUp }, () => background);
