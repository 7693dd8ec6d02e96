"use client";

import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** Whether the scripts of the page run: before that a form would be sent without its file. */
export function useAlive(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
