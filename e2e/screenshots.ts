import { test } from "playwright/test";
import { writeHistory } from "./parts/history";
import { liven } from "./parts/lively";
import { findRooms } from "./parts/rooms";
import { cookiesOf } from "./parts/sign-in";
import { DESKTOP, PHONE } from "./parts/sound";

/** Ignored by git. */
const FOLDER = "screenshots";

test("pictures of every room", async ({ browser, baseURL, request }) => {
  test.setTimeout(900_000);
  const views = await liven(request);
  await writeHistory();
  const cookies = await cookiesOf(browser, baseURL);
  const open = async (options: object) => {
    const context = await browser.newContext({ baseURL: baseURL ?? "", reducedMotion: "reduce", ...options });
    await context.addCookies(cookies);
    return context.newPage();
  };
  const rooms = await findRooms(await open({}), ["/dashboard", "/dashboard/account"]);
  for (const [device, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await open({ viewport, colorScheme, deviceScaleFactor: 2 });
      for (const [pattern, path] of [...rooms, ...views.map(stateOf)]) {
        // Not until the network is idle: a room that waits for something asks again and again.
        await page.goto(path, { waitUntil: "load" });
        const name = pattern.slice(1).replaceAll("[]", "one").replaceAll("/", "-");
        await page.screenshot({ path: `${FOLDER}/${name}-${device}-${colorScheme}.png`, fullPage: true });
      }
      await page.context().close();
    }
  }
});

/** A further state of a room is named by its place in the list: ids are others each time. */
function stateOf(path: string, index: number): [name: string, path: string] {
  const room = path.split("/").slice(4, 6).join("-");
  return [`/${room.replace(/[?-].*$/, "")}-state-${index + 1}`, path];
}
