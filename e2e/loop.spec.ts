import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type APIRequestContext, type APIResponse, expect, test } from "playwright/test";
import { makeSample } from "@/e2e/parts/samples";
import { freePort } from "@/lib/platform/embedded-postgres/address";
import { e2eDatabaseUrl } from "./parts/database";
import { answers } from "./start-server";

function framed(response: APIResponse, status: number): void {
  expect(response.status(), response.url()).toBe(status);
  for (const name of ["limit", "remaining", "reset"]) {
    expect(response.headers()[`x-ratelimit-${name}`]).toMatch(/^\d+$/);
  }
  expect(response.headers()["x-request-id"]).toBeTruthy();
}

/** Referrer, landing page, three redeems, three confirmations, claim; then the response to a second try of each. */
async function walkTheLoop(request: APIRequestContext, base: string): Promise<void> {
  const own = await makeSample({ codes: 20 });
  const headers = { "x-api-key": own.api_key };
  const post = (path: string, data: unknown) => request.post(`${base}/api/${path}`, { headers, data });
  const first = await post("referrer", { uid: "anna", metadata: { name: "Anna" } });
  framed(first, 200);
  const { metacode } = await first.json();
  expect(await (await request.get(`${base}/r/${metacode}`)).text()).toContain("Anna");

  const given = new Set<string>();
  for (const referee_uid of ["b1", "b2", "b3"]) {
    const redeemed = await post("referee-redeem", { referee_uid, metacode, platform: "ios" });
    framed(redeemed, 200);
    given.add((await redeemed.json()).code);
    const { url, authorization = "" } = own.providers.revenuecat ?? {};
    const event = { id: `e-${referee_uid}`, type: "INITIAL_PURCHASE", app_user_id: referee_uid };
    const confirmed = await request.post(`${base}${new URL(url ?? "").pathname}`, {
      headers: { authorization },
      data: { api_version: "1.0", event },
    });
    framed(confirmed, 200);
    expect(await confirmed.json()).toMatchObject({ status: "confirmed", matched: true });
  }
  expect(given.size).toBe(3);

  const progress = await (await post("referrer", { uid: "anna" })).json();
  expect(progress.stats).toEqual({ referrals_count: 3, rewards_earned: 1, rewards_available: 1 });
  expect(progress.progress.ios).toEqual({ current: 3, threshold: 3, next_reward_at: 6, percentage: 0 });
  const claimed = await post("referrer-claim", { uid: "anna" });
  framed(claimed, 200);
  expect((await claimed.json()).message).toBe("Successfully claimed 1 reward");
  const again = await post("referrer-claim", { uid: "anna" });
  framed(again, 404);
  expect((await again.json()).error.code).toBe("NO_REWARDS_AVAILABLE");
  framed(await post("referee-redeem", { referee_uid: "b1", metacode, platform: "ios" }), 409);
  framed(await request.get(`${base}/api/referrer`), 405);
  framed(await request.post(`${base}/api/referrer/`, { data: {} }), 401);
  framed(await request.get(`${base}/api/nothing/at/all`), 404);
}

test("the whole loop through our server", async ({ request, baseURL }) => {
  await walkTheLoop(request, baseURL ?? "");
});

test("the whole loop under plain next start", async ({ request }) => {
  const port = String(await freePort());
  const base = `http://localhost:${port}`;
  const env = {
    ...process.env,
    NODE_ENV: "production",
    DATABASE_URL: await e2eDatabaseUrl(),
    APP_URL: base,
    NEXTAUTH_URL: base,
    // The service of the run, which has other settings, does the background work.
    ROLE: "web",
  } as const;
  const args = ["node_modules/next/dist/bin/next", "start", "-p", port, "-H", "127.0.0.1"];
  const next: ChildProcess = spawn(process.execPath, args, { env, stdio: ["ignore", "ignore", "inherit"] });
  const ended = once(next, "exit");
  try {
    await answers(`${base}/api/health`, next);
    await walkTheLoop(request, base);
  } finally {
    next.kill("SIGTERM");
    await ended;
  }
});
