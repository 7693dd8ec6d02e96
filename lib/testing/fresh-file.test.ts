import { expect, test } from "vitest";
import { singleton } from "@/lib/platform/singleton";
import { WriteBehind } from "@/lib/platform/write-behind";
import { endEarlierWork } from "@/lib/testing/fresh-file";

test("rows that a file leaves in a buffer are not written during the next one", async () => {
  let writes = 0;
  class Left extends WriteBehind {
    protected async write(): Promise<void> {
      writes += 1;
    }
  }
  const left = singleton("left behind", () => new Left());
  await left.flush();
  endEarlierWork();
  await left.flush();
  expect(writes).toBe(1);
});
