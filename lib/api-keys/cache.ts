import { Cache } from "@/lib/cache";
import { shared } from "@/lib/shared";
import type { KeyRecord } from "./record";

/** The contract's bound for a revocation to reach every other instance. */
const TTL_MS = 5_000;

/** Unknown keys with a right checksum are kept too, so the bound matters. */
const CAPACITY = 20_000;

/** The process's keys looked up lately, by hash; revoked and unknown ones as undefined. */
export const keyCache = () => shared("key-cache", () => new Cache<KeyRecord | undefined>(TTL_MS, CAPACITY));
