import { get } from "node:http";
import { addressToken, CLIENT_ADDRESS_HEADER } from "@/lib/web/http/client-address";
import { connectionTo } from "@/lib/web/server/pages-address";

/** Where the pages process says whether it is warm; only web processes can ask. */
export const WARM_PATH = "/_metacode/warm";

const ASK_EVERY_MS = 100;

/**
 * Returns whether the pages process has been warm since this process started. Asks it until it has: a web process that
 * is ready stays so while the pages process is away, because the API goes on.
 */
export function watchWarmth(address: string): () => boolean {
  let warm = false;
  const ask = async () => {
    warm = await isWarm(address);
    if (!warm) setTimeout(ask, ASK_EVERY_MS).unref();
  };
  void ask();
  return () => warm;
}

function isWarm(address: string): Promise<boolean> {
  const headers = { [CLIENT_ADDRESS_HEADER]: `${addressToken()}unknown` };
  return new Promise((resolve) => {
    get({ ...connectionTo(address), path: WARM_PATH, headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 204);
    }).once("error", () => resolve(false));
  });
}
