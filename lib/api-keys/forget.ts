import { broadcast, onBroadcast } from "@/lib/server/broadcast";
import { keyCache } from "./cache";

const KIND = "api-key";

/** Makes every process of this service look the key up again; other machines do within the cache's 5 seconds. */
export async function forgetKey(keyId: string): Promise<void> {
  forgetHere(keyId);
  await broadcast({ kind: KIND, keyId });
}

/** Called once by every process that serves requests. */
export function listenForForgottenKeys(): void {
  onBroadcast(KIND, ({ keyId }) => {
    if (typeof keyId === "string") forgetHere(keyId);
  });
}

function forgetHere(keyId: string): void {
  keyCache().forgetWhere((record) => record?.id === keyId);
}
