import type { Tone } from "@/components/ui/badge";
import { ERROR_HELP } from "@/lib/contract/error-help";
import { LOGGED_ENDPOINTS, OUTCOMES, PERIODS } from "@/lib/contract/request-line";

/** The colour of a status, which stands beside it as a number. */
export function toneOf(status: number): Tone {
  if (status < 400) return "good";
  return status < 500 ? "warn" : "bad";
}

const NAMES = { answered: "Answered (2xx)", refused: "Refused (4xx)", failed: "Failed (5xx)" };

export const OUTCOME_CHOICES = OUTCOMES.map((value) => ({ value, name: NAMES[value] }));

export const CODE_CHOICES = Object.keys(ERROR_HELP)
  .sort()
  .map((value) => ({ value, name: value }));

export const ENDPOINT_CHOICES = LOGGED_ENDPOINTS.map((value) => ({ value, name: `/${value}` }));

const PERIOD_NAMES = { "15m": "Last 15 minutes", "1h": "Last hour", "24h": "Last 24 hours" };

const DAY = 86_400_000;

/** The periods, and each day (UTC) that the log still holds. */
export function timeChoices(days: number, now = Date.now()) {
  const names = Array.from({ length: days }, (_, index) =>
    new Date(now - index * DAY).toISOString().slice(0, 10),
  );
  return [
    ...PERIODS.map((value) => ({ value, name: PERIOD_NAMES[value] })),
    ...names.map((value) => ({ value, name: `${value} (UTC)` })),
  ];
}

/** Microseconds as people read them: `840 µs`, `3.2 ms`, `1.4 s`. */
export function duration(micros: number): string {
  if (micros < 1_000) return `${micros} µs`;
  if (micros < 1_000_000) return `${(micros / 1_000).toFixed(micros < 10_000 ? 1 : 0)} ms`;
  return `${(micros / 1_000_000).toFixed(1)} s`;
}
