import type { AppError } from "@/lib/platform/errors";
import type { RedeemRequest } from "@/lib/program/referrals/redeem";
import { redeemMetacode } from "@/lib/program/referrals/redeem";
import { referringTenant } from "@/lib/testing/referring-tenant";
import type { TenantOptions } from "@/lib/testing/tenant";

/** The input of a redeem; defaults are the tenant's metacode and iOS. */
export type RedeemTestInput = Partial<RedeemRequest> & { refereeUid: string };

/** A tenant with functions that redeem through the verb, without a meter. */
export async function redeemingTenant(options: TenantOptions = {}) {
  const { tenant, metacode, api } = await referringTenant(options);
  /** Redeems and returns the code, or the error code, followed by the code assigned before. */
  const redeem = (input: RedeemTestInput) =>
    redeemMetacode(tenant.ctx, { metacode, platform: "ios", clickId: undefined, ...input }).then(
      ({ body }) => body.code,
      ({ code, extra }: AppError) => {
        const before = extra?.redemption as { code: string } | undefined;
        return before ? `${code} ${before.code}` : code;
      },
    );
  /** Two redeems fill the slots, so that all others wait and run together; their results come first. */
  const redeemTogether = (inputs: RedeemTestInput[]) =>
    [{ refereeUid: "first" }, { refereeUid: "second" }, ...inputs].map(redeem);
  return { tenant, api, metacode, redeem, redeemTogether };
}

/** Inputs of `bob0`, `bob1` and so on. */
export const redeemInputs = (count: number): RedeemTestInput[] =>
  Array.from({ length: count }, (_, n) => ({ refereeUid: `bob${n}` }));

/** The number of calls of an SQL function. */
export const countCalls = (statements: string[], name: string) =>
  statements.filter((text) => text.startsWith(`select ${name}(`)).length;
