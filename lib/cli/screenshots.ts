import { findChromium } from "@/lib/cli/chromium";
import { runsTool } from "@/lib/cli/step";

// Pictures of every room, made by the end-to-end runner: it starts the server and finds the rooms already.
const env = { CHROMIUM_PATH: await findChromium(), SCREENSHOTS: "1" };
const made = await runsTool("playwright/cli.js", ["test", "--reporter=line"], env);
process.exit(made ? 0 : 1);
