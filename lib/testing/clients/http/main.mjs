import { existsSync, mkdirSync, rmSync } from "node:fs";
import { removeCode, sendOnce, storedCodes } from "./intentions.mjs";
import { Metacode, MetacodeError } from "./metacode.mjs";

const [, , url, key] = process.argv;
const folderOf = (uid) => `stored-${uid}`;
const BOB = folderOf("bob");
let calls = 0;
const metacode = new Metacode(url, async () => {
  calls += 1;
  return { "x-api-key": key };
});

const redeem = (uid, typed) =>
  sendOnce(folderOf(uid), "redeem", typed, (key) => metacode.redeem(uid, typed, "ios", key));
const claim = () => sendOnce(folderOf("anna"), "claim", "", (key) => metacode.claim("anna", key));
const errorOf = (promise) => promise.then(() => undefined).catch((error) => error);

/** Makes `run` fail when it stores its codes, as in a crash, and throws if its key was deleted before. */
async function failToStore(run) {
  rmSync(`${BOB}/codes.json`, { force: true });
  mkdirSync(`${BOB}/codes.json`);
  if ((await errorOf(run()))?.code !== "EISDIR") throw new Error("The codes were stored in a folder");
  if (!existsSync(`${BOB}/redeem.json`)) throw new Error("The key is deleted before the code is stored");
  rmSync(`${BOB}/codes.json`, { recursive: true });
}

const anna = await metacode.referrer("anna", { name: "Anna" });
const headerCalls = calls;
const refused = [];
for (let time = 0; time < 3; time += 1) refused.push((await errorOf(redeem("bob", anna.metacode))).status);
const { requestId } = await errorOf(redeem("carl", "unknown2"));
for (let time = 0; time < 2; time += 1) {
  for (const code of storedCodes(folderOf("eve"))) removeCode(folderOf("eve"), code);
  await redeem("eve", anna.metacode);
}
await failToStore(() => redeem("bob", anna.metacode));
const first = await redeem("bob", anna.metacode);
// A gateway puts its own error into a field `code`, which is no promo code.
const gateway = new MetacodeError(400, { code: "FST_ERR_VALIDATION" });
await errorOf(sendOnce(BOB, "redeem", "", () => Promise.reject(gateway)));
const { redemption } = (await errorOf(redeem("bob", `${anna.metacode} `))).body;
refused.push((await errorOf(claim())).status);
const { recent_claims: recent } = (await errorOf(claim())).body;
const codes = Object.fromEntries(
  ["bob", "anna", "eve"].map((uid) => [uid, storedCodes(folderOf(uid)).map(({ code }) => code)]),
);
for (const code of recent) removeCode(folderOf("anna"), code);
const left = [];
for (let time = 0; time < 2; time += 1) {
  await errorOf(claim());
  left.push(...storedCodes(folderOf("anna")).map(({ store_url }) => store_url));
}
await failToStore(() => redeem("bob", `${anna.metacode}  `));
process.stdout.write(
  JSON.stringify({
    ...{ metacode: anna.metacode, code: first.code, again: redemption.code, requestId, refused },
    ...{ words: "You already have this code.", offline: "There is no connection. Please try again." },
    ...{ rewards: recent.map(({ code }) => code), codes, left, headerCalls },
  }),
);
