import { keyCache } from "@/lib/api-keys/cache";
import { connectionCache } from "@/lib/connections/cache";
import { broadcast, onBroadcast } from "@/lib/server/broadcast";

const KIND = "app";

/** Makes every process of this service read the app anew; other machines do within the caches' 5 seconds. */
export async function forgetApp(appId: string): Promise<void> {
  forgetHere(appId);
  await broadcast({ kind: KIND, appId });
}

/** Called once by every process that serves requests. */
export function listenForChangedApps(): void {
  onBroadcast(KIND, ({ appId }) => {
    if (typeof appId === "string") forgetHere(appId);
  });
}

function forgetHere(appId: string): void {
  keyCache().forgetWhere((record) => record?.app.id === appId);
  connectionCache().forgetWhere((record) => record?.app.id === appId);
}
