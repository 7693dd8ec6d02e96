import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, type Page, test } from "playwright/test";
import { startTwo } from "@/e2e/parts/instances";
import { makeSample } from "@/e2e/parts/samples";
import { signInAs } from "@/e2e/parts/sign-in";
import { BUILD_STAMP, deploymentId } from "@/lib/cli/build-stamp";
import { ACTION_KEY } from "@/lib/cli/production";

/** Turns a copy of the build into an older version: another deployment, which does not know the action of one form. */
async function makeOlder(folder: string): Promise<void> {
  await writeFile(join(folder, BUILD_STAMP), "0ldversion0ldver sources of an older version\n");
  const server = join(folder, ".next/server");
  const index = JSON.parse(await readFile(join(server, "server-reference-manifest.json"), "utf8"));
  const actions = Object.entries<{ exportedName: string }>(index.node);
  const [id = ""] = actions.find(([, { exportedName }]) => exportedName === "createWorkspaceAction") ?? [];
  expect(id).not.toBe("");
  const other = id.slice(0, -4) + (id.endsWith("0000") ? "1111" : "0000");
  for (const file of await readdir(server, { recursive: true })) {
    if (!file.includes("server-reference-manifest")) continue;
    const path = join(server, file);
    await writeFile(path, (await readFile(path, "utf8")).replaceAll(id, other));
  }
}

async function createKey(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Create key" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByTestId("api-key")).toHaveText(/^mc_/);
  await page.getByRole("button", { name: "I have stored the key" }).click();
  await expect(page.getByText(name).first()).toBeVisible();
}

test("builds of other machines and versions know the same actions", async ({ request }) => {
  const index = JSON.parse(await readFile(".next/server/server-reference-manifest.json", "utf8"));
  expect(index.encryptionKey).toBe(ACTION_KEY);
  const deployment = deploymentId(await readFile(BUILD_STAMP, "utf8"));
  expect(await (await request.get("/sign-in")).text()).toContain(`data-dpl-id="${deployment}"`);
});

test("two instances behind a round robin serve every action of the dashboard, one of them a version older", async ({
  browser,
}) => {
  const own = await makeSample({ codes: 1 });
  const { base, answering, stop } = await startTwo(makeOlder);
  try {
    const context = await browser.newContext({ baseURL: base });
    const page = await context.newPage();
    // Signing in is an action, too.
    await signInAs(page, `/dashboard/apps/${own.app_id}/keys`, own.owner);
    for (const name of ["One", "Two", "Three", "Four", "Five", "Six"]) await createKey(page, name);
    answering([0]);
    await page.goto("/dashboard/workspaces/new");
    await page.getByLabel("Name").fill("Spring");
    answering([1]);
    await page.getByRole("button", { name: "Create workspace" }).click();
    await expect(page.getByText("Metacode was updated, and nothing was saved")).toBeVisible();
    await expect(page.getByLabel("Name")).toHaveValue("Spring");
    await context.close();
  } finally {
    await stop();
  }
});
