import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findQuickstartExchange } from "@/lib/web/docs/page";
import { PROMISES } from "./promises";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };

test.each(PROMISES.map(({ command }) => command))("the repository has what `%s` runs", (command) => {
  const script = /^npm run ([\w-]+)/.exec(command)?.[1];
  const paths = command.split(" ").filter((word) => word.startsWith("lib/"));
  const project = /--project (\w+)/.exec(command)?.[1];
  expect([script, project, ...paths].some(Boolean)).toBe(true);
  if (script) expect(scripts).toHaveProperty(script);
  if (project) expect(readFileSync("playwright.config.ts", "utf8")).toContain(`name: "${project}"`);
  for (const path of paths) expect(existsSync(path), path).toBe(true);
});

test("the front page shows the request of the quickstart", async () => {
  const shown = await findQuickstartExchange();
  expect(shown?.request.text).toMatch(/^curl .*referee-redeem/);
  expect(JSON.parse(shown?.answer.text ?? "")).toHaveProperty("store_url");
});
