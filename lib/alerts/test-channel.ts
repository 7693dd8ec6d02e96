import { channelSubject, getChannel } from "@/lib/alerts/channel";
import type { Message } from "@/lib/alerts/message";
import { isTaken, postMessage } from "@/lib/alerts/post";
import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import { fail } from "@/lib/errors";
import { limits } from "@/lib/limits/limits";
import { pageAddress, sendMail } from "@/lib/mail/send";
import { OutsideError } from "@/lib/outside/failure";

/** The mailbox is anybody's: nobody shall get letters for as long as somebody clicks. */
async function mailTest(ctx: Context, to: string, { title, detail, url }: Message): Promise<void> {
  const { allowed } = await limits().stockMail(`${ctx.app.id}|test`, to);
  if (!allowed) fail("CONFLICT", "This mailbox got its tests of today. Try again tomorrow");
  await sendMail(ctx.db, { to, subject: title, text: `${detail}\n\n${url}` });
}

/**
 * Sends a test at once and waits for the answer, so that whoever set the channel up sees what is wrong. Throws
 * NOT_FOUND, and CONFLICT with the reason in words where it was not taken, or went to a mailbox five times in a day.
 */
export async function testChannel(ctx: Context, channelId: string): Promise<void> {
  const channel = await getChannel(ctx, channelId);
  const message = {
    title: `${ctx.app.name}: this is a test`,
    detail: "Alerts of the app arrive here.",
    url: pageAddress(`/dashboard/apps/${ctx.app.id}/alerts`),
  };
  await recordAudit(ctx.db, ctx, { action: "alert_channel.tested", ...channelSubject(channel) });
  if (channel.type === "mail") return mailTest(ctx, channel.target, message);
  const answer = await postMessage(channel, message).catch((error: unknown) => {
    if (error instanceof OutsideError) return fail("CONFLICT", error.message);
    throw error;
  });
  if (!isTaken(answer)) fail("CONFLICT", `The other end answered ${answer.status}`);
}
