import { redirect } from "next/navigation";
import { expect, onTestFinished, test, vi } from "vitest";
import type { FormState } from "@/lib/contract/form-state";
import { catchFailure } from "./catch-failure";

test("an attempt outlasts a lost response alone: an answer, a refusal and a redirect end it", async () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal("navigator", { onLine: true });
  const attempt: { current: string | undefined } = { current: "first" };
  const send = (action: () => Promise<object>) => catchFailure(action, attempt)({}, new FormData());
  const lost = await send(async () => {
    throw new TypeError("fetch failed");
  });
  expect([lost.error?.message, attempt.current]).toEqual([
    expect.stringContaining("did not respond"),
    "first",
  ]);
  for (const answer of [{ ok: { result: 1 } }, { error: { message: "Taken" } }]) {
    attempt.current = "again";
    expect(await send(async () => answer)).toBe(answer);
    expect(attempt.current).toBeUndefined();
  }
  attempt.current = "again";
  await expect(send(async () => redirect("/dashboard"))).rejects.toThrow("NEXT_REDIRECT");
  expect(attempt.current).toBeUndefined();
});

test("nothing was saved only if the browser was offline before the form was sent, and no response was lost before", async () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  const browser = { onLine: true };
  vi.stubGlobal("navigator", browser);
  const send = (onLine: boolean, before: FormState = {}, then = onLine) => {
    browser.onLine = onLine;
    const drop = async () => {
      browser.onLine = then;
      throw new TypeError("Failed to fetch");
    };
    return catchFailure(drop, { current: "1" })(before, new FormData());
  };
  const messageOf = async (state: Promise<FormState>) => (await state).error?.message;
  const nothing = "You are offline. Nothing was saved, and your input is still here";
  const cautious = "You are offline now, so this may not be saved. Your input is still here: try again";
  expect(await messageOf(send(false))).toBe(nothing);
  expect(await messageOf(send(true, {}, false))).toBe(cautious);
  // The second time the form is not sent, but the first may have been saved.
  for (const then of [true, false])
    expect(await messageOf(send(false, await send(true, {}, then)))).toBe(cautious);
  expect(await messageOf(send(false, await send(false)))).toBe(nothing);
  // The network has come back in the meantime.
  expect(await messageOf(send(false, {}, true))).toBe(nothing);
});
