import { broadcast, onBroadcast } from "@/lib/platform/broadcast/broadcast";
import { singleton } from "@/lib/platform/singleton";

const KIND = "app";

type Forget = (appId: string) => void;

/** The caches of this process that hold data of apps; each registers itself when it is created. */
const caches = () => singleton("app-caches", () => new Set<Forget>());

/** Registers a cache: `forget` drops its entries of an app whenever any process updates that app. */
export function onAppChange(forget: Forget): void {
  caches().add(forget);
}

/** Drops an app from the caches of every process on this machine; other machines follow within 5 seconds. */
export async function forgetApp(appId: string): Promise<void> {
  forgetHere(appId);
  await broadcast({ kind: KIND, appId });
}

/** To be called once by every process that serves requests. */
export function listenForChangedApps(): void {
  onBroadcast(KIND, ({ appId }) => {
    if (typeof appId === "string") forgetHere(appId);
  });
}

function forgetHere(appId: string): void {
  for (const forget of caches()) forget(appId);
}
