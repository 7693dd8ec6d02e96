import { uuidv7 } from "uuidv7";
import { statementText } from "@/lib/db/statement";

const HASH = Buffer.alloc(32, 7);
const PSEUDONYM = `erased:${HASH.toString("base64url")}`;
const text = statementText("redeem_metacode", 12);

/** The service's own statement with an idempotency key, its quota paid by a share as in all but one of 100 calls. */
export function redeemCall(appId: string, workspaceId: string, metacode: string, refereeUid: string) {
  const values = [
    appId,
    metacode,
    "ios",
    refereeUid,
    uuidv7(),
    null,
    PSEUDONYM,
    `key-${refereeUid}`,
    HASH,
    workspaceId,
    1e7,
    0,
  ];
  return { name: "redeem_metacode", text, values };
}
