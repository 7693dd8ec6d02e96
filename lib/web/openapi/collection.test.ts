import { afterAll, beforeAll, expect, test } from "vitest";
import { type ExampleService, startExampleService } from "@/lib/testing/answers/world";
import { type CollectionItem, makeCollection, requestsOf } from "@/lib/testing/http/collection";
import { useService } from "@/lib/testing/service";
import { OPERATIONS } from "./operations";

const FILE = "../../../docs/metacode.postman_collection.json";

useService({ TRUSTED_PROXIES: "1" });

let world: ExampleService;

beforeAll(async () => {
  world = await startExampleService();
});
afterAll(() => world.close());

test("the collection in docs matches this document; `vitest -u` updates it", async () => {
  const made = `${JSON.stringify(await makeCollection(), null, 2)}\n`;
  await expect(made).toMatchFileSnapshot(FILE);
});

test("each of its requests is answered by the service", async () => {
  const requests = requestsOf((await makeCollection()).item);
  expect(requests.map(({ name }) => name)).toEqual(OPERATIONS.map(({ summary }) => summary));
  for (const [index, { name, request }] of requests.entries()) {
    const { id = "", path = "" } = OPERATIONS[index] ?? {};
    expect(`/${request?.url.path.join("/")}`).toBe(path.replace(/\{(\w+)\}/g, ":$1"));
    const reply = await world.send(id, sent(request));
    expect([name, reply.status]).toEqual([name, 200]);
  }
});

/** A request as the collection defines it: method, enabled headers and body. */
function sent(request: CollectionItem["request"]) {
  const on = request?.header.filter(({ disabled }) => !disabled) ?? [];
  const headers = Object.fromEntries(on.map(({ key, value }) => [key.toLowerCase(), value]));
  return { method: request?.method ?? "", headers, ...(request?.body && { body: request.body.raw }) };
}
