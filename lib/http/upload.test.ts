import { expect, test } from "vitest";
import { type Outcome, progressResponse } from "./progress";
import { openUpload } from "./upload";

/** A request whose body comes in pieces; `pulled` counts those that were asked for. */
function uploadOf(pieces: number, headers: Record<string, string> = {}) {
  let pulled = 0;
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (pulled === pieces) return controller.close();
        pulled += 1;
        controller.enqueue(Buffer.alloc(1_000, 97));
      },
      cancel: () => {
        cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  const init = { method: "POST", body, headers, duplex: "half" };
  const request = new Request("http://localhost/x", init as RequestInit);
  return { request, pulled: () => pulled, cancelled: () => cancelled };
}

async function sizeOf(source: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0;
  for await (const piece of source) size += piece.length;
  return size;
}

test("a file is read as it is asked for, and counted", async () => {
  const { request, pulled } = uploadOf(50);
  const upload = openUpload(request);
  const pieces = upload.source[Symbol.asyncIterator]();
  await pieces.next();
  expect([pulled(), upload.received()]).toEqual([1, 1_000]);
  expect(await sizeOf(upload.source)).toBe(49_000);
});

test("a file that is too long is refused, by what it says or by what arrives", async () => {
  const declared = uploadOf(5, { "content-length": "5000" });
  expect(() => openUpload(declared.request, 4_999)).toThrow("at most 0 MB");
  const silent = uploadOf(5);
  const upload = openUpload(silent.request, 4_999);
  await expect(sizeOf(upload.source)).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
  await upload.discard();
  expect(silent.cancelled()).toBe(false);
  const packed = uploadOf(1, { "content-encoding": "gzip" });
  expect(() => openUpload(packed.request)).toThrow("uncompressed");
});

test("what is left of a refused file is read and thrown away, so that the answer arrives", async () => {
  const { request, pulled, cancelled } = uploadOf(40);
  const upload = openUpload(request);
  await upload.source[Symbol.asyncIterator]().next();
  await upload.discard();
  expect([pulled(), cancelled()]).toEqual([40, false]);
});

test("a file that breaks off is the sender's fault and says so", async () => {
  const body = new ReadableStream({ start: (controller) => controller.error(new Error("reset")) });
  const request = new Request("http://localhost/x", { method: "POST", body, duplex: "half" } as RequestInit);
  await expect(sizeOf(openUpload(request).source)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
});

test("the answer tells the newest progress only, however slowly it is read, and ends with the outcome", async () => {
  let end: (outcome: Outcome) => void = () => undefined;
  const response = progressResponse(
    (tell) => {
      for (let read = 1; read <= 100_000; read++) tell({ read });
      return new Promise((resolve) => {
        end = resolve;
      });
    },
    () => undefined,
  );
  const reader = response.body?.getReader();
  const first = await reader?.read();
  expect(JSON.parse(String(Buffer.from(first?.value ?? [])))).toEqual({ progress: { read: 100_000 } });
  end({ result: { imported: 1 } });
  const last = await reader?.read();
  expect(JSON.parse(String(Buffer.from(last?.value ?? [])))).toEqual({ result: { imported: 1 } });
  expect((await reader?.read())?.done).toBe(true);
});

test("a reader who goes away is told to the work", async () => {
  let gone = false;
  const response = progressResponse(
    () => new Promise(() => undefined),
    () => {
      gone = true;
    },
  );
  await response.body?.cancel();
  expect(gone).toBe(true);
});
