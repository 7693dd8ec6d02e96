import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { type Channel, channelSubject } from "@/lib/alerts/channel";
import { isTaken, postMessage } from "@/lib/alerts/post";
import { recordAudit } from "@/lib/audit/record";
import type { Db } from "@/lib/db/client";
import { alertChannels, apps } from "@/lib/db/schema";

/** The name of the job that posts one alert to one chat. */
export const SEND_ALERT = "send_alert";

/** What the job carries: no address, which is a secret and may have been taken away meanwhile. */
const job = z.object({
  appId: z.uuid(),
  channelId: z.uuid(),
  message: z.object({ title: z.string(), detail: z.string(), url: z.string() }),
});

export type AlertJob = z.output<typeof job>;

/** The other end says that this address will never work again. */
const GONE = [404, 410];

/**
 * Posts an alert to a channel that is still on. Throws where it was not taken, so that the queue tries again; an
 * address that is gone switches the channel off and says so.
 */
export async function sendToChannel(db: Db, payload: unknown): Promise<void> {
  const { appId, channelId, message } = job.parse(payload);
  const [found] = await db.orm
    .select({ channel: alertChannels, workspaceId: apps.workspaceId })
    .from(alertChannels)
    .innerJoin(apps, eq(apps.id, alertChannels.appId))
    .where(ofChannel(appId, channelId));
  if (!found?.channel.enabled) return;
  const answer = await postMessage(found.channel, message);
  if (isTaken(answer)) return;
  if (!GONE.includes(answer.status)) throw new Error(`the channel answered ${answer.status}`);
  await stop(db, found, answer.status);
}

const ofChannel = (appId: string, id: string) =>
  and(eq(alertChannels.appId, appId), eq(alertChannels.id, id));

async function stop(
  db: Db,
  { channel, workspaceId }: { channel: Channel; workspaceId: string },
  status: number,
) {
  const { appId, id } = channel;
  const stoppedBecause = `The other end answered ${status}: this address does not exist any more.`;
  const where = { app: { id: appId }, workspace: { id: workspaceId }, actor: { kind: "system" } } as const;
  await db.transaction(async (tx) => {
    await tx.orm.update(alertChannels).set({ enabled: false, stoppedBecause }).where(ofChannel(appId, id));
    const entry = { action: "alert_channel.disabled", ...channelSubject(channel), after: { status } };
    await recordAudit(tx, where, entry);
  });
}
