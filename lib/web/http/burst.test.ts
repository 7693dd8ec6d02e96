import { expect, test } from "vitest";
import { createKey } from "@/lib/tenants/api-keys/create";
import { liftKeyLimits } from "@/lib/tenants/api-keys/limits";
import { clientOf } from "@/lib/testing/client";
import { stopClock } from "@/lib/testing/clock";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";

useService({ KEY_BURST_SIZE: "2", KEY_BURST_PER_SECOND: "1" });

test("a burst is whole again when the limits of the key are lifted", async () => {
  stopClock();
  const { ctx } = await makeTenant({ codes: 0 });
  const { id, key } = await createKey(ctx, { name: "Phone" });
  const api = clientOf(key);
  for (const status of [200, 200, 429]) expect((await api.referrer("ann")).status).toBe(status);
  await liftKeyLimits(ctx, { keyId: id });
  for (const status of [200, 200, 429]) expect((await api.referrer("ann")).status).toBe(status);
});
