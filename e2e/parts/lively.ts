import type { APIRequestContext } from "playwright/test";
import { contextOfApp } from "@/lib/testing/app-context";
import { sample } from "../sample";
import { fillAlerts, fillLanding } from "./alarms";
import { ask, tell } from "./api";
import { fillAppStore } from "./apple";
import { inDatabase } from "./database";
import { fillWebhooks } from "./hooks";
import { fillProviders } from "./shops";

/**
 * Something that happened in every room of the sample app: people, codes, purchases, and one that fits nobody. Returns
 * addresses of states in which a room looks otherwise than by its first link.
 */
export async function liven(request: APIRequestContext): Promise<string[]> {
  const { api_key, providers } = sample();
  const api = async (path: string, data: object) => (await ask(request, api_key, path, data)).json();
  const told = (uid: string) => tell(request, providers.revenuecat, uid, { id: `lively-${uid}` });
  for (const name of ["Anna Berg", "Ben Okafor", "Chiara Rossi"]) {
    const uid = `lively-${name.split(" ")[0]?.toLowerCase()}`;
    const { metacode } = await api("referrer", { uid, metadata: { name } });
    await request.post(`/r/${metacode}/click`, { headers: { "user-agent": `Mozilla/5.0 (${uid}) Safari` } });
    for (const friend of [1, 2, 3, 4]) {
      const referee_uid = `${uid}-friend-${friend}`;
      await api("referee-redeem", { referee_uid, metacode, platform: friend % 2 ? "ios" : "android" });
      if (friend < 4) await told(referee_uid);
    }
    await api("referrer-claim", { uid });
  }
  await fillAppStore();
  await api("referee-redeem", { referee_uid: "lively-lost", metacode: "nobodys22", platform: "ios" });
  await told("lively-nobody");
  return fillRooms();
}

/** The rooms that no visitor fills by clicking. */
function fillRooms(): Promise<string[]> {
  const { workspace_id, app_id } = sample();
  return inDatabase(async (db) => {
    const ctx = await contextOfApp(db, workspace_id, app_id);
    const views = [...(await fillWebhooks(ctx)), ...(await fillProviders(ctx)), ...(await fillLanding(ctx))];
    await fillAlerts(ctx);
    return views;
  });
}
