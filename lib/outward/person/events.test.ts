import { expect, test } from "vitest";
import { getPerson } from "@/lib/outward/person/get";
import { receiveConfirmation } from "@/lib/program/confirmations/receive";
import { createConnection } from "@/lib/program/connections/create";
import { applyEvent } from "@/lib/testing/confirm";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";

useService({ AUTH_SECRET: "a secret of the tests, 32 characters" });

test("an event leads to its connection, and to the inbox where that does not exist", async () => {
  const { tenant } = await referringTenant();
  const { ctx } = tenant;
  // As after a simulated purchase, and after the connection was deleted.
  await applyEvent(ctx, "ben");
  const { id } = await createConnection(ctx, { provider: "revenuecat" });
  await receiveConfirmation(ctx, id, {
    ...{
      eventId: "1",
      type: "BUY",
      uids: ["ben"],
      payload: {},
      occurredAt: null,
      purchaseId: null,
      links: [],
    },
    confirmation: { kind: "ignore", paid: false, renewal: false, sandbox: false },
  });
  const { events } = await getPerson(ctx, "ben");
  expect(events.map((event) => event.path.replace(event.id, "it"))).toEqual([
    `/providers/${id}?event=it`,
    "/providers/unmatched?event=it",
  ]);
});
