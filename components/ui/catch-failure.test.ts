import { UnrecognizedActionError } from "next/dist/client/components/unrecognized-action-error";
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
  const cautious =
    "The connection was lost, so this may not be saved. Your input is still here: try again when you are online";
  expect(await messageOf(send(false))).toBe(nothing);
  expect(await messageOf(send(true, {}, false))).toBe(cautious);
  // The second time, the form is not sent, but the first attempt may have been saved.
  for (const then of [true, false])
    expect(await messageOf(send(false, await send(true, {}, then)))).toBe(cautious);
  expect(await messageOf(send(false, await send(false)))).toBe(nothing);
  // The network has come back in the meantime.
  expect(await messageOf(send(false, {}, true))).toBe(nothing);
});

test("a form that another version refuses was not saved, unless an earlier response to it was lost", async () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal("navigator", { onLine: true });
  const send = async (thrown: Error, before: FormState) => {
    const refuse = () => Promise.reject(thrown);
    return (await catchFailure(refuse, { current: "1" })(before, new FormData())).error;
  };
  const updated = new UnrecognizedActionError("no such action");
  const nothing = await send(updated, {});
  expect(nothing).toEqual({
    message: expect.stringContaining("updated, and nothing was saved"),
    lost: false,
  });
  expect(await send(updated, { error: nothing })).toEqual(nothing);
  const lost = await send(new TypeError("Failed to fetch"), {});
  const maybe = await send(updated, { error: lost });
  expect(maybe?.message).toBe(
    "Metacode was updated, and this may already be saved. Copy your input, reload the page and check before you save again",
  );
  expect(await send(updated, { error: maybe })).toEqual(maybe);
});
