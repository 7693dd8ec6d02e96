import { Counter, Histogram, type Registry } from "prom-client";
import { env } from "@/lib/platform/env";
import { singleton } from "@/lib/platform/singleton";

/** From a redeem in a millisecond to the 5 s at which a statement is cut off. */
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

const metrics = () =>
  singleton("metrics.requests", () => ({
    seconds: new Histogram({
      name: "metacode_request_seconds",
      help: "Seconds of the requests of the API and for landing pages, by route, method and status",
      labelNames: ["route", "method", "status"],
      buckets: BUCKETS,
      registers: [],
    }),
    errors: new Counter({
      name: "metacode_errors_total",
      help: "Requests that were refused or failed, by route and error code",
      labelNames: ["route", "code"],
      registers: [],
    }),
  }));

interface AnsweredRequest {
  /** The path of the mounted route, such as `/api/webhooks/[id]`; undefined without one. */
  route: string | undefined;
  method: string;
  status: number;
  error: string | undefined;
  ms: number;
}

/** Counts an answered request, where an operator collects metrics. */
export function observeRequest({ route = "other", method, status, error, ms }: AnsweredRequest): void {
  if (!env().METRICS_TOKEN) return;
  const { seconds, errors } = metrics();
  seconds.observe({ route, method, status }, ms / 1_000);
  if (error) errors.inc({ route, code: error });
}

/** Adds the metrics of requests to a registry. */
export function registerRequests(registry: Registry): void {
  const { seconds, errors } = metrics();
  registry.registerMetric(seconds);
  registry.registerMetric(errors);
}
