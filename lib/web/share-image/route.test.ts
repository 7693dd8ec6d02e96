import { expect, test, vi } from "vitest";
import { AppError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import * as lookUp from "@/lib/web/landing/look-up";
import { drawQueued, shareImageRoute } from "./route";

vi.mock("@/lib/web/landing/look-up", { spy: true });

/** Work that ends when `end` is called. */
function held() {
  let end = () => {};
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { end, work: () => done };
}

test("one image is drawn at a time, and a failure does not hold up the others", async () => {
  let running = 0;
  const counted = async (fails: boolean) => {
    running += 1;
    await Promise.resolve();
    const together = running;
    running -= 1;
    if (fails) throw new Error("broken");
    return together;
  };
  const ends = await Promise.allSettled([0, 1, 2, 3].map((index) => drawQueued(() => counted(index === 1))));
  expect(ends.map((end) => (end.status === "fulfilled" ? end.value : "failed"))).toEqual([1, "failed", 1, 1]);
});

test("a request behind twenty others is refused, and passes once the queue is shorter", async () => {
  const first = held();
  const waiting = Array.from({ length: 20 }, () => drawQueued(first.work));
  await expect(drawQueued(first.work)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  first.end();
  await Promise.all(waiting);
  await expect(drawQueued(async () => "drawn")).resolves.toBe("drawn");
});

test("images that are refused because too many wait are one line a minute, and each failure is a line", async () => {
  const failing = vi.mocked(lookUp.lookUpInvitation);
  const [warn, error] = [vi.spyOn(log(), "warn"), vi.spyOn(log(), "error")];
  const params = Promise.resolve({ slug: "abc", file: "x.png" });
  const open = () => shareImageRoute().GET(new Request("http://localhost/r/abc/image/x.png"), { params });
  failing.mockRejectedValue(new AppError("SERVICE_UNAVAILABLE"));
  for (let time = 0; time < 3; time++) expect((await open()).status).toBe(503);
  expect([warn.mock.calls.length, error.mock.calls.length]).toEqual([1, 0]);
  failing.mockRejectedValue(new Error("no font"));
  for (let time = 0; time < 3; time++) expect((await open()).status).toBe(503);
  expect([warn.mock.calls.length, error.mock.calls.length]).toEqual([1, 3]);
});
