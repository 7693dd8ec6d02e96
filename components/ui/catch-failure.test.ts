import { redirect } from "next/navigation";
import { expect, onTestFinished, test, vi } from "vitest";
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
