import { keep, withKey } from "./intentions.mjs";
import { Metacode } from "./metacode.mjs";

const [, , url, key] = process.argv;
const CODES = "codes.json";
const metacode = new Metacode(url, async () => ({ "x-api-key": key }));

/** As the guide's samples redeem and claim: a code is stored while its key still exists, also one beside an error. */
const redeem = (uid, typed) =>
  withKey("redeem.json", `${uid} ${typed}`, async (key) => {
    const answer = await metacode.redeem(uid, typed, "ios", key);
    keep(CODES, [answer]);
    return answer;
  });
const claim = () => withKey("claim.json", "claim", (key) => metacode.claim("anna", key));
const errorOf = (promise) => promise.then(() => undefined).catch((error) => error);

const anna = await metacode.referrer("anna", { name: "Anna" });
const first = await redeem("bob", anna.metacode);
const { redemption } = (await errorOf(redeem("bob", `${anna.metacode} `))).body;
const { status } = await errorOf(claim());
const { requestId } = await errorOf(redeem("carl", "unknown2"));
const { recent_claims: recent } = (await errorOf(claim())).body;
const codes = keep(CODES, [redemption, ...recent]);
process.stdout.write(
  JSON.stringify({
    ...{ metacode: anna.metacode, code: first.code, again: redemption.code, requestId, refused: status },
    words: "You already have this code.",
    ...{ rewards: recent.map(({ code }) => code), codes: codes.map(({ code }) => code) },
  }),
);
