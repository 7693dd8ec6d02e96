import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { ALERT_KINDS } from "@/lib/contract/problems";
import { detect } from "@/lib/outward/problems/detect";
import { isAlerted } from "@/lib/outward/problems/problem";
import { alertChannels, alerts, apps, landingTexts } from "@/lib/platform/db/schema";
import type { Context } from "@/lib/tenants/context";

const SLACK = "https://hooks.slack.com/services/T00000000/B00000000/abcdefghijklmnop";
const DISCORD = "https://discord.com/api/webhooks/1234567890/abcdefghijklmnop";

/** A channel of every type; the Discord channel is disabled because its webhook was deleted. */
const CHANNELS: readonly Omit<typeof alertChannels.$inferInsert, "appId" | "id">[] = [
  { type: "slack", name: "#growth", target: SLACK, kinds: [...ALERT_KINDS] },
  {
    type: "discord",
    name: "",
    target: DISCORD,
    kinds: ["pool_low"],
    enabled: false,
    stoppedBecause: "The chat refused the alert. Its address may have been revoked.",
  },
  {
    type: "mail",
    name: "On call",
    target: "oncall@acme.com",
    kinds: ["webhook_failing", "provider_refused"],
  },
];

/** Channels, and an alert for each problem of the app, as the scheduled check stores it. */
export async function seedAlerts(ctx: Context): Promise<void> {
  const { orm } = ctx.db;
  const appId = ctx.app.id;
  const channels = CHANNELS.map((channel) => ({ ...channel, appId, id: uuidv7() }));
  await orm.insert(alertChannels).values(channels);
  const problems = (await detect(ctx)).filter(isAlerted);
  const rows = problems.map(({ kind, subject, title, detail, path }) => ({
    appId,
    kind,
    subject,
    title,
    detail,
    path,
  }));
  await orm.insert(alerts).values(rows).onConflictDoNothing();
}

/** A domain without its record, and custom texts in a language that is written from right to left. */
export async function seedLanding(ctx: Context): Promise<string[]> {
  const { orm } = ctx.db;
  const appId = ctx.app.id;
  await orm.update(apps).set({ landingDomain: "invite.acme.com" }).where(eq(apps.id, appId));
  await orm.insert(landingTexts).values({ appId, language: "ar", key: "lead", text: "شهر مجاني لكما" });
  return [`/dashboard/apps/${appId}/landing?lang=ar`];
}
