"use client";

import { createContext, type ReactNode, useContext, useEffect } from "react";
import { storedText, useStoredText } from "@/components/ui/stored-text";

const NAME = "metacode.sandbox-key";

/** The id of an account and its key, stored for every tab until the sign-out, and never part of an address. */
const account = storedText(() => localStorage, NAME);

/** The key that a visitor pasted. It is gone when the tab closes, because a visitor never signs out. */
const visitor = storedText(() => sessionStorage, NAME);

const Reader = createContext("");

/** Sets the owner of the key that its children store and show: the account with this id, or a visitor. */
export function KeyReader({ id = "", children }: { id?: string | undefined; children?: ReactNode }) {
  return <Reader value={id}>{children}</Reader>;
}

/** Whether a text is an API key of a sandbox app. Keys of live apps are never stored. */
export const isSandboxKey = (text: string): boolean => /^mc_test_[\w-]{16,}$/.test(text);

/** The reader's sandbox key, or an empty text. A key that another account stored in this browser is never shown. */
export function useSandboxKey() {
  const reader = useContext(Reader);
  const signedIn = reader !== "";
  const own = signedIn ? account : visitor;
  const [owner, key = ""] = useStoredText(own).split(" ");
  const store = (text: string) => {
    if (isSandboxKey(text)) own.store(`${reader} ${text}`);
  };
  return { key: owner === reader ? key : "", signedIn, store };
}

/** Forgets the stored key of an account and that of a visitor. */
export function forgetSandboxKey(): void {
  account.store("");
  visitor.store("");
}

/** Forgets the stored key if it begins and ends like the revoked key. */
export function forgetRevokedKey({ prefix, lastFour }: { prefix: string; lastFour: string }): void {
  for (const { read, store } of [account, visitor])
    if (read().includes(` ${prefix}`) && read().endsWith(lastFour)) store("");
}

/** Forgets the stored key, on the pages after a sign-out. */
export function ForgetSandboxKey(): null {
  useEffect(forgetSandboxKey, []);
  return null;
}
