import { and, desc, eq, inArray, sql, sum } from "drizzle-orm";
import { maskCode } from "@/lib/contract/code-file";
import { isUuid } from "@/lib/contract/fields";
import type { PersonDelivery, PersonView, ReplacedCode, UndoneStep } from "@/lib/contract/person";
import { listRequestsOf } from "@/lib/outward/person/requests";
import {
  providerEvents,
  referrals,
  referrerProgress,
  referrers,
  undoneSteps,
  webhookDeliveries,
} from "@/lib/platform/db/schema";
import { newestFirst, walkPage } from "@/lib/platform/db/walk";
import { replacementsByAssignment } from "@/lib/program/codes/assigned-codes";
import { diagnoseEvents } from "@/lib/program/confirmations/diagnose";
import { toEventView } from "@/lib/program/confirmations/event";
import { referralRows } from "@/lib/program/referrals/rows";
import { referrerLabel } from "@/lib/program/referrers/record";
import { listRewards } from "@/lib/program/rewards/list";
import { auditOfSubject } from "@/lib/tenants/audit/list";
import type { Context } from "@/lib/tenants/context";

/** Rows of each list. */
const SHOWN = 50;

/**
 * Everything that an app knows about an end user: as a referrer, as a referee, in requests and in the providers' events, by
 * the uid and by the ids linked to it.
 */
export async function getPerson(ctx: Context, uid: string): Promise<PersonView> {
  const aliases = await aliasesOf(ctx, uid);
  const ids = [uid, ...aliases];
  const [referrer, referees, undone, requests, events] = await Promise.all([
    referrerOf(ctx, ids),
    refereesOf(ctx, ids),
    undoneOf(ctx, ids),
    listRequestsOf(ctx, ids),
    eventsOf(ctx, ids),
  ]);
  const [rewards, rows] = await Promise.all([
    referrer ? listRewards(ctx, referrer.id) : [],
    referralRows(ctx, referees),
  ]);
  const subjects = [
    ...referees.map(({ id }) => id),
    ...undone.map(({ referralId }) => referralId),
    ...rewards.map(({ id }) => id),
    ...(referrer ? [referrer.id] : []),
  ];
  const [deliveries, replaced, audit, held] = await Promise.all([
    deliveriesOf(ctx, subjects),
    replacedOf(ctx, subjects),
    auditOfSubject(ctx, ...subjects, ...ids),
    referrer ? heldOf(ctx, referrer.id) : 0,
  ]);
  return {
    ...{ uid, aliases, rewards, replaced, requests, events, deliveries, audit },
    referrals: rows,
    referrer: referrer
      ? { ...referrerLabel(referrer), status: referrer.status, notes: referrer.notes, held }
      : null,
    undone: undone.map(({ id, step, platform, happenedAt, createdAt }): UndoneStep => {
      return { id, step, platform, at: happenedAt, undoneAt: createdAt };
    }),
  };
}

/** Whether a page about the person would be empty. */
export function isUnknown({ referrer, referrals: own, undone, requests, events }: PersonView): boolean {
  return !referrer && own.length + undone.length + requests.length + events.length === 0;
}

async function aliasesOf(ctx: Context, uid: string): Promise<string[]> {
  const { rows } = await ctx.db.orm.execute<{ uid: string }>(
    sql`select x.value ->> 'uid' as uid from jsonb_array_elements(linked_uids(${ctx.app.id}, array[${uid}]::text[])) x`,
  );
  return rows.map((row) => row.uid);
}

async function referrerOf(ctx: Context, ids: string[]) {
  const found = await ctx.db.orm
    .select()
    .from(referrers)
    .where(and(eq(referrers.appId, ctx.app.id), inArray(referrers.uid, ids)));
  // The person's own id comes before an alias.
  return ids.map((id) => found.find(({ uid }) => uid === id)).find((row) => row !== undefined);
}

/** The confirmed referrals of a referrer that are on hold, over all campaigns and platforms. */
async function heldOf(ctx: Context, referrerId: string): Promise<number> {
  const [row] = await ctx.db.orm
    .select({ held: sum(referrerProgress.held).mapWith(Number) })
    .from(referrerProgress)
    .where(and(eq(referrerProgress.appId, ctx.app.id), eq(referrerProgress.referrerId, referrerId)));
  return row?.held ?? 0;
}

function refereesOf(ctx: Context, ids: string[]) {
  return ctx.db.orm
    .select()
    .from(referrals)
    .where(and(eq(referrals.appId, ctx.app.id), inArray(referrals.refereeUid, ids)))
    .orderBy(desc(referrals.createdAt))
    .limit(SHOWN);
}

function undoneOf(ctx: Context, ids: string[]) {
  return ctx.db.orm
    .select()
    .from(undoneSteps)
    .where(and(eq(undoneSteps.appId, ctx.app.id), inArray(undoneSteps.refereeUid, ids)))
    .orderBy(desc(undoneSteps.createdAt))
    .limit(SHOWN);
}

async function replacedOf(ctx: Context, subjects: string[]): Promise<ReplacedCode[]> {
  const rows = [...(await replacementsByAssignment(ctx, subjects)).values()].flat();
  return rows
    .map(({ oldCodeId: id, oldCode, newCode, reason, createdAt: at }) => {
      return { id, old: maskCode(oldCode), new: maskCode(newCode), reason, at };
    })
    .sort((a, b) => b.at.getTime() - a.at.getTime());
}

/** Along the index over the ids of events. */
async function eventsOf(ctx: Context, ids: string[]): Promise<PersonView["events"]> {
  const rows = await ctx.db.orm
    .select()
    .from(providerEvents)
    .where(
      and(eq(providerEvents.appId, ctx.app.id), sql`${providerEvents.uids} && ${sql.param(ids)}::text[]`),
    )
    .orderBy(desc(providerEvents.createdAt))
    .limit(SHOWN);
  const diagnoses = await diagnoseEvents(ctx, rows);
  return rows.map((event) => ({
    ...toEventView(event),
    sandbox: event.confirmation.sandbox === true,
    diagnosis: diagnoses[event.id] ?? null,
  }));
}

/** Among the newest deliveries of the app. */
async function deliveriesOf(ctx: Context, subjects: string[]): Promise<PersonDelivery[]> {
  const orderKeys = subjects.filter(isUuid);
  if (orderKeys.length === 0) return [];
  const { data } = await walkPage(ctx.db, webhookDeliveries, {
    ...newestFirst(webhookDeliveries.id),
    within: eq(webhookDeliveries.appId, ctx.app.id),
    filter: inArray(webhookDeliveries.orderKey, orderKeys),
    size: SHOWN,
  });
  return data.map(({ id, endpointId, eventType, status, createdAt: at }) => ({
    id,
    endpointId,
    eventType,
    status,
    at,
  }));
}
