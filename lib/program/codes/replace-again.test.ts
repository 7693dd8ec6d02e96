import { describe, expect, test } from "vitest";
import { maskCode } from "@/lib/contract/code-file";
import { exportEndUser } from "@/lib/program/end-users/export";
import { getReferral } from "@/lib/program/referrals/get";
import { assigned, codesAssigned } from "@/lib/testing/assigned-code";
import { applyEvent } from "@/lib/testing/confirm";
import { useService } from "@/lib/testing/service";
import { replaceCodeOf } from "@/lib/testing/support";
import { makeBatch } from "@/lib/testing/tenant";

useService();

const reason = "The store says it is invalid";

describe("a code that replaced another one", () => {
  test("is replaced in its turn; a retry, the referral and the export show the last one", async () => {
    const eve = await assigned();
    await eve.ask("second");
    const texts = [eve.code];
    for (const why of ["Expired", "Expired too"]) {
      await replaceCodeOf(eve.ctx, eve.assignmentId, why);
      texts.push((await codesAssigned(eve, eve.assignmentId))[0]?.code ?? "");
    }
    const [first, second, third] = texts;
    expect(new Set(texts).size).toBe(3);
    expect([await eve.ask("first"), await eve.ask("second"), await eve.ask()]).toEqual([third, third, third]);
    const view = await getReferral(eve.ctx, eve.assignmentId);
    expect(view.code).toMatchObject({ code: maskCode(third ?? ""), status: "assigned" });
    const steps = view.timeline.flatMap((entry) =>
      entry.kind === "code_replaced" ? [[entry.old?.code, entry.reason]] : [],
    );
    expect(steps).toEqual([
      [maskCode(first ?? ""), "Expired"],
      [maskCode(second ?? ""), "Expired too"],
    ]);
    expect(view.timeline[0]).toMatchObject({ kind: "code_assigned", code: { code: maskCode(first ?? "") } });
    expect((await exportEndUser(eve.ctx, "eve")).referrals).toMatchObject([
      { code: third, replaced_codes: [{ code: first }, { code: second }] },
    ]);
    expect(await applyEvent(eve.ctx, "eve")).toBe("confirmed");
    expect((await codesAssigned(eve, eve.assignmentId)).map(({ code, status }) => [code, status])).toEqual([
      [third, "confirmed"],
    ]);
  });

  test("comes from a batch that has not failed, while there is one", async () => {
    const eve = await assigned({ codes: 20 });
    const pool = eve.pools.ios.referee;
    const batchNow = async () => (await codesAssigned(eve, eve.assignmentId))[0]?.batchId;
    const used = [await batchNow()];
    for (let n = 0; n < 2; n++) await makeBatch(eve.ctx, pool, "ios", { size: 1 });
    for (let n = 0; n < 3; n++) {
      await replaceCodeOf(eve.ctx, eve.assignmentId, reason);
      used.push(await batchNow());
    }
    expect(new Set(used.slice(0, 3)).size).toBe(3);
    expect(used[3]).toBe(used[0]);
  });
});
