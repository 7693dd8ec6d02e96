import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { keyUsageDays } from "@/lib/platform/db/schema";
import { getKeyUsage } from "@/lib/tenants/api-keys/usage";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";

useService();

test("requests a day come oldest first and without gaps, for the keys of the app", async () => {
  const [tenant, other] = [await makeTenant(), await makeTenant()];
  const [busy, idle] = [uuidv7(), uuidv7()];
  const row = (appId: string, keyId: string, day: string, requests: number) => ({
    appId,
    keyId,
    day,
    requests,
    refused: 2,
    failed: 1,
  });
  const { id } = tenant.ctx.app;
  await database()
    .orm.insert(keyUsageDays)
    .values([
      row(id, busy, "2026-03-01", 5),
      row(id, busy, "2026-02-27", 4),
      row(id, idle, "2026-02-26", 9),
      row(other.ctx.app.id, busy, "2026-03-01", 70),
    ]);
  expect(await getKeyUsage(tenant.ctx, 3, Date.UTC(2026, 2, 1, 23))).toEqual({
    [busy]: [
      { day: "2026-02-27", requests: 4, refused: 2, failed: 1 },
      { day: "2026-02-28", requests: 0, refused: 0, failed: 0 },
      { day: "2026-03-01", requests: 5, refused: 2, failed: 1 },
    ],
  });
});
