import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

type Collect = (options: { type: "minor" }) => void;

let collect: Collect | undefined;

/**
 * Frees young garbage now (0.5 ms measured). Bytes thrown away lie outside the engine's heap, so it lets some 30 MB of
 * them pile up before it collects by itself; with a call every few megabytes it is 5.
 */
export function collectYoung(): void {
  if (!collect) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as Collect;
  }
  collect({ type: "minor" });
}
