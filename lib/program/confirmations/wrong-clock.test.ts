import { expect, test } from "vitest";
import { DAY_MS } from "@/lib/contract/format";
import { database } from "@/lib/platform/db/client";
import { listEvents } from "@/lib/program/confirmations/list";
import { linkConfirmation } from "@/lib/program/confirmations/resolve";
import { applyEvent, type EventOptions } from "@/lib/testing/confirm";
import { confirmingApp } from "@/lib/testing/provider-events/confirming-app";
import { useService } from "@/lib/testing/service";

useService();

/** A purchase that the clock of a phone dates to tomorrow, and the time of its n-th refund or withdrawal. */
const NOW = Date.now();
const BOUGHT: EventOptions = { at: NOW + DAY_MS, purchase: "p" };
const TIMES: [string, (n: number) => EventOptions][] = [
  ["of today", (n) => ({ at: NOW - 1_000 + n })],
  ["without a time", () => ({})],
  ["of the same clock", (n) => ({ at: NOW + DAY_MS + n })],
];

test.each(TIMES)("a purchase that is dated to the future is reversed by its refund %s", async (_, timeOf) => {
  const app = await confirmingApp(database());
  await app.assign("a", "b");
  const tell = (uid: string, kind: "reverse" | "restore", n: number) =>
    applyEvent(app.ctx, uid, kind, { purchase: "p", ...timeOf(n) });
  expect(await applyEvent(app.ctx, "a", "confirm", BOUGHT)).toBe("confirmed");
  expect(await tell("a", "reverse", 1)).toBe("reversed");
  expect(await tell("a", "reverse", 1)).toBe("unmatched");
  expect(await tell("a", "restore", 2)).toBe("restored");
  expect(await tell("b", "reverse", 1)).toBe("unmatched");
  expect(await applyEvent(app.ctx, "b", "confirm", BOUGHT)).toBe("confirmed");
  expect(await app.states()).toEqual({ a: "redeemed", b: "reversed" });
});

test("a refund that is older than the purchase counts if a member links it, and not by itself", async () => {
  const app = await confirmingApp(database());
  await app.assign("a");
  await applyEvent(app.ctx, "a", "confirm", BOUGHT);
  expect(await applyEvent(app.ctx, "a", "reverse", { at: NOW + DAY_MS - 1, purchase: "p" })).toBe(
    "unmatched",
  );
  const [event] = (await listEvents(app.ctx)).data;
  const link = { eventId: event?.id ?? "", uid: "a", reason: "The receipt" };
  expect((await linkConfirmation(app.ctx, link)).status).toBe("reversed");
  expect(await app.states()).toEqual({ a: "reversed" });
});
