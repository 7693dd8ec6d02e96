import { expect, test } from "vitest";
import { isPerson } from "@/lib/program/clicks/record-click";
import { DESKTOP_AGENT, IPHONE_AGENT, PIXEL_AGENT } from "@/lib/testing/user-agents";

const opens = (userAgent: string, more: Record<string, string> = {}) =>
  isPerson(new Headers({ "user-agent": userAgent, ...more }));

test.each([
  ["Safari on a phone", IPHONE_AGENT],
  ["Chrome on a phone", PIXEL_AGENT],
  ["a desktop browser", DESKTOP_AGENT],
  [
    "Firefox on a current Mac",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:132.0) Gecko/20100101 Firefox/132.0",
  ],
  [
    "Instagram's browser",
    `${IPHONE_AGENT.replace(/ Version.*$/, "")} Mobile/15E148 Instagram 357.0.0.25.98 (iPhone16,1; iOS 18_1)`,
  ],
  [
    "a phone with bot in its name",
    "Mozilla/5.0 (Linux; Android 9; CUBOT X19) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36",
  ],
])("%s is a person", (_, userAgent) => {
  expect(opens(userAgent)).toBe(true);
});

test.each([
  [
    "iMessage",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0",
  ],
  ["Facebook", "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)"],
  ["WhatsApp", "WhatsApp/2.21.12.21 A"],
  ["Telegram", "TelegramBot (like TwitterBot)"],
  ["Slack", "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)"],
  ["X", "Twitterbot/1.0"],
  ["Discord", "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)"],
  [
    "Discord's pictures",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.10; rv:38.0) Gecko/20100101 Firefox/38.0",
  ],
  ["curl", "curl/8.5.0"],
  ["nothing", ""],
])("%s is not a person", (_, userAgent) => {
  expect(opens(userAgent)).toBe(false);
});

test("a prefetch does not count as opening the page", () => {
  expect(opens(IPHONE_AGENT, { purpose: "prefetch" })).toBe(false);
  expect(opens(IPHONE_AGENT, { "sec-purpose": "prefetch;prerender" })).toBe(false);
  expect(opens(IPHONE_AGENT, { "x-moz": "prefetch" })).toBe(false);
});
