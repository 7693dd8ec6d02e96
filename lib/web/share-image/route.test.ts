import { expect, test } from "vitest";
import { drawQueued } from "./route";

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
