"use client";

import { useSyncExternalStore } from "react";

interface StoredText {
  read(): string;
  store(text: string): void;
  subscribe(listener: () => void): () => void;
}

/** A text in a storage of the browser; an empty one is removed. Without storage it stays empty. */
export function storedText(storage: () => Storage, name: string): StoredText {
  const listeners = new Set<() => void>();
  return {
    read() {
      try {
        return storage().getItem(name) ?? "";
      } catch {
        // A browser may refuse storage.
        return "";
      }
    },
    store(text) {
      try {
        if (text === "") storage().removeItem(name);
        else storage().setItem(name, text);
      } catch {
        return;
      }
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      // Another tab reports its changes with this event.
      addEventListener("storage", listener);
      return () => {
        listeners.delete(listener);
        removeEventListener("storage", listener);
      };
    },
  };
}

/** The text as it is now, for every component that shows it. The server renders an empty one. */
export const useStoredText = ({ subscribe, read }: StoredText): string =>
  useSyncExternalStore(subscribe, read, () => "");
