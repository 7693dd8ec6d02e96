import { readFileSync } from "node:fs";
import { type APIRequestContext, expect, type Locator, type Page, test } from "playwright/test";
import { browserErrors, horizontalOverflow, VIEWPORTS } from "@/e2e/parts/page-checks";
import { callApi } from "./parts/api";

/** Maximum presses between two steps, more than any page of the dashboard has links and buttons. */
const MAX_PRESSES = 100;

const PASSWORD = "a newcomer's password";

/** A file as App Store Connect exports it, with codes that no other run has. */
function appStoreFile() {
  const salt = Math.random().toString(36).slice(2, 8).toUpperCase();
  const text = readFileSync("lib/program/codes/fixtures/app-store-one-time.csv", "utf8");
  const own = text.replace(/\b[A-Z0-9]{18}\b/g, (code) => salt + code.slice(6));
  return { name: "app-store-one-time.csv", mimeType: "text/csv", buffer: Buffer.from(own) };
}

/** The focus relative to an element: on it, on another radio button of its group, or elsewhere. */
function focusFrom(target: Element): "here" | "group" | "elsewhere" {
  const focused = document.activeElement;
  if (focused === target) return "here";
  const isRadio = (node: Element | null) => node instanceof HTMLInputElement && node.type === "radio";
  return isRadio(focused) && isRadio(target) && focused?.getAttribute("name") === target.getAttribute("name")
    ? "group"
    : "elsewhere";
}

/** Whether a focused element, or the label around it, has a visible outline. A hidden field, a pixel wide, shows none. */
const isOutlined = (target: Element) =>
  [target, target.closest("label")].some(
    (node) =>
      node && node.getBoundingClientRect().width > 1 && getComputedStyle(node).outlineStyle !== "none",
  );

/**
 * A newcomer with a keyboard and a narrow window. Counts the effort: key presses, including those for fields and file
 * choosers, and different pages.
 */
class Way {
  clicks = 0;
  readonly pages = new Set<string>();

  constructor(readonly page: Page) {
    page.on("framenavigated", (frame) => {
      const { pathname } = new URL(frame.url());
      // The mailbox stands in for the newcomer's own and does not count.
      if (frame === page.mainFrame() && pathname !== "/mailbox") this.pages.add(pathname);
    });
  }

  /** Moves the focus to the target by keyboard. Expects a visible focus, and a page not wider than the window. */
  private async reach(target: Locator): Promise<void> {
    await expect(target).toBeEnabled();
    for (let presses = 0; ; presses++) {
      const focus = await target.evaluate(focusFrom);
      if (focus === "here") break;
      expect(presses, `presses until ${target}`).toBeLessThan(MAX_PRESSES);
      await this.page.keyboard.press(focus === "group" ? "ArrowDown" : "Tab");
    }
    expect(await target.evaluate(isOutlined), `the focus on ${target} is seen`).toBe(true);
    expect(await horizontalOverflow(this.page), this.page.url()).toBe(0);
  }

  async click(target: Locator): Promise<void> {
    this.clicks += 1;
    await this.reach(target);
    const isRadio = (await target.getAttribute("type")) === "radio";
    await this.page.keyboard.press(isRadio ? "Space" : "Enter");
  }

  async fill(target: Locator, text: string): Promise<void> {
    this.clicks += 1;
    await this.reach(target);
    await this.page.keyboard.insertText(text);
  }

  /** Opens the browser's chooser, picks the file, and confirms. */
  async choose(target: Locator, file: ReturnType<typeof appStoreFile>): Promise<void> {
    this.clicks += 3;
    await this.reach(target);
    // Chromium ignores the press if the machine stands still for 5 s between the key's way down and its way up.
    await expect(async () => {
      await expect(target).toBeFocused();
      const opened = this.page.waitForEvent("filechooser", { timeout: 20_000 });
      const [chooser] = await Promise.all([opened, this.page.keyboard.press("Space")]);
      await chooser.setFiles(file);
    }).toPass();
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole("button", { name, exact: true });
  }
}

/** A row of the checklist. */
const step = (page: Page, title: string) => page.getByRole("listitem").filter({ hasText: title });

const ticked = (page: Page, title: string) => expect(step(page, title)).toContainText("Done:");

async function signUp(way: Way): Promise<void> {
  const { page } = way;
  const email = `newcomer-${Date.now()}@example.com`;
  await page.goto("/sign-up");
  await way.fill(page.getByLabel("Name"), "Nora New");
  await way.fill(page.getByLabel("Email"), email);
  await way.fill(page.getByLabel("Password"), PASSWORD);
  await way.click(way.button("Sign up"));
  await expect(page.getByText("Check the mailbox").first()).toBeVisible();
  await page.goto("/mailbox");
  const mail = page.getByRole("article").filter({ hasText: `To ${email}` });
  await way.click(mail.getByRole("link").first());
  await way.fill(page.getByLabel("Password"), PASSWORD);
  await way.click(way.button("Confirm and continue"));
  await page.waitForURL("**/dashboard");
}

