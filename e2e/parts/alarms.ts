import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { providerAlerts } from "@/lib/alerts/silence";
import { webhookAlerts } from "@/lib/alerts/webhooks";
import type { Context } from "@/lib/context";
import { ALERT_KINDS } from "@/lib/contract/alerts";
import { alertChannels, alerts, apps, landingTexts } from "@/lib/db/schema";

const SLACK = "https://hooks.slack.com/services/T00000000/B00000000/abcdefghijklmnop";
const DISCORD = "https://discord.com/api/webhooks/1234567890/abcdefghijklmnop";

/** A channel of every kind, one of which is switched off because its other end is gone. */
const CHANNELS: readonly Omit<typeof alertChannels.$inferInsert, "appId" | "id">[] = [
  { type: "slack", name: "#growth", target: SLACK, kinds: [...ALERT_KINDS] },
  {
    ...{ type: "discord", name: "", target: DISCORD, kinds: ["pool_low"], enabled: false },
    stoppedBecause: "It answered 404: the webhook was deleted at Discord.",
  },
  {
    type: "mail",
    name: "On call",
    target: "oncall@acme.com",
    kinds: ["webhook_failing", "provider_refused"],
  },
];

/** What is wrong by now is told as the round of every minute tells it, and there are people to be told. */
export async function fillAlerts(ctx: Context): Promise<void> {
  const { orm } = ctx.db;
  const appId = ctx.app.id;
  const channels = CHANNELS.map((one) => ({ ...one, appId, id: uuidv7() }));
  await orm.insert(alertChannels).values(channels);
  const wrong = [...(await providerAlerts(ctx)), ...(await webhookAlerts(ctx))];
  await orm
    .insert(alerts)
    .values(wrong.map((alert) => ({ appId, ...alert })))
    .onConflictDoNothing();
}

/** A domain that waits for its records, and own texts in a language that is written from right to left. */
export async function fillLanding(ctx: Context): Promise<string[]> {
  const { orm } = ctx.db;
  const appId = ctx.app.id;
  await orm.update(apps).set({ landingDomain: "invite.acme.com" }).where(eq(apps.id, appId));
  await orm.insert(landingTexts).values({ appId, language: "ar", key: "lead", text: "شهر مجاني لكما" });
  return [`/dashboard/apps/${appId}/settings/landing?lang=ar`];
}
