import { and, eq } from "drizzle-orm";
import { systemContext } from "@/lib/apps/system-context";
import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import type { Db } from "@/lib/db/client";
import { apps, webhookEndpoints } from "@/lib/db/schema";
import { pageAddress, sendMail } from "@/lib/mail/send";
import { alertedPeople } from "@/lib/stats/alerted-people";
import { endpointSubject } from "@/lib/webhooks/endpoint";
import type { Schedule } from "@/lib/webhooks/schedule";

/** What the owners of an endpoint must hear. */
export type News = "warned" | "gone" | "failing";

interface Told {
  app: string;
  endpoint: string;
  news: News;
  schedule: Schedule;
}

type Endpoint = typeof webhookEndpoints.$inferSelect;

const inWords = (moment: Date) =>
  `${moment.toISOString().slice(0, 10)} ${moment.toISOString().slice(11, 16)} UTC`;

function wordsOf(
  news: News,
  endpoint: Endpoint,
  { disable_after }: Schedule,
): [subject: string, text: string] {
  const { host } = new URL(endpoint.url);
  const since = endpoint.failingSince ?? new Date();
  if (news === "gone") {
    return [`${host} wants no more webhooks`, `${host} answered 410, so nothing is sent there any more.`];
  }
  if (news === "failing") {
    return [
      `webhooks to ${host} are off`,
      `Nothing has got through to ${host} since ${inWords(since)}, so nothing is sent there any more.`,
    ];
  }
  const end = new Date(since.getTime() + disable_after * 1_000);
  return [
    `webhooks to ${host} are failing`,
    `Nothing has got through to ${host} since ${inWords(since)}. Deliveries go more slowly and are tried again. ` +
      `If nothing gets through until ${inWords(end)}, the endpoint is switched off.`,
  ];
}

function letter(ctx: Context, told: Told, endpoint: Endpoint): { subject: string; text: string } {
  const [subject, first] = wordsOf(told.news, endpoint, told.schedule);
  const last =
    told.news === "warned"
      ? "Nothing is lost so far: what failed is tried for 27 hours, and can be sent again for 30 days."
      : "What waits is sent when you switch it on again; each delivery is kept for 30 days.";
  const page = pageAddress(`/dashboard/apps/${ctx.app.id}/webhooks/${endpoint.id}`);
  return {
    subject: `${ctx.app.name}: ${subject}`,
    text: [first, "", "What was answered:", page, "", last].join("\n"),
  };
}

/** Writes to the owners and admins of an app, and into its audit log where the endpoint was switched off. */
export async function tellOwners(db: Db, told: Told): Promise<void> {
  const [app] = await db.orm.select().from(apps).where(eq(apps.id, told.app));
  const [endpoint] = await db.orm
    .select()
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.appId, told.app), eq(webhookEndpoints.id, told.endpoint)));
  if (!app || app.deletedAt || !endpoint) return;
  const ctx = systemContext(db, app);
  if (told.news !== "warned") {
    const after = { reason: told.news };
    await recordAudit(db, ctx, { action: "webhook.disabled", ...endpointSubject(endpoint), after });
  }
  for (const to of await alertedPeople(ctx)) await sendMail(db, { to, ...letter(ctx, told, endpoint) });
}
