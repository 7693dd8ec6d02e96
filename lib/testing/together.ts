import type { AppError } from "@/lib/errors";
import { redeemMetacode } from "@/lib/referrals/redeem";
import type { RedeemRequest } from "@/lib/referrals/redeem-in-line";
import { running } from "@/lib/testing/running";
import type { TenantOptions } from "@/lib/testing/tenant";

/** What differs from a redeem on iOS of the only metacode. */
export type Wish = Partial<RedeemRequest> & { refereeUid: string };

/** A tenant whose redeems a test makes straight, without a meter. */
export async function inviting(options: TenantOptions = {}) {
  const { tenant, metacode, api } = await running(options);
  /** The code, or the error's code with the code given before. */
  const ask = (wish: Wish) =>
    redeemMetacode(tenant.ctx, { metacode, platform: "ios", clickId: undefined, ...wish }).then(
      ({ body }) => body.code,
      ({ code, extra }: AppError) => {
        const before = extra?.redemption as { code: string } | undefined;
        return before ? `${code} ${before.code}` : code;
      },
    );
  /** Two take the lanes, so that all others wait and go together; their answers come first. */
  const askTogether = (wishes: Wish[]) =>
    [{ refereeUid: "first" }, { refereeUid: "second" }, ...wishes].map(ask);
  return { tenant, api, metacode, ask, askTogether };
}

/** Wishes of `bob0`, `bob1` and so on. */
export const uids = (count: number): Wish[] =>
  Array.from({ length: count }, (_, n) => ({ refereeUid: `bob${n}` }));

/** How often a function was called. */
export const calls = (statements: string[], name: string) =>
  statements.filter((text) => text.startsWith(`select ${name}(`)).length;
