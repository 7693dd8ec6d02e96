import { guessStore } from "@/lib/contract/code-file";
import type { Platform } from "@/lib/contract/fields";
import { PLATFORM_NAME, STORE_NAME } from "@/lib/contract/format";
import { POOL_USES, type PoolName } from "@/lib/contract/pool";
import { POOL_USE_LABEL } from "../labels";

/** A pool for the codes of a file: one of the app's by its id, or a new one, such as `ios:referee`, which the import creates. */
export interface PoolChoice extends Pick<PoolName, "platform" | "use"> {
  value: string;
  name: string;
}

/** The app's pools, and a new one for each use of a store that has none. */
export function poolChoices(pools: readonly PoolName[], stores: readonly Platform[]): PoolChoice[] {
  const made = pools.map(({ id, name, platform, use }) => ({
    value: id,
    name: `${name} (${PLATFORM_NAME[platform]}, ${POOL_USE_LABEL[use].toLowerCase()})`,
    platform,
    use,
  }));
  const missing = stores.flatMap((platform) =>
    POOL_USES.filter((use) => !pools.some((pool) => pool.platform === platform && pool.use === use)).map(
      (use) => ({
        value: `${platform}:${use}`,
        name: `New pool: ${STORE_NAME[platform]}, ${POOL_USE_LABEL[use].toLowerCase()}`,
        platform,
        use,
      }),
    ),
  );
  return [...made, ...missing];
}

/** The pool as an upload names it. */
export function poolQuery(value: string): Record<string, string> {
  const [platform = "", use] = value.split(":");
  return use ? { platform, use } : { poolId: value };
}

/**
 * The pool for codes of a store: the chosen one if it is of that store, else one for the same use, else the chosen one
 * all the same, which the check then reports as a pool of the other store.
 */
export function fittingPool(choices: readonly PoolChoice[], chosen: string, store: Platform | undefined) {
  const current = choices.find(({ value }) => value === chosen);
  if (current && (!store || current.platform === store)) return current;
  const use = current?.use ?? "referee";
  const ofStore = choices.filter(({ platform }) => !store || platform === store);
  return ofStore.find((choice) => choice.use === use) ?? ofStore[0] ?? current ?? choices[0];
}

/** The store of a file, by the codes and links of its first 64 KB. */
export async function storeOfFile(file: Blob): Promise<Platform | undefined> {
  const bytes = new Uint8Array(await file.slice(0, 65_536).arrayBuffer());
  // Codes are ASCII: without its zero bytes, UTF-16 reads like UTF-8.
  return guessStore(new TextDecoder().decode(bytes.filter((byte) => byte !== 0)));
}
