import { expect, test } from "vitest";
import { listRequestsOf } from "@/lib/outward/person/requests";
import { flushRequests } from "@/lib/outward/request-log/buffer";
import { updateMetacode } from "@/lib/program/referrers/metacode";
import { updateReferrerStatus } from "@/lib/program/referrers/update";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";

useService();

test("a metacode that was typed right, and refused with its referrer, says so, a former one too", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const { ctx } = tenant;
  const { referrer_id: id } = (await api.referrer("ann")).body;
  const meant = async () => {
    await flushRequests();
    return (await listRequestsOf(ctx, ["eve"])).map(({ nearest }) => nearest);
  };
  await updateReferrerStatus(ctx, id, "paused");
  expect((await api.redeem("eve", metacode.toUpperCase())).body.error.code).toBe("METACODE_NOT_FOUND");
  expect(await meant()).toMatchObject([{ id, metacode, by: "paused" }]);
  await updateReferrerStatus(ctx, id, "active");
  await updateMetacode(ctx, id, `new${metacode}`);
  expect(await meant()).toMatchObject([{ id, metacode: `new${metacode}`, by: "active" }]);
  await updateReferrerStatus(ctx, id, "ended");
  expect(await meant()).toMatchObject([{ id, by: "ended" }]);
});
