import { expect, test } from "vitest";
import { inTurn } from "./turns";

/** Work that ends when it is told to. */
function held() {
  let end = () => {};
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { end, work: () => done };
}

test("one image is drawn at a time, and a failure holds nobody up", async () => {
  let running = 0;
  const counted = async (fails: boolean) => {
    running += 1;
    await Promise.resolve();
    const together = running;
    running -= 1;
    if (fails) throw new Error("broken");
    return together;
  };
  const ends = await Promise.allSettled([0, 1, 2, 3].map((turn) => inTurn(() => counted(turn === 1))));
  expect(ends.map((end) => (end.status === "fulfilled" ? end.value : "failed"))).toEqual([1, "failed", 1, 1]);
});

test("who comes behind twenty is asked to come again, and is let in once there is room", async () => {
  const first = held();
  const waiting = Array.from({ length: 20 }, () => inTurn(first.work));
  await expect(inTurn(first.work)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  first.end();
  await Promise.all(waiting);
  await expect(inTurn(async () => "drawn")).resolves.toBe("drawn");
});
