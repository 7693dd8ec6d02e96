import { createHash, timingSafeEqual } from "node:crypto";
import { collectMetrics } from "@/lib/outward/metrics/registry";
import { database } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { AppError, fail } from "@/lib/platform/errors";
import { failedAttempt } from "@/lib/web/http/authenticate";
import { pagesBacklog } from "@/lib/web/http/health";
import type { RouteRun } from "@/lib/web/http/route";

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** `GET /metrics`, for Prometheus. Requires the bearer token of the environment; throws NOT_FOUND where none is set. */
export const reportMetrics: RouteRun = async (exchange) => {
  const { METRICS_TOKEN: token } = env();
  if (!token) return fail("NOT_FOUND", "There is no such endpoint");
  const given = exchange.request.headers.get("authorization") ?? "";
  if (!timingSafeEqual(digest(given), digest(`Bearer ${token}`))) {
    await failedAttempt(exchange);
    throw new AppError("UNAUTHORIZED", "Invalid or missing metrics token");
  }
  const { text, type } = await collectMetrics(database(), pagesBacklog());
  return { status: 200, text, headers: { "Content-Type": type } };
};
