import type { SampleWorkspace } from "@/lib/cli/sample-workspace/build";

const FRIENDS = ["friend-1", "friend-2", "friend-3"];

async function post<T>(url: string, headers: Record<string, string>, body: object): Promise<T> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${new URL(url).pathname}: ${response.status} ${text}`);
  return JSON.parse(text) as T;
}

/** Calls a service as apps and a provider do, from a referrer to a claimed reward. Throws at the first wrong response. */
export async function walkLoop(base: string, sample: SampleWorkspace): Promise<void> {
  const key = { "x-api-key": sample.api_key };
  const { metacode } = await post<{ metacode: string }>(`${base}/api/referrer`, key, { uid: "anna" });
  const codes = new Set<string>();
  for (const friend of FRIENDS) {
    const redeem = { referee_uid: friend, metacode, platform: "ios" };
    codes.add((await post<{ code: string }>(`${base}/api/referee-redeem`, key, redeem)).code);
    const { url, authorization } = sample.providers.revenuecat;
    const event = { id: `purchase-${friend}`, type: "INITIAL_PURCHASE", app_user_id: friend };
    const { status } = await post<{ status: string }>(
      `${base}${new URL(url).pathname}`,
      { authorization },
      { api_version: "1.0", event },
    );
    if (status !== "confirmed") throw new Error(`The purchase of ${friend} was ${status}`);
  }
  if (codes.size !== FRIENDS.length) throw new Error(`${FRIENDS.length} friends got ${codes.size} codes`);
  const { message } = await post<{ message: string }>(`${base}/api/referrer-claim`, key, { uid: "anna" });
  if (!message.includes("1 reward")) throw new Error(`The claim says: ${message}`);
  for (const page of ["/", "/sign-in", "/docs", `/r/${metacode}`]) {
    const { status } = await fetch(base + page);
    if (status !== 200) throw new Error(`${page}: ${status}`);
  }
}
