"use client";

import { storedText, useStoredText } from "./stored-text";

/** The key lives in this tab only: it is gone when the tab closes, and never part of an address. */
const store = storedText(() => sessionStorage, "metacode.sandbox-key");

/** Whether a text is an API key of a sandbox app. Keys of live apps are never stored. */
export const isSandboxKey = (text: string): boolean => /^mc_test_[\w-]{16,}$/.test(text);

/** Stores the reader's sandbox key for this tab; an empty text forgets it. */
export function storeSandboxKey(key: string): void {
  if (key === "" || isSandboxKey(key)) store.store(key);
}

/** The reader's sandbox key, or an empty text. */
export const useSandboxKey = (): string => useStoredText(store);
