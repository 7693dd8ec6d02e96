import { setTimeout as pause } from "node:timers/promises";
import type { SampleWorkspace } from "@/lib/cli/sample-workspace/build";
import type { Call } from "../chaos/load";
import { until } from "./program";

/** Milliseconds between two pages. */
const PAUSE_MS = 500;
const PATIENCE_MS = 10_000;

const jar = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ");

/** Signs in as the owner of the sample and returns the cookies. */
async function signIn(base: string, owner: SampleWorkspace["owner"]): Promise<string> {
  const proof = await fetch(`${base}/api/auth/csrf`);
  const { csrfToken } = (await proof.json()) as { csrfToken: string };
  const response = await fetch(`${base}/api/auth/callback/credentials`, {
    method: "POST",
    body: new URLSearchParams({ csrfToken, json: "true", ...owner }),
    headers: { cookie: jar(proof), origin: base },
  });
  if (response.status !== 200) throw new Error(`The sign-in was answered ${response.status}`);
  return jar(response);
}

/** Opens the app's overview repeatedly, as a signed-in user. Returns the function that stops it. */
export async function browse(
  base: string,
  { owner, app_id }: SampleWorkspace,
  watch: (call: Call) => void,
): Promise<() => Promise<void>> {
  let cookie = "";
  // The balancer may have closed the connection of the previous step.
  await until("the owner is signed in", async () => {
    cookie = await signIn(base, owner);
    return true;
  });
  let stopping = false;
  const open = async () => {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(`${base}/dashboard/apps/${app_id}`, {
      headers: { cookie },
      redirect: "manual",
      signal,
    });
    const text = await response.text();
    return { status: response.status, good: response.status === 200 && text.includes("</html>") };
  };
  const running = (async () => {
    while (!stopping) {
      const { status, good } = await open().catch(() => ({ status: 0, good: false }));
      watch({ name: "GET /dashboard", status, good });
      await pause(PAUSE_MS);
    }
  })();
  return async () => {
    stopping = true;
    await running;
  };
}
