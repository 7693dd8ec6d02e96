import type { ChannelType } from "@/lib/contract/alerts";

interface Words {
  name: string;
  /** What its address is called. */
  target: string;
  placeholder: string;
  hint: string;
}

/** What a person needs to add a channel. */
export const CHANNEL_WORDS: Record<ChannelType, Words> = {
  slack: {
    name: "Slack or a chat like it",
    target: "Incoming webhook",
    placeholder: "https://hooks.slack.com/services/…",
    hint: "In Slack: Apps, Incoming Webhooks, Add to a channel. Mattermost and Rocket.Chat have the same.",
  },
  discord: {
    name: "Discord",
    target: "Webhook URL",
    placeholder: "https://discord.com/api/webhooks/…",
    hint: "In Discord: the channel's settings, Integrations, Webhooks, New webhook.",
  },
  mail: {
    name: "Mail",
    target: "Address",
    placeholder: "oncall@example.com",
    hint: "Beside the owners and admins, who are written to anyway.",
  },
};
