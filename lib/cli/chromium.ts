import { existsSync } from "node:fs";
import { findProgram, runTool } from "@/lib/cli/step";
import { installPackage } from "@/lib/cli/system-packages";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

async function ofPlaywright(): Promise<string | undefined> {
  const { chromium } = await import("playwright");
  const path = chromium.executablePath();
  return existsSync(path) ? path : undefined;
}

async function ofSystem(): Promise<string | undefined> {
  for (const name of NAMES) {
    const path = await findProgram(name);
    if (path) return path;
  }
  return undefined;
}

/** The binary inside an npm package; the variable makes it bring its own system libraries. */
async function ofPackage(): Promise<string | undefined> {
  if (process.platform !== "linux" || process.arch !== "x64") return undefined;
  process.env.AWS_EXECUTION_ENV ??= "AWS_Lambda_nodejs20.x";
  const { default: chromium } = await import("@sparticuz/chromium");
  return chromium.executablePath().catch(() => undefined);
}

async function install(): Promise<string | undefined> {
  if (await installPackage("chromium")) return ofSystem();
  await runTool("playwright/cli.js", ["install", "chromium"]);
  return ofPlaywright();
}

/** The path of a Chromium for the end-to-end tests, installed if there is none. Throws when that fails. */
export async function getChromium(): Promise<string> {
  const given = process.env.CHROMIUM_PATH;
  if (given) return given;
  for (const look of [ofPlaywright, ofSystem, ofPackage, install]) {
    const path = await look();
    if (path) return path;
  }
  throw new Error("No Chromium for the end-to-end tests: install one or set CHROMIUM_PATH");
}
