import type { APIRequestContext } from "playwright/test";
import { contextOfApp } from "@/lib/testing/app-context";
import { createEndpoint } from "@/lib/webhooks/create";
import { sample } from "../sample";
import { inDatabase } from "./own-app";

/** Something that happened in every room of the sample app: people, codes, purchases, and one that fits nobody. */
export async function liven(request: APIRequestContext): Promise<void> {
  const { api_key, providers } = sample();
  const headers = { "x-api-key": api_key };
  const api = async (path: string, data: object) => {
    const response = await request.post(`/api/${path}`, { headers, data });
    return response.json();
  };
  const told = (uid: string, type: string) =>
    request.post(new URL(providers.revenuecat.url).pathname, {
      headers: { authorization: providers.revenuecat.authorization },
      data: {
        event: {
          ...{ id: `lively-${uid}-${type}`, type, app_user_id: uid, store: "APP_STORE" },
          ...{ environment: "SANDBOX", period_type: "NORMAL", event_timestamp_ms: Date.now() },
        },
      },
    });
  for (const name of ["Anna Berg", "Ben Okafor", "Chiara Rossi"]) {
    const uid = `lively-${name.split(" ")[0]?.toLowerCase()}`;
    const { metacode } = await api("referrer", { uid, metadata: { name } });
    await request.get(`/r/${metacode}`, { headers: { "user-agent": `Mozilla/5.0 (${uid}) Safari` } });
    for (const friend of [1, 2, 3, 4]) {
      const referee_uid = `${uid}-friend-${friend}`;
      await api("referee-redeem", { referee_uid, metacode, platform: friend % 2 ? "ios" : "android" });
      if (friend < 4) await told(referee_uid, "INITIAL_PURCHASE");
    }
    await api("referrer-claim", { uid });
  }
  await addEndpoint();
  await api("referee-redeem", { referee_uid: "lively-lost", metacode: "nobodys22", platform: "ios" });
  await told("lively-nobody", "INITIAL_PURCHASE");
}

/** An outbound endpoint, so that its room exists. */
function addEndpoint(): Promise<unknown> {
  const { workspace_id, app_id } = sample();
  return inDatabase(async (db) => {
    const ctx = await contextOfApp(db, workspace_id, app_id);
    await createEndpoint(ctx, {
      url: "https://api.acme.com/hooks",
      events: ["referral.redeemed", "reward.earned"],
    });
  });
}
