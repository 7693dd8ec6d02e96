import { AsyncLocalStorage } from "node:async_hooks";
import type { Attributes, AttributeValue, Span, SpanKind, Tracer } from "@opentelemetry/api";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace-base";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { singleton } from "@/lib/platform/singleton";

/** The kinds of `SpanKind`, which is a value of a package that is loaded for operators with a collector only. */
const KINDS = { internal: 0, server: 1, client: 2 } as const;

const FAILED = 2;

/** Longest wait for a collector: for one batch, and for the last one when the process ends. */
const EXPORT_MS = 5_000;
const LAST_MS = 1_000;

interface Tracing {
  begin(name: string, kind: SpanKind, attributes: Attributes, parent: string | Span | undefined): Span;
  stop(): Promise<void>;
}

interface State {
  tracing?: Tracing;
  spans?: AsyncLocalStorage<Span>;
  starting?: Promise<void>;
}

const state = () => singleton<State>("tracing", () => ({}));

interface SpanOptions {
  kind?: keyof typeof KINDS;
  /** Names, routes and numbers only: no value of a request, no key, code, user id or metacode. */
  attributes?: Attributes;
  /** The `traceparent` header of the caller, in whose trace the span is. */
  traceparent?: string | undefined;
  /** Only below a running span, because a separate trace would say nothing. */
  below?: true;
}

