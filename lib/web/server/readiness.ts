import { get } from "node:http";
import { addressToken, CLIENT_ADDRESS_HEADER } from "@/lib/web/http/client-address";
import { notePages } from "@/lib/web/http/health";
import { connectionTo } from "@/lib/web/server/pages-address";

/** Where the pages process says whether it is warm; only web processes can ask. */
export const WARM_PATH = "/_metacode/warm";

const ASK_EVERY_MS = 100;

/** Milliseconds between two looks at a pages process that was warm, and for which it may be silent. */
const LOOK_EVERY_MS = 15_000;

/**
 * Returns whether the pages process has been warm since this process started. A web process that is ready stays so while
 * the pages process is away, because the API goes on; health shows that it is ({@link notePages}). `signal` ends the looks.
 */
export function watchWarmth(
  address: string,
  { lookEvery = LOOK_EVERY_MS, signal }: { lookEvery?: number; signal?: AbortSignal } = {},
): () => boolean {
  let warm = false;
  const ask = async () => {
    if (signal?.aborted) return;
    const answers = await isWarm(address, lookEvery);
    warm ||= answers;
    if (warm) notePages(answers);
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
