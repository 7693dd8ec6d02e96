import { uuidv7 } from "uuidv7";
import { REDEEM_METACODE } from "@/lib/program/referrals/redeem";

const HASH = Buffer.alloc(32, 7);
const PSEUDONYM = `erased:${HASH.toString("base64url")}`;

/** The service's own statement with an idempotency key, its quota paid from a lease as in 99 of 100 calls. */
export function redeemCall(appId: string, workspaceId: string, metacode: string, refereeUid: string) {
  const { name, text } = REDEEM_METACODE;
  const values = REDEEM_METACODE.values({
    app: appId,
    slug: metacode,
    platform: "ios",
    referee_uid: refereeUid,
    referral_id: uuidv7(),
    click_id: null,
    pseudonym: PSEUDONYM,
    key: `key-${refereeUid}`,
    hash: HASH,
    texts: null,
    beyond: null,
    workspace: workspaceId,
    quota_limit: 1e7,
    quota_units: 0,
  });
  return { name, text, values };
}
