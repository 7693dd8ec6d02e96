import { createHmac } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import { env } from "@/lib/platform/env";
import { deriveKey } from "@/lib/platform/secrets/seal";
import { singleton } from "@/lib/platform/singleton";

/** Derived once, because redeem needs it. */
function erasureKey(): Buffer | undefined {
  const { AUTH_SECRET } = env();
  return singleton("end-users.erasure-key", () =>
    AUTH_SECRET ? deriveKey(AUTH_SECRET, "erased person") : undefined,
  );
}

/** The keyed hash of a uid in an app; null if the secret is missing, without which there are no erasures. */
export function uidHashIn(appId: string, uid: string): Buffer | null {
  const key = erasureKey();
  return key ? createHmac("sha256", key).update(`${appId}\n${uid}`).digest() : null;
}

/** The keyed hash of a uid in an app: without the service's secret, guessed uids cannot be compared with it. */
export function uidHash(appId: string, uid: string): Buffer {
  const hash = uidHashIn(appId, uid);
  if (!hash) throw new Error("AUTH_SECRET is not set: start the service with `npm start`");
  return hash;
}

/** The text that replaces an erased uid, always the same for a uid, so that unique keys still hold. */
export function pseudonymOf(hash: Buffer): string {
  return `erased:${hash.toString("base64url")}`;
}

/** The pseudonym of a uid; null if a missing secret makes erasures impossible. */
export function pseudonymIn(appId: string, uid: string): string | null {
  const hash = uidHashIn(appId, uid);
  return hash && pseudonymOf(hash);
}

/** Whether the referrer `f` of a statement was erased, so that its unclaimed rewards are lost. */
export const ERASED = sql`coalesce(f.status = 'ended' and f.uid like 'erased:%:' || f.id::text, false)`;

/** Links that end in an id, or begin there: a range in the order of its index, as in match_referral.sql. */
const linksAt = (appId: string, end: SQL, uid: SQL): SQL => sql`
  from identity_links i where i.app_id = ${appId} and i.${end} >= ${uid} and i.${end} <= ${uid} order by i.${end}`;

/** The ids of a person, like linked_uids, which a cluster cannot call for each row. Most have one id. */
export const personIds = (appId: string, uid: SQL): SQL => sql`case when
  (select true ${linksAt(appId, sql`from_uid`, uid)} limit 1) or
  (select true ${linksAt(appId, sql`to_uid`, uid)} limit 1) then array(
    with recursive person (uid, links) as (
      select ${uid}, 0
      union
      select n.uid, p.links + 1 from person p cross join lateral (
        (select i.to_uid as uid ${linksAt(appId, sql`from_uid`, sql`p.uid`)})
        union all
        (select i.from_uid ${linksAt(appId, sql`to_uid`, sql`p.uid`)})) n
       where p.links < 4)
    select distinct uid from (select uid from person limit 200) p)
  else array[${uid}] end`;
