import { getChromium } from "@/lib/cli/chromium";
import { readArguments, runTool } from "@/lib/cli/step";

readArguments({});
// Screenshots of every dashboard page, by the end-to-end runner, which starts the server and finds the pages.
const env = { CHROMIUM_PATH: await getChromium(), SCREENSHOTS: "1" };
const made = await runTool("playwright/cli.js", ["test", "--reporter=line"], env);
process.exit(made ? 0 : 1);
