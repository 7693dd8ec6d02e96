import type { ChannelType } from "@/lib/contract/alerts";

/** Discord refuses longer texts. */
const MAX = 2_000;

/** Names that people chose shall neither format the text, lead elsewhere, nor call anybody. */
const forSlack = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const forDiscord = (text: string) => text.replace(/[\\`*_~|<>@#[\]()]/g, "\\$&");

/** What is to be said, as plain text. */
export interface Message {
  title: string;
  detail: string;
  /** A page of ours. */
  url: string;
}

/**
 * The body of a post to an incoming webhook. `slack`: `{text}`, which Mattermost and others take as well; `discord`:
 * `{content}` that mentions nobody. Sources: the two services' pages on incoming webhooks.
 */
export function messageBody(type: Exclude<ChannelType, "mail">, { title, detail, url }: Message): string {
  if (type === "slack")
    return JSON.stringify({ text: `*${forSlack(title)}*\n${forSlack(detail)}\n<${url}>` });
  const content = `**${forDiscord(title)}**\n${forDiscord(detail)}`.slice(0, MAX - url.length - 3);
  return JSON.stringify({ content: `${content}\n<${url}>`, allowed_mentions: { parse: [] } });
}
