import { isReachable } from "@/components/ui/catch-failure";
import { storedText } from "@/components/ui/stored-text";

const running = (appId: string) => storedText(() => sessionStorage, `metacode.import.${appId}`);

/** Stores the id of the running import in this tab, so that a reload can look up its outcome. */
export const rememberImport = (appId: string, batchId: string): void => running(appId).store(batchId);

/** Forgets the import after its outcome was shown. */
export const forgetImport = (appId: string): void => running(appId).store("");

/** The id of the import that was running when the page was left; empty if none was. */
export const runningImport = (appId: string): string => running(appId).read();

/** The address of the import page that reports an import's outcome, with the pool and the campaign of `href`. */
export function reportHref(href: string, batchId: string): string {
  const { pathname, searchParams } = new URL(href);
  searchParams.set("import", batchId);
  return `${pathname}?${searchParams}`;
}

const ASK_AGAIN_MS = 3_000;

/** Calls `then` once the server can be reached. Returns a function that ends the wait. */
export function whenReachable(then: () => void): () => void {
  let ended = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ask = async () => {
    const reached = await isReachable();
    if (ended) return;
    if (reached) then();
    else timer = setTimeout(ask, ASK_AGAIN_MS);
  };
  void ask();
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}
