import { eq } from "drizzle-orm";
import { codes } from "@/lib/platform/db/schema";
import { clientOf } from "@/lib/testing/client";
import { asTeamMember, referralIdOf } from "@/lib/testing/support";
import { makeTenant, type Tenant, type TenantOptions } from "@/lib/testing/tenant";

/** A referee with a code, which a retry can request again. */
export async function assigned(options: TenantOptions = {}) {
  const tenant = await makeTenant(options);
  const api = clientOf(tenant.key);
  const { metacode } = (await api.referrer("ann")).body;
  const headers = { "idempotency-key": "first" };
  const { code } = (await api.redeem("eve", metacode, "ios", {}, headers)).body as { code: string };
  const ctx = asTeamMember(tenant.ctx);
  const assignmentId = await referralIdOf(ctx, "eve");
  const ask = async (key?: string) => {
    const reply = await api.redeem("eve", metacode, "ios", {}, key ? { "idempotency-key": key } : {});
    return (reply.body.code ?? reply.body.redemption?.code) as string;
  };
  return { ...tenant, ctx, api, metacode, code, assignmentId, ask };
}

/** The codes of an app. */
export const codesOf = ({ ctx }: Pick<Tenant, "ctx">) =>
  ctx.db.orm.select().from(codes).where(eq(codes.appId, ctx.app.id));

/** The codes that a referral or a reward has now. */
export async function codesAssigned(tenant: Pick<Tenant, "ctx">, assignmentId: string) {
  return (await codesOf(tenant)).filter((code) => code.assignmentId === assignmentId);
}
