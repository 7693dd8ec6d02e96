"use client";

import { unstable_isUnrecognizedActionError, unstable_rethrow } from "next/navigation";
import type { FormAction } from "@/lib/contract/form-state";

/**
 * Turns an action that could not run into an error of its form, whose page would otherwise give way to an error page.
 * The attempt is kept only if its answer was lost: a redirect is an answer, too.
 */
export function catchFailure<Result>(
  action: FormAction<Result>,
  attempt: { current: string | undefined },
): FormAction<Result> {
  return async (before, data) => {
    const { current } = attempt;
    attempt.current = undefined;
    // Read before: the network may drop between the request, which is carried out, and its answer.
    const unsent = !navigator.onLine;
    try {
      return await action(before, data);
    } catch (thrown) {
      unstable_rethrow(thrown);
      attempt.current = current;
      // While a new version is rolled out, the page and the instance that got its form may be of two versions.
      const otherVersion: boolean = unstable_isUnrecognizedActionError(thrown);
      const lost = before.error?.lost === true || !(unsent || otherVersion);
      return { error: { message: otherVersion ? updated(lost) : lossOf(lost), lost } };
    }
  };
}

function updated(lost: boolean): string {
  const [saved, check] = lost ? ["this may already be", "check before you save"] : ["nothing was", "save"];
  return `Metacode was updated, and ${saved} saved. Copy your input, reload the page and ${check} again`;
}

function lossOf(lost: boolean): string {
  if (!lost) return "You are offline. Nothing was saved, and your input is still here";
  return navigator.onLine
    ? "The server did not respond, so this may not be saved. Your input is still here: try again"
    : "The connection was lost, so this may not be saved. Your input is still here: try again when you are online";
}

const TIMEOUT_MS = 10_000;

/**
 * Whether the service is ready, which costs less than the page. Asked before a script refreshes or opens a page: when that fails, the framework
 * loads the address as a document, and an error page of the browser or of a proxy replaces the page with all of its input.
 */
export async function isReachable(): Promise<boolean> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch("/api/ready", { cache: "no-store", signal }).catch(() => undefined);
  return response?.ok === true;
}
