import type { LandingMessages } from "@/lib/contract/landing-texts";

export const de: LandingMessages = {
  invited: "{inviter} lädt dich zu {app} ein",
  invitedPlain: "Du bist zu {app} eingeladen",
  gift: "Ein Promocode für dich",
  lead: "Gib diesen Metacode in der App ein und erhalte deinen Promocode.",
  metacode: "Dein Metacode",
  copy: "Metacode kopieren",
  copied: "Kopiert",
  copyByHand: "Markiert: bitte von Hand kopieren",
  share: "Teilen",
  how: "So geht’s",
  step1: "{app} holen",
  step1Text:
    "{stores, select, both {Aus dem App Store oder von Google Play.} ios {Aus dem App Store.} android {Von Google Play.} other {Suche sie im Store deines Smartphones.}}",
  step2: "Metacode eingeben",
  step2Text: "Öffne die App und gib {metacode} ein, wo sie danach fragt.",
  step3: "Promocode einlösen",
  step3Text: "Die App gibt dir einen eigenen Code und öffnet damit den Store.",
  stores: "App holen",
  appStore: "Laden im App Store",
  googlePlay: "Jetzt bei Google Play",
  scan: "Scannen, um diese Seite auf dem Smartphone zu öffnen",
  until: "Offen bis {date}",
  daysLeft: "{days, plural, one {noch # Tag} other {noch # Tage}}",
  pausedTitle: "Diese Einladung zu {app} pausiert",
  pausedText:
    "Zurzeit gibt es hier keine Promocodes. Heb den Link auf und versuch es später noch einmal, oder frag die Person, die ihn geschickt hat.",
  endedTitle: "Diese Einladung zu {app} ist beendet",
  endedText:
    "Hier gibt es keine Promocodes mehr. Frag die Person, die den Link geschickt hat, ob es einen neuen gibt.",
  unknown: "Dieser Link führt zu keiner Einladung",
  unknownText:
    "Vielleicht fehlt ein Buchstabe. Prüfe den Link oder bitte die Person, die ihn geschickt hat, um einen neuen.",
  unavailable: "Gleich wieder da",
  unavailableText:
    "Die Einladung lässt sich gerade nicht anzeigen. Nichts ist verloren: Versuch es gleich noch einmal mit demselben Link.",
  description: "Hol dir {app}, gib den Metacode {metacode} ein und erhalte deinen Promocode.",
  language: "Sprache",
};
