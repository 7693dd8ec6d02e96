import { channelSubject, getChannel } from "@/lib/alerts/channel";
import { isTaken, postMessage } from "@/lib/alerts/post";
import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import { fail } from "@/lib/errors";
import { pageAddress, sendMail } from "@/lib/mail/send";
import { OutsideError } from "@/lib/outside/failure";

/**
 * Sends a test at once and waits for the answer, so that whoever set the channel up sees what is wrong. Throws
 * NOT_FOUND, and CONFLICT with the reason in words where it was not taken.
 */
export async function testChannel(ctx: Context, channelId: string): Promise<void> {
  const channel = await getChannel(ctx, channelId);
  const message = {
    title: `${ctx.app.name}: this is a test`,
    detail: "Alerts of the app arrive here.",
    url: pageAddress(`/dashboard/apps/${ctx.app.id}/alerts`),
  };
  await recordAudit(ctx.db, ctx, { action: "alert_channel.tested", ...channelSubject(channel) });
  if (channel.type === "mail") {
    const text = `${message.detail}\n\n${message.url}`;
    return sendMail(ctx.db, { to: channel.target, subject: message.title, text });
  }
  const answer = await postMessage(channel, message).catch((error: unknown) => {
    if (error instanceof OutsideError) return fail("CONFLICT", error.message);
    throw error;
  });
  if (!isTaken(answer)) fail("CONFLICT", `The other end answered ${answer.status}`);
}
