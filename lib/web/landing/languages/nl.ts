import type { LandingMessages } from "@/lib/contract/landing-texts";

export const nl: LandingMessages = {
  invited: "{inviter} heeft je uitgenodigd voor {app}",
  invitedPlain: "Je bent uitgenodigd voor {app}",
  gift: "Een promocode voor jou",
  lead: "Voer deze metacode in de app in en ontvang je promocode.",
  metacode: "Jouw metacode",
  copy: "Metacode kopiëren",
  copied: "Gekopieerd",
  copyByHand: "Geselecteerd: kopieer hem met de hand",
  share: "Delen",
  how: "Zo werkt het",
  step1: "Download {app}",
  step1Text:
    "{stores, select, both {Uit de App Store of van Google Play.} ios {Uit de App Store.} android {Van Google Play.} other {Zoek de app in de winkel van je telefoon.}}",
  step2: "Voer de metacode in",
  step2Text: "Open de app en typ {metacode} waar erom gevraagd wordt.",
  step3: "Verzilver je promocode",
  step3Text: "De app geeft je een eigen code en opent daarmee de winkel.",
  stores: "Download de app",
  appStore: "Download in de App Store",
  googlePlay: "Ontdek het op Google Play",
  scan: "Scan om deze pagina op je telefoon te openen",
  until: "Geldig tot en met {date}",
  daysLeft: "{days, plural, one {nog # dag} other {nog # dagen}}",
  pausedTitle: "Deze uitnodiging voor {app} is gepauzeerd",
  pausedText:
    "Er zijn hier nu geen promocodes te krijgen. Bewaar de link en probeer het later opnieuw, of vraag het aan degene die hem stuurde.",
  endedTitle: "Deze uitnodiging voor {app} is afgelopen",
  endedText:
    "Er zijn hier geen promocodes meer te krijgen. Vraag degene die hem stuurde of er een nieuwe is.",
  unknown: "Deze link leidt niet naar een uitnodiging",
  unknownText:
    "Misschien ontbreekt er een letter. Controleer de link of vraag een nieuwe aan degene die hem stuurde.",
  unavailable: "Zo weer terug",
  unavailableText:
    "De uitnodiging kan nu niet worden getoond. Er is niets verloren: probeer dezelfde link straks opnieuw.",
  description: "Download {app}, voer de metacode {metacode} in en ontvang je promocode.",
  language: "Taal",
};
