import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { table } from "@/lib/cli/routes";
import { database } from "@/lib/platform/db/client";
import { NIL_ID } from "@/lib/platform/db/index-ranges";
import { sendRequest } from "@/lib/platform/egress/send";
import { completeEnv } from "@/lib/platform/env";
import { roundQueue } from "@/lib/platform/jobs/rounds";
import { startTracing, stopTracing, traced } from "@/lib/platform/tracing";
import { GET_REFERRER } from "@/lib/program/referrers/get-or-create";
import { takeDatabaseAway } from "@/lib/testing/database/outage";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { answerFromRoute } from "@/lib/web/server/api";

useService({ OUTBOUND_ALLOW: "127.0.0.0/8" });

interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: Record<string, unknown> }[];
  status: { code: number };
}

async function listen(
  answer: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
): Promise<string> {
  const server: Server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of incoming) text += String(chunk);
  return text;
}

/** A collector, what it was sent, and the spans in it. */
async function collector() {
  const seen = { texts: [] as string[], headers: [] as IncomingMessage["headers"][], paths: [] as string[] };
  const url = await listen(async (incoming, outgoing) => {
    seen.paths.push(incoming.url ?? "");
    seen.headers.push(incoming.headers);
    seen.texts.push(await bodyOf(incoming));
    outgoing.writeHead(200).end("{}");
  });
  const spans = () =>
    seen.texts.flatMap((text) => JSON.parse(text).resourceSpans[0].scopeSpans[0].spans as SentSpan[]);
  return { url, seen, spans };
}

