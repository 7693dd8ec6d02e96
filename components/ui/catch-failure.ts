"use client";

import { unstable_isUnrecognizedActionError, unstable_rethrow } from "next/navigation";
import type { FormAction } from "@/lib/contract/form-state";

/**
 * Turns the failure to run an action into an error of its form; otherwise an error page would replace the form's page.
 * Retains the attempt only if its response was lost; a redirect is a response, too.
 */
export function catchFailure<Result>(
  action: FormAction<Result>,
  attempt: { current: string | undefined },
): FormAction<Result> {
  return async (before, data) => {
    const { current } = attempt;
    attempt.current = undefined;
    // Read before the request, because the network may drop after the server executed it and before the response.
    const unsent = !navigator.onLine;
    try {
      return await action(before, data);
    } catch (thrown) {
      unstable_rethrow(thrown);
      attempt.current = current;
      // During a rollout, the page and the instance that received its form may be of different versions.
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
 * Whether the service is ready; cheaper to request than a page. Checked before a script refreshes or opens a page: when that
 * fails, the framework loads the address as a document, and an error page of the browser or a proxy replaces page and input.
 */
export async function isReachable(): Promise<boolean> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch("/api/ready", { cache: "no-store", signal }).catch(() => undefined);
  return response?.ok === true;
}
