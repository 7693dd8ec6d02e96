import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { isTaken, postMessage } from "@/lib/alerts/post";
import type { Db } from "@/lib/db/client";
import { alertChannels } from "@/lib/db/schema";

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
  const own = and(eq(alertChannels.appId, appId), eq(alertChannels.id, channelId));
  const [channel] = await db.orm.select().from(alertChannels).where(own);
  if (!channel?.enabled) return;
  const answer = await postMessage(channel, message);
  if (isTaken(answer)) return;
  if (!GONE.includes(answer.status)) throw new Error(`the channel answered ${answer.status}`);
  const stoppedBecause = `The other end answered ${answer.status}: this address does not exist any more.`;
  await db.orm.update(alertChannels).set({ enabled: false, stoppedBecause }).where(own);
}
