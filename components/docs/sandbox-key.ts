"use client";

import { useEffect } from "react";
import { storedText, useStoredText } from "./stored-text";

const NAME = "metacode.sandbox-key";

/** The key of a signed-in reader, in every tab until the sign-out. It is never part of an address. */
const account = storedText(() => localStorage, NAME);

/** The key that a visitor pasted, who has no sign-out: it is gone when the tab closes. */
const visitor = storedText(() => sessionStorage, NAME);

/** Whether a text is an API key of a sandbox app. Keys of live apps are never stored. */
export const isSandboxKey = (text: string): boolean => /^mc_test_[\w-]{16,}$/.test(text);

/** Stores a sandbox key for the samples: that of a signed-in reader in this browser, that of a visitor in this tab. */
export function storeSandboxKey(key: string, signedIn = true): void {
  if (isSandboxKey(key)) (signedIn ? account : visitor).store(key);
}

export function forgetSandboxKey(): void {
  account.store("");
  visitor.store("");
}

/** Forgets the stored key if it is the one that a list shows with these ends. */
export function forgetRevokedKey({ prefix, lastFour }: { prefix: string; lastFour: string }): void {
  const key = account.read();
  if (key.startsWith(prefix) && key.endsWith(lastFour)) account.store("");
}

/** On pages that only a signed-out reader sees: removes the key of the session that has ended. */
export function ForgetAccountKey(): null {
  useEffect(() => account.store(""), []);
  return null;
}

/** The reader's sandbox key, or an empty text. */
export function useSandboxKey(): string {
  const [own, pasted] = [useStoredText(account), useStoredText(visitor)];
  return own || pasted;
}
