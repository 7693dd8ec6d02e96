import type { LandingMessages } from "@/lib/contract/landing-texts";

export const en: LandingMessages = {
  invited: "{inviter} invited you to {app}",
  invitedPlain: "You are invited to {app}",
  gift: "A promo code for you",
  lead: "Enter this metacode in the app and receive your promo code.",
  metacode: "Your metacode",
  copy: "Copy metacode",
  copied: "Copied",
  copyByHand: "Selected: copy it by hand",
  share: "Share",
  how: "How it works",
  step1: "Get {app}",
  step1Text:
    "{stores, select, both {From the App Store or Google Play.} ios {From the App Store.} android {From Google Play.} other {Search for it in your phone’s store.}}",
  step2: "Enter the metacode",
  step2Text: "Open the app and type {metacode} where it asks for one.",
  step3: "Redeem your promo code",
  step3Text: "The app gives you a code of your own and opens the store with it.",
  stores: "Get the app",
  appStore: "Download on the App Store",
  googlePlay: "Get it on Google Play",
  scan: "Scan to open this page on your phone",
  until: "Open until {date}",
  daysLeft: "{days, plural, one {# day left} other {# days left}}",
  pausedTitle: "This invitation to {app} is paused",
  pausedText:
    "No promo codes are available at the moment. Keep the link and try again later, or ask the person who sent it.",
  endedTitle: "This invitation to {app} has ended",
  endedText: "No more promo codes come from it. Ask the person who sent it for a new one.",
  unknown: "This link leads to no invitation",
  unknownText: "There may be a letter missing. Check the link, or ask the person who sent it for a new one.",
  unavailable: "Back in a moment",
  unavailableText:
    "The invitation cannot be shown right now. Nothing is lost: try the same link again shortly.",
  description: "Get {app}, enter the metacode {metacode} and receive your promo code.",
  language: "Language",
};
