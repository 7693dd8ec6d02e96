import cluster from "node:cluster";
import { get } from "node:http";
import { addressToken, CLIENT_ADDRESS_HEADER } from "@/lib/web/http/client-address";
import { notePages } from "@/lib/web/http/health";
import { connectionTo } from "@/lib/web/server/pages-address";
import { WARM } from "@/lib/web/server/supervise";

/** Where the pages process says whether it is warm; only web processes can ask. */
export const WARM_PATH = "/_metacode/warm";

const ASK_EVERY_MS = 100;

/** Milliseconds between two checks of a warm pages process, and the time within which it must answer. */
const LOOK_EVERY_MS = 15_000;

interface Looks {
  lookEvery?: number;
  /** Ends the checks. */
  signal?: AbortSignal;
  /** Whether the pages process was warm before this process started. */
  warm?: boolean;
}

/**
 * Watches the pages process; the returned function says whether it has been warm since the service started. The supervisor
 * tells this to later web processes, so the API goes on while pages are away, as health shows ({@link notePages}).
 */
export function watchWarmth(
  address: string,
  { lookEvery = LOOK_EVERY_MS, signal, warm = false }: Looks = {},
): () => boolean {
  const ask = async () => {
    const answers = await isWarm(address, lookEvery);
    if (signal?.aborted) return;
    notePages(answers);
    if (answers && !warm) cluster.worker?.send(WARM, () => undefined);
    warm ||= answers;
    setTimeout(ask, warm ? lookEvery : ASK_EVERY_MS).unref();
  };
  void ask();
  return () => warm;
}

function isWarm(address: string, timeout: number): Promise<boolean> {
  const headers = { [CLIENT_ADDRESS_HEADER]: `${addressToken()}unknown` };
  return new Promise((resolve) => {
    const options = {
      ...connectionTo(address),
      path: WARM_PATH,
      headers,
      agent: false,
      timeout,
    };
    const question = get(options, (response) => {
      response.resume();
      resolve(response.statusCode === 204);
    });
    question.once("timeout", () => question.destroy()).once("error", () => resolve(false));
  });
}