async function useCollector(endpoint: string): Promise<void> {
  completeEnv({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=a%20b" });
  await startTracing();
}

afterEach(async () => {
  await stopTracing();
  completeEnv({ OTEL_EXPORTER_OTLP_ENDPOINT: "", OTEL_EXPORTER_OTLP_HEADERS: "" });
});

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const UID = "marker-user-5b1";

/** A service with the mounted API. */
const api = () =>
  listen((incoming, outgoing) => {
    const match = table.fixed(incoming.url ?? "");
    if (match) void answerFromRoute(incoming, outgoing, match);
  });

async function callReferrer(base: string, key: string): Promise<Response> {
  return fetch(`${base}/api/referrer`, {
    method: "POST",
    headers: {
      "x-api-key": key,
      "content-type": "application/json",
      // A caller that samples a few of its requests does not decide for the operator.
      traceparent: `00-${TRACE}-00f067aa0ba902b7-00`,
    },
    body: JSON.stringify({ uid: UID }),
  });
}

test("a request is a span in its caller's trace, its SQL function is below it, and no value is sent", async () => {
  const { url, seen, spans } = await collector();
  vi.stubEnv("OTEL_SERVICE_NAME", "codes");
  onTestFinished(() => void vi.unstubAllEnvs());
  await useCollector(url);
  const { key } = await makeTenant();
  const response = await callReferrer(await api(), key);
  const { metacode } = (await response.json()) as { metacode: string };
  await stopTracing();
  const request = spans().find(({ name }) => name === "POST /api/referrer");
  const attributes = Object.fromEntries(
    request?.attributes.map(({ key: name, value }) => [name, value]) ?? [],
  );
  expect(request).toMatchObject({ traceId: TRACE, parentSpanId: "00f067aa0ba902b7", kind: 2 });
  expect(attributes).toEqual({
    "http.request.method": { stringValue: "POST" },
    "http.route": { stringValue: "/api/referrer" },
    "http.response.status_code": { intValue: 200 },
    "metacode.request_id": { stringValue: response.headers.get("x-request-id") },
  });
  const statements = spans().filter(({ parentSpanId }) => parentSpanId === request?.spanId);
  expect(statements.map(({ name }) => name)).toContain("get_referrer");
  const { resource } = JSON.parse(seen.texts[0] ?? "").resourceSpans[0];
  expect(resource.attributes).toContainEqual({ key: "service.name", value: { stringValue: "codes" } });
  expect(seen.paths[0]).toBe("/v1/traces");
  expect(seen.headers[0]).toMatchObject({ "content-type": "application/json", "x-tenant": "a b" });
  for (const secret of [key, UID, metacode]) expect(seen.texts.join()).not.toContain(secret);
});

test("an outgoing request carries the trace on, and its span names the host without path and query", async () => {
  const { url, seen, spans } = await collector();
  let passed: string | undefined;
  const receiver = await listen((incoming, outgoing) => {
    passed = String(incoming.headers.traceparent);
    outgoing.writeHead(410).end();
  });
  await useCollector(url);
  await sendRequest({ url: `${receiver}/secret-path?token=1`, method: "POST", headers: {}, body: "x" });
  await stopTracing();
  const [span] = spans();
  expect(span).toMatchObject({ name: "POST", kind: 3, status: { code: 2 } });
  expect(passed).toBe(`00-${span?.traceId}-${span?.spanId}-01`);
  expect(seen.texts.join()).not.toMatch(/secret-path|token/);
});

test("a round is a span, and one that failed says so without its reason", async () => {
  const { url, seen, spans } = await collector();
  await useCollector(url);
  const fail = async () => {
    throw new Error("marker-reason");
  };
  const queue = roundQueue(database(), "installation", { "test of traces": fail }, { concurrency: 1 });
  const [round] = await queue.take(10);
  if (!round) throw new Error("no round is due");
  await queue.work(round);
  await stopTracing();
  expect(spans().find(({ name }) => name === "round: test of traces")).toMatchObject({ status: { code: 2 } });
  expect(seen.texts.join()).not.toContain("marker-reason");
});

/** Responses that a collector keeps waiting: one is closed when the exporter gives up. */
const held = new Set<ServerResponse>();
const hold = (_: IncomingMessage, outgoing: ServerResponse) => void held.add(outgoing);

test.each([
  ["refuses connections", async () => "http://127.0.0.1:1"],
  ["never answers", () => listen(hold)],
  ["answers 500", () => listen((_, outgoing) => void outgoing.writeHead(500).end())],
])(
  "a collector that %s changes no answer, and the end of the process does not wait for it",
  async (_, make) => {
    await useCollector(await make());
    const { key } = await makeTenant();
    const base = await api();
    // More spans than a batch and than the queue hold.
    await Promise.all(Array.from({ length: 3_000 }, () => traced("filler", {}, async () => undefined)));
    expect((await callReferrer(base, key)).status).toBe(200);
    await stopTracing();
    expect([...held].filter(({ closed }) => closed)).toHaveLength(0);
    held.clear();
  },
);

test("a request that the service fails to answer is a failed span, and statements outside a span record nothing", async () => {
  const { url, spans } = await collector();
  await useCollector(url);
  const { key } = await makeTenant();
  const base = await api();
  const giveBack = await takeDatabaseAway();
  const { status } = await callReferrer(base, key);
  await giveBack();
  await database().call(GET_REFERRER, {
    app: NIL_ID,
    uid: UID,
    workspace: null,
    quota_limit: 0,
    quota_units: 0,
  });
  await stopTracing();
  expect(status).toBeGreaterThanOrEqual(500);
  expect(spans().find(({ name }) => name === "POST /api/referrer")).toMatchObject({ status: { code: 2 } });
  expect(spans().filter(({ name, parentSpanId }) => name === "get_referrer" && !parentSpanId)).toEqual([]);
});

test("without a collector nothing is passed on", async () => {
  await startTracing();
  let passed: string | undefined = "";
  const receiver = await listen((incoming, outgoing) => {
    passed = incoming.headers.traceparent as string | undefined;
    outgoing.writeHead(204).end();
  });
  await sendRequest({ url: receiver, method: "POST", headers: {}, body: "x" });
  expect(passed).toBeUndefined();
});
