import { expect, test } from "vitest";
import { toAppError } from "@/lib/web/http/answer";
import { MAX_JSON_BYTES, readBytes } from "@/lib/web/http/body";

/** A request whose sender disconnects in the middle of the body, with the error of Next's streams. */
function broken(reason: Error, headers: Record<string, string> = {}): Request {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode("{"));
      controller.error(reason);
    },
  });
  return new Request("http://localhost/", { method: "POST", body, headers, duplex: "half" } as RequestInit);
}

test.each([
  ["aborted", new Error("aborted")],
  ["reset", Object.assign(new Error("aborted"), { code: "ECONNRESET" })],
  ["terminated", new TypeError("terminated")],
])("an interrupted body (%s) is a 4xx, with and without a declared length", async (_, reason) => {
  for (const headers of [{}, { "content-length": "10" }] as Record<string, string>[]) {
    const error = await readBytes(broken(reason, headers), MAX_JSON_BYTES).catch(toAppError);
    expect(error).toMatchObject({ code: "VALIDATION_ERROR", status: 400, cause: reason });
  }
});

test.each(["identity", "gzip", "", "Identity, br"])(
  "a Content-Encoding (%j) is refused",
  async (encoding) => {
    const request = new Request("http://localhost/", {
      method: "POST",
      body: "{}",
      headers: { "content-encoding": encoding },
    });
    await expect(readBytes(request, 10)).rejects.toMatchObject({ code: "UNSUPPORTED_MEDIA_TYPE" });
  },
);

test("a body above the limit is refused, by its declared length or by its bytes", async () => {
  for (const headers of [{}, { "content-length": "11" }] as Record<string, string>[]) {
    const send = (body: string) => new Request("http://localhost/", { method: "POST", body, headers });
    await expect(readBytes(send("x".repeat(11)), 10)).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
  }
});
