import type { Channel } from "@/lib/alerts/channel";
import { type Message, messageBody } from "@/lib/alerts/message";
import { type OutsideAnswer, sendOutside } from "@/lib/outside/send";

/** Posts a message to a chat. Throws an `OutsideError` with words where nothing answers. */
export async function postMessage(
  { type, target }: Pick<Channel, "type" | "target">,
  message: Message,
): Promise<OutsideAnswer> {
  if (type === "mail") throw new Error("mail is not posted");
  const headers = { "content-type": "application/json", "user-agent": "Metacode-Alerts/1" };
  return sendOutside({ url: target, method: "POST", headers, body: messageBody(type, message) });
}

export const isTaken = ({ status }: OutsideAnswer): boolean => status >= 200 && status < 300;
