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

/** Also what was not found: a restored app's keys and connections are known again. */
function forgetHere(appId: string): void {
  const changed = (record: { app: { id: string } } | undefined) => !record || record.app.id === appId;
  keyCache().forgetWhere(changed);
  connectionCache().forgetWhere(changed);
}