/** Runs `work` in a span where an operator collects traces; otherwise just runs it. A failed span has no message. */
export function traced<Result>(
  name: string,
  options: SpanOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  const { tracing, spans } = state();
  if (!tracing || !spans) return work();
  const { kind = "internal", attributes = {}, traceparent, below } = options;
  const parent = spans.getStore();
  if (below && !parent) return work();
  const span = tracing.begin(name, KINDS[kind], attributes, parent ?? traceparent);
  return spans.run(span, async () => {
    try {
      return await work();
    } catch (error) {
      span.setStatus({ code: FAILED });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Adds to the span that runs, if any. */
export function annotateSpan(attributes: Attributes): void {
  state().spans?.getStore()?.setAttributes(attributes);
}

/** Adds the status of a response to the span that runs; one of `failsFrom` or above is a failure. */
export function annotateStatus(status: number, failsFrom: number): void {
  const span = state().spans?.getStore();
  span?.setAttributes({ "http.response.status_code": status });
  if (status >= failsFrom) span?.setStatus({ code: FAILED });
}

/** The header that continues the running span's trace at another service; nothing without a span. */
export function traceHeaders(): { traceparent?: string } {
  const context = state().spans?.getStore()?.spanContext();
  if (!context) return {};
  const { traceId, spanId, traceFlags } = context;
  return { traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}` };
}

/** Starts to collect spans where `OTEL_EXPORTER_OTLP_ENDPOINT` is set: else no package of OpenTelemetry is loaded. */
export function startTracing(): Promise<void> {
  const own = state();
  own.starting ??= load(own).catch((error: unknown) => log().error({ err: error }, "traces cannot be sent"));
  return own.starting;
}

/** Sends the last spans, within a second. */
export async function stopTracing(): Promise<void> {
  const own = state();
  await own.starting;
  const late = new Promise<void>((resolve) => setTimeout(resolve, LAST_MS).unref());
  await Promise.race([own.tracing?.stop().catch(() => undefined), late]);
  delete own.tracing;
  delete own.starting;
}

async function load(own: State): Promise<void> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = env();
  if (!endpoint) return;
  const [{ trace, ROOT_CONTEXT, TraceFlags }, { parseTraceParent }, resources, sdk] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/core"),
    import("@opentelemetry/resources"),
    import("@opentelemetry/sdk-trace-base"),
  ]);
  const detected = resources.detectResources({ detectors: [resources.envDetector] });
  const resource = resources
    .resourceFromAttributes({ "service.name": "metacode", "process.pid": process.pid })
    .merge(detected);
  // Spans are dropped while the queue is full: a collector that hangs costs the memory of 2,048 spans, nothing else.
  const processor = new sdk.BatchSpanProcessor(new JsonExporter(`${endpoint}/v1/traces`, headersOf(headers)));
  const provider = new sdk.BasicTracerProvider({ resource, spanProcessors: [processor] });
  const tracer: Tracer = provider.getTracer("metacode");
  const contextOf = (parent: string | Span | undefined) => {
    if (typeof parent === "object") return trace.setSpan(ROOT_CONTEXT, parent);
    const remote = parent ? parseTraceParent(parent) : null;
    // Sampled in any case: the operator decides what is collected, not a caller.
    const sampled = { isRemote: true, traceFlags: TraceFlags.SAMPLED };
    return remote ? trace.setSpanContext(ROOT_CONTEXT, { ...remote, ...sampled }) : ROOT_CONTEXT;
  };
  own.spans ??= new AsyncLocalStorage();
  own.tracing = {
    begin: (name, kind, attributes, parent) =>
      tracer.startSpan(name, { kind, attributes }, contextOf(parent)),
    stop: () => provider.shutdown(),
  };
}

/**
 * Sends spans as OTLP/JSON, which collectors take at the address of OTLP/HTTP. The official exporter brings along 20 MB
 * of packages for metrics, logs and protobuf (docs/decisions/libraries.md).
 */
class JsonExporter implements SpanExporter {
  private failing = false;

  constructor(
    private readonly url: string,
    private readonly headers: Record<string, string>,
  ) {}

  export(spans: ReadableSpan[], done: (result: { code: number }) => void): void {
    this.send(spans).then(
      () => this.end(false, done),
      (error: unknown) => this.end(true, done, reasonOf(error)),
    );
  }

  async shutdown(): Promise<void> {}

  private async send(spans: ReadableSpan[]): Promise<void> {
    const response = await fetch(this.url, {
      method: "POST",
      headers: { ...this.headers, "Content-Type": "application/json" },
      body: JSON.stringify(documentOf(spans)),
      signal: AbortSignal.timeout(EXPORT_MS),
    });
    await response.body?.cancel();
    if (!response.ok) throw new CollectorError(`answered ${response.status}`);
  }

  private end(failed: boolean, done: (result: { code: number }) => void, reason?: string): void {
    if (failed && !this.failing) log().warn({ reason }, "the collector of traces does not take them");
    if (!failed && this.failing) log().info("the collector of traces is back");
    this.failing = failed;
    done({ code: failed ? 1 : 0 });
  }
}

class CollectorError extends Error {}

/** Why a collector took nothing: its status, or the code of the connection. A message may hold the header's secret. */
function reasonOf(error: unknown): string {
  if (error instanceof CollectorError) return error.message;
  if (!(error instanceof Error)) return "Error";
  const { code } = (error.cause ?? {}) as { code?: string };
  return code ?? error.name;
}

/** Headers as OpenTelemetry writes them: `name=value` pairs, percent-encoded, separated by commas. */
function headersOf(text: string): Record<string, string> {
  const pairs = text.split(",").map((pair) => /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair));
  return Object.fromEntries(
    pairs.flatMap((pair) => (pair ? [[pair[1], decodeURIComponent(pair[2] ?? "")]] : [])),
  );
}

function jsonValue(value: AttributeValue | undefined) {
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number")
    return Number.isInteger(value) ? { intValue: value } : { doubleValue: value };
  return { stringValue: String(value) };
}

const attributesOf = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: jsonValue(value) }));

const nanos = ([seconds, rest]: [number, number]) => `${seconds}${String(rest).padStart(9, "0")}`;

/** The body of an export, see the JSON mapping of OTLP. */
function documentOf(spans: ReadableSpan[]) {
  const sent = spans.map((span) => ({
    traceId: span.spanContext().traceId,
    spanId: span.spanContext().spanId,
    ...(span.parentSpanContext && { parentSpanId: span.parentSpanContext.spanId }),
    name: span.name,
    // The format counts from 1, the library from 0.
    kind: span.kind + 1,
    startTimeUnixNano: nanos(span.startTime),
    endTimeUnixNano: nanos(span.endTime),
    attributes: attributesOf(span.attributes),
    status: { code: span.status.code },
  }));
  const resource = { attributes: attributesOf(spans[0]?.resource.attributes ?? {}) };
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "metacode" }, spans: sent }] }] };
}
