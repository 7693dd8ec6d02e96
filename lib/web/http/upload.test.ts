import { expect, onTestFinished, test, vi } from "vitest";
import { progressResponse, type WorkOutcome } from "./progress";
import { openUpload, takeFilePlace } from "./upload";

/** A request whose body comes in chunks; `pulled` counts those that were read. */
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

test("a file is read on demand, and its bytes are counted", async () => {
  const { request, pulled } = uploadOf(50);
  const upload = openUpload(request);
  const pieces = upload.source[Symbol.asyncIterator]();
  await pieces.next();
  expect([pulled(), upload.received()]).toEqual([1, 1_000]);
  expect(await sizeOf(upload.source)).toBe(49_000);
});

test("a file that is too long is refused, by its declared length or by its bytes", async () => {
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

test("the rest of a refused file is read and dropped, so that the response arrives", async () => {
  const { request, pulled, cancelled } = uploadOf(40);
  const upload = openUpload(request);
  await upload.source[Symbol.asyncIterator]().next();
  await upload.discard();
  expect([pulled(), cancelled()]).toEqual([40, false]);
});

test("a file that stops for 15 seconds, or arrives at less than 4 kB a second, is refused", async () => {
  let passed = 0;
  vi.spyOn(performance, "now").mockImplementation(() => passed);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  onTestFinished(() => void vi.restoreAllMocks());
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
    },
  });
  const request = new Request("http://localhost/x", { method: "POST", body, duplex: "half" } as RequestInit);
  const { source, discard } = openUpload(request);
  const pieces = source[Symbol.asyncIterator]();
  const wait = async (seconds: number, bytes: number) => {
    const next = pieces.next().then(
      ({ value }) => value?.length,
      (error: { message: string }) => error.message,
    );
    passed += seconds * 1_000;
    vi.advanceTimersByTime(seconds * 1_000);
    if (bytes > 0) controller?.enqueue(Buffer.alloc(bytes));
    return next;
  };
  expect(await wait(14, 40_000)).toBe(40_000);
  expect(await wait(10, 1_000)).toBe(1_000);
  expect(await wait(2, 0)).toContain("too slow");
  // The rest is not waited for either.
  await discard();
});

test("an interrupted file is a 4xx that says so", async () => {
  const body = new ReadableStream({ start: (controller) => controller.error(new Error("reset")) });
  const request = new Request("http://localhost/x", { method: "POST", body, duplex: "half" } as RequestInit);
  await expect(sizeOf(openUpload(request).source)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
});

test("the response has the latest progress only, however slowly it is read, and ends with the outcome", async () => {
  let end: (outcome: WorkOutcome) => void = () => undefined;
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

test("a response whose work throws breaks off", async () => {
  let fail: (error: Error) => void = () => undefined;
  const work = new Promise<WorkOutcome>((_, reject) => {
    fail = reject;
  });
  const response = progressResponse(
    () => work,
    () => undefined,
  );
  const read = response.text();
  fail(new Error("The disk is full"));
  await expect(read).rejects.toThrow("The disk is full");
});

test("the work is notified when the reader disconnects", async () => {
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

test("two files of a user are read at once, and one more after each", () => {
  const leave = takeFilePlace("ann");
  takeFilePlace("ann");
  expect(() => takeFilePlace("ann")).toThrow(
    expect.objectContaining({ code: "RATE_LIMITED", retryAfter: 5 }),
  );
  takeFilePlace("bob");
  leave();
  takeFilePlace("ann");
  expect(() => takeFilePlace("ann")).toThrow("Two of your files");
});
