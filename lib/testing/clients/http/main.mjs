import { existsSync, mkdirSync, rmSync } from "node:fs";
import { sendOnce, storedCodes } from "./intentions.mjs";
import { Metacode, MetacodeError } from "./metacode.mjs";

const [, , url, key] = process.argv;
const FOLDER = "stored";
const metacode = new Metacode(url, async () => ({ "x-api-key": key }));

const redeem = (uid, typed) =>
  sendOnce(FOLDER, "redeem", `${uid} ${typed}`, (key) => metacode.redeem(uid, typed, "ios", key));
const claim = () => sendOnce(FOLDER, "claim", "", (key) => metacode.claim("anna", key));
const errorOf = (promise) => promise.then(() => undefined).catch((error) => error);

/** Lets `run` fail at storing its codes, as a crash there would, and throws if its key is gone nevertheless. */
async function failToStore(run) {
  rmSync(`${FOLDER}/codes.json`, { force: true });
  mkdirSync(`${FOLDER}/codes.json`);
  if ((await errorOf(run()))?.code !== "EISDIR") throw new Error("The codes were stored in a folder");
  if (!existsSync(`${FOLDER}/redeem.json`)) throw new Error("The key is deleted before the code is stored");
  rmSync(`${FOLDER}/codes.json`, { recursive: true });
}

const anna = await metacode.referrer("anna", { name: "Anna" });
const first = await redeem("bob", anna.metacode);
// A gateway names its own errors in a field of the same name, which is no promo code.
const gateway = new MetacodeError(400, { code: "FST_ERR_VALIDATION" });
await errorOf(sendOnce(FOLDER, "redeem", "", () => Promise.reject(gateway)));
await failToStore(() => redeem("bob", `${anna.metacode} `));
const { redemption } = (await errorOf(redeem("bob", `${anna.metacode} `))).body;
const { status } = await errorOf(claim());
const { requestId } = await errorOf(redeem("carl", "unknown2"));
const { recent_claims: recent } = (await errorOf(claim())).body;
process.stdout.write(
  JSON.stringify({
    ...{ metacode: anna.metacode, code: first.code, again: redemption.code, requestId, refused: status },
    words: "You already have this code.",
    ...{ rewards: recent.map(({ code }) => code), codes: storedCodes(FOLDER).map(({ code }) => code) },
  }),
);
