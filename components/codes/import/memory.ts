const keyOf = (appId: string) => `metacode.import.${appId}`;

/** Remembers in this tab which import is under way, so that a reload can ask what became of it. */
export function rememberImport(appId: string, batchId: string): void {
  sessionStorage.setItem(keyOf(appId), batchId);
}

/** Forgets it, once its end has been told. */
export function forgetImport(appId: string): void {
  sessionStorage.removeItem(keyOf(appId));
}

/** The import that was under way when the page went, if any. */
export function lostImport(appId: string): string | null {
  return sessionStorage.getItem(keyOf(appId));
}
