import cluster from "node:cluster";
import { get } from "node:http";
import { addressToken, CLIENT_ADDRESS_HEADER } from "@/lib/web/http/client-address";
import { notePages } from "@/lib/web/http/health";
import { connectionTo } from "@/lib/web/server/pages-address";
import { WARM } from "@/lib/web/server/supervise";

/** Where the pages process says whether it is warm; only web processes can ask. */
export const WARM_PATH = "/_metacode/warm";

const ASK_EVERY_MS = 100;

/** Milliseconds between two looks at a pages process that was warm, and for which it may be silent. */
const LOOK_EVERY_MS = 15_000;

interface Looks {
  lookEvery?: number;
  /** Ends the looks. */
  signal?: AbortSignal;
  /** Whether the pages process was warm before this process started. */
  warm?: boolean;
}

/**
 * Returns whether the pages process has been warm since the service started, which the supervisor remembers for the successors
 * of this process: the API goes on while the pages process is away, and health shows that it is ({@link notePages}).
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
