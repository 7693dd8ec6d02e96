import { expect, test, vi } from "vitest";
import { POST as checkCodes } from "@/app/dashboard/apps/[appId]/codes/import/check/route";
import { POST as listRefused } from "@/app/dashboard/apps/[appId]/codes/import/refused/route";
import { GET as exportReferrals } from "@/app/dashboard/apps/[appId]/referrals/export/route";
import { database } from "@/lib/platform/db/client";
import { forgetSingleton } from "@/lib/platform/singleton";
import { makeTenantWith } from "@/lib/testing/matrix/cast";
import { visit } from "@/lib/testing/matrix/visit";
import { useService } from "@/lib/testing/service";

vi.mock("next/headers", () => import("@/lib/testing/matrix/visit"));

useService({ AUTH_SECRET: "m".repeat(32), APP_URL: "http://localhost:3000" });

test("a file that is requested or sent while the database is away gets a 503 with a time to retry", async () => {
  const { tenant, member } = await makeTenantWith("owner");
  const { headers } = await visit({ session: member });
  const params = Promise.resolve({ appId: tenant.ctx.app.id });
  const url = "http://localhost:3000/dashboard";
  await database().close();
  const answers = [
    await exportReferrals(new Request(url, { headers }), { params }),
    await checkCodes(new Request(url, { headers, method: "POST", body: "x" }), { params }),
  ];
  forgetSingleton("database");
  for (const answer of answers)
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "2"]);
});

test("a file is checked, and its refused rows are listed, whatever day was typed for its batch", async () => {
  const { tenant, member } = await makeTenantWith("owner");
  const { headers } = await visit({ session: member });
  const params = Promise.resolve({ appId: tenant.ctx.app.id });
  const url = `http://localhost:3000/dashboard?poolId=${tenant.pools.ios.referee}&expiresAt=2020-01-01`;
  const send = () =>
    new Request(url, { headers, method: "POST", body: "Code,Used\nGOOD1234,no\nGONE1234,yes" });
  const checked = await (await checkCodes(send(), { params })).text();
  expect(checked).toContain('"fresh":1');
  const refused = await (await listRefused(send(), { params })).text();
  expect(refused).toMatch(/^3,GONE1234,Used,/m);
});
