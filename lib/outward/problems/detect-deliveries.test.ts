import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { describe, expect, test } from "vitest";
import { detect } from "@/lib/outward/problems/detect";
import { emails, webhookDeliveries, webhookEndpoints } from "@/lib/platform/db/schema";
import { ago, HOUR, MINUTE, problemsOf, soundApp } from "@/lib/testing/problems";
import { useService } from "@/lib/testing/service";

useService();

describe("deliveries", () => {
  async function withEndpoint(values: Partial<typeof webhookEndpoints.$inferInsert> = {}) {
    const { ctx } = await soundApp();
    const id = uuidv7();
    const url = "https://hooks.example.com/x";
    await ctx.db.orm
      .insert(webhookEndpoints)
      .values({ appId: ctx.app.id, id, url, events: [], secret: "s", ...values });
    return { ctx, id };
  }

  test.each([
    [{}, undefined],
    [{ failingSince: ago(30 * MINUTE) }, undefined],
    [
      { failingSince: ago(2 * HOUR), warnedAt: ago(HOUR) },
      ["warning", "hooks.example.com does not accept webhooks"],
    ],
    [
      { enabled: false, disabledReason: "failing" },
      ["critical", "Webhooks to hooks.example.com were disabled"],
    ],
    [{ enabled: false, disabledReason: "gone" }, ["critical", "Webhooks to hooks.example.com were disabled"]],
    [{ enabled: false, disabledReason: "owner" }, undefined],
  ] as const)("an endpoint with %j", async (values, expected) => {
    const { ctx } = await withEndpoint(values);
    const problems = (await detect(ctx)).map(({ severity, kind, title }) => [severity, kind, title]);
    expect(problems).toEqual(expected ? [[expected[0], "webhook_failing", expected[1]]] : []);
  });

  async function late(
    delivery: Partial<typeof webhookDeliveries.$inferInsert>,
    endpoint: Partial<typeof webhookEndpoints.$inferInsert> = {},
  ): Promise<string[]> {
    const { ctx, id } = await withEndpoint(endpoint);
    const row = { appId: ctx.app.id, endpointId: id, eventType: "T", status: "pending" } as const;
    await ctx.db.orm.insert(webhookDeliveries).values([
      { ...row, id: uuidv7(), eventId: uuidv7(), orderKey: "a", place: 1, dueAt: ago(MINUTE) },
      {
        ...row,
        id: uuidv7(),
        eventId: uuidv7(),
        orderKey: "b",
        place: 1,
        dueAt: ago(11 * MINUTE),
        ...delivery,
      },
    ]);
    return (await detect(ctx)).map(({ kind, subject }) => `${kind} ${subject.split(" ")[0]}`);
  }

  test("that are due for ten minutes stand still", async () => {
    expect(await late({})).toEqual(["backlog webhooks"]);
    expect(await late({ dueAt: ago(9 * MINUTE) })).toEqual([]);
    expect(await late({ status: "dead", dueAt: null })).toEqual([]);
  });

  test("that wait for another delivery, for a failing endpoint or for one that is being served do not", async () => {
    expect(await late({ orderKey: "a", place: 2 })).toEqual([]);
    expect(await late({}, { failingSince: ago(20 * MINUTE) })).toEqual([]);
    expect(await late({ leasedUntil: new Date(Date.now() + MINUTE) })).toEqual([]);
    expect(await late({}, { enabled: false, disabledReason: "owner" })).toEqual([]);
  });

  test("of emails that are due for ten minutes stand still in every app", async () => {
    const { ctx } = await soundApp();
    const email = { id: uuidv7(), recipient: "late@example.com", subject: "s", text: "t" };
    await ctx.db.orm.insert(emails).values({ ...email, dueAt: ago(9 * MINUTE) });
    expect(await detect(ctx)).toEqual([]);
    const set = (values: object) => ctx.db.orm.update(emails).set(values).where(eq(emails.id, email.id));
    await set({ dueAt: ago(11 * MINUTE) });
    expect(await problemsOf(ctx)).toEqual([["warning", "backlog", "emails"]]);
    await set({ sentAt: new Date() });
    expect(await detect(ctx)).toEqual([]);
  });
});
