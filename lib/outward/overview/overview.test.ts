import { expect, test } from "vitest";
import { notesOf } from "@/lib/outward/overview/overview";

const BUCKETS = ["2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04"].map((start) => ({ start }));
const TREND = { buckets: BUCKETS, until: "2026-03-04" };
const NOW = new Date("2026-03-04T12:00:00Z");

const campaign = (
  id: string,
  days: { activatedAt?: string; startsAt?: string; endsAt?: string; status?: "ended" },
) => {
  const at = (day: string | undefined) => (day ? new Date(`${day}T09:00:00Z`) : null);
  const { activatedAt, startsAt, endsAt, status = "active" as const } = days;
  return { id, name: id, status, activatedAt: at(activatedAt), startsAt: at(startsAt), endsAt: at(endsAt) };
};

const notes = (...campaigns: ReturnType<typeof campaign>[]) =>
  notesOf(TREND, campaigns, NOW).map(({ bucket, campaign: { name }, what }) => `${bucket} ${name} ${what}`);

test("campaigns are noted where they started and ended, in order of time", () => {
  expect(
    notes(
      campaign("second", { activatedAt: "2026-03-03" }),
      campaign("first", { activatedAt: "2026-03-01", endsAt: "2026-03-03", status: "ended" }),
      campaign("planned", { activatedAt: "2026-03-01", startsAt: "2026-03-04" }),
    ),
  ).toEqual(["0 first started", "2 second started", "2 first ended", "3 planned started"]);
});

test("a start or an end before the trend, still to come, or of a draft has no note", () => {
  expect(
    notes(
      campaign("old", { activatedAt: "2026-02-28" }),
      campaign("draft", { endsAt: "2026-03-02" }),
      campaign("stopped draft", { endsAt: "2026-03-02", status: "ended" }),
      campaign("future", { activatedAt: "2026-03-01", startsAt: "2026-03-05", endsAt: "2026-03-09" }),
    ),
  ).toEqual([]);
});