async function createApp(way: Way): Promise<string> {
  const { page } = way;
  await way.click(way.button("Create app"));
  const dialog = page.getByRole("dialog");
  await way.fill(dialog.getByLabel("Store link"), "https://apps.apple.com/us/app/first-steps/id1234567890");
  await expect(dialog.getByLabel("Name")).toHaveValue("First Steps");
  await expect(dialog.getByRole("radio", { name: /^Sandbox/ })).toBeChecked();
  await way.click(dialog.getByRole("button", { name: "Create app" }));
  await page.waitForURL(/\/dashboard\/apps\/[0-9a-f-]{36}\/start$/);
  return new URL(page.url()).pathname.replace("/start", "");
}

async function addCodes(way: Way): Promise<void> {
  const { page } = way;
  await ticked(page, "store IDs");
  await way.click(step(page, "Import codes for friends").getByRole("link", { name: "Import codes" }));
  await expect(page.locator("input[type=file]")).toBeEnabled();
  await way.choose(page.locator("input[type=file]"), appStoreFile());
  await expect(page.getByLabel("Pool", { exact: true })).toHaveValue("ios:referee");
  await way.click(way.button("Import 6 codes"));
  await page.waitForURL("**/start");
  await expect(page.getByText("6 codes imported")).toBeVisible();
  await ticked(page, "Import codes for friends");
  await way.click(step(page, "Import codes for rewards").getByRole("button", { name: "Add sample codes" }));
  await ticked(page, "Import codes for rewards");
}

async function createCampaign(way: Way): Promise<void> {
  const { page } = way;
  await way.click(page.getByRole("link", { name: "Create campaign" }));
  await way.click(page.getByRole("radio", { name: /^Give one, get one/ }));
  await expect(page.getByLabel("Threshold")).toHaveValue("1");
  await expect(page.getByRole("checkbox", { name: "Android" })).toHaveCount(0);
  await way.click(way.button("Create and activate"));
  await page.waitForURL("**/start");
  await ticked(page, "Activate a campaign");
}

async function makeKey(way: Way): Promise<string> {
  const { page } = way;
  await way.click(way.button("Create key"));
  const dialog = page.getByRole("dialog");
  await way.fill(dialog.getByLabel("Name"), "First key");
  await way.click(dialog.getByRole("button", { name: "Create key" }));
  const key = (await page.getByTestId("api-key").textContent()) ?? "";
  await way.click(way.button("I have stored the key"));
  await ticked(page, "Create an API key");
  return key;
}

async function connect(way: Way): Promise<void> {
  const { page } = way;
  await way.click(way.button("Connect a provider"));
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("radio", { name: "RevenueCat" })).toBeChecked();
  await way.click(dialog.getByRole("button", { name: "Connect", exact: true }));
  await way.click(way.button("I have stored the secret"));
  await ticked(page, "Connect your subscription provider");
}

async function call(request: APIRequestContext, key: string, path: string, data: object) {
  const response = await callApi(request, key, path, data);
  expect([path, response.status()]).toEqual([path, 200]);
  return response.json();
}

test("by keyboard alone, a newcomer gets from signing up to a claimed reward in 30 presses and 8 pages", async ({
  page,
  request,
}) => {
  const errors = browserErrors(page);
  await page.setViewportSize(VIEWPORTS.narrow);
  const way = new Way(page);
  await signUp(way);
  const app = await createApp(way);
  await addCodes(way);
  await createCampaign(way);
  const key = await makeKey(way);
  await connect(way);

  await way.click(way.button("Simulate journey"));
  await expect(page.getByText("The whole journey works.")).toBeVisible();
  await ticked(page, "See the first referral");
  await expect(page.getByText("Everything is set up")).toBeVisible();
  await ticked(page, "Receive the first purchase");
  // The promise is 30 presses. The way takes 27, and this test notices one more.
  expect(way.clicks).toBeLessThanOrEqual(27);
  expect(way.pages.size).toBeLessThanOrEqual(8);

  expect((await call(request, key, "referrer", { uid: "anna" })).metacode).toBeTruthy();
  await page.goto(app);
  const numbers = page.getByRole("list", { name: "Funnel" }).locator(".text-2xl");
  await expect(async () => {
    await page.reload();
    await expect(numbers).toHaveText(["1", "1", "1", "1", "1"], { timeout: 1_000 });
  }).toPass();
  expect(errors).toEqual([]);
});
