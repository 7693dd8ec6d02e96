import { Cache } from "@/lib/cache";
import type { AppRef } from "@/lib/context";
import type { OwnNames } from "@/lib/providers/adapter";
import { shared } from "@/lib/shared";

/** How late a change made in another process may be noticed here. */
const TTL_MS = 5_000;

/** Unknown ids are kept too, so that guessing them does not ask the database each time; hence a bound. */
const CAPACITY = 10_000;

/** What a delivery needs to know of its connection. */
export interface ConnectionRecord {
  id: string;
  provider: string;
  secret: string;
  /** The secret before, and until when (milliseconds) it is taken as well. */
  former: { secret: string; until: number } | null;
  signingSecret: string | null;
  ownNames: OwnNames | null;
  app: AppRef;
  workspaceId: string;
}

/** The process's connections looked up lately, by id; disabled and unknown ones as undefined. */
export const connectionCache = () =>
  shared("connection-cache", () => new Cache<ConnectionRecord | undefined>(TTL_MS, CAPACITY));
