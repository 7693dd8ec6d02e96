import type { LandingMessages } from "@/lib/contract/landing-texts";

export const sk: LandingMessages = {
  invited: "{inviter} vás pozýva do aplikácie {app}",
  invitedPlain: "Máte pozvánku do aplikácie {app}",
  gift: "Promo kód pre vás",
  lead: "Zadajte tento metacode v aplikácii a získajte svoj promo kód.",
  metacode: "Váš metacode",
  copy: "Kopírovať metacode",
  copied: "Skopírované",
  copyByHand: "Označené: skopírujte ručne",
  share: "Zdieľať",
  how: "Ako to funguje",
  step1: "Stiahnite si {app}",
  step1Text:
    "{stores, select, both {Z App Store alebo Google Play.} ios {Z App Store.} android {Z Google Play.} other {Vyhľadajte ju v obchode svojho telefónu.}}",
  step2: "Zadajte metacode",
  step2Text: "Otvorte aplikáciu a napíšte {metacode} tam, kde si ho vypýta.",
  step3: "Uplatnite svoj promo kód",
  step3Text: "Aplikácia vám dá vlastný kód a otvorí s ním obchod.",
  stores: "Stiahnuť aplikáciu",
  appStore: "Stiahnuť v App Store",
  googlePlay: "Získať na Google Play",
  scan: "Naskenujte a otvorte túto stránku v telefóne",
  until: "Platí do {date}",
  daysLeft:
    "{days, plural, one {zostáva # deň} few {zostávajú # dni} many {zostáva # dňa} other {zostáva # dní}}",
  pausedTitle: "Táto pozvánka do aplikácie {app} je pozastavená",
  pausedText:
    "Momentálne sa tu promo kódy nevydávajú. Odkaz si nechajte a skúste to neskôr, alebo sa opýtajte toho, kto vám ho poslal.",
  endedTitle: "Táto pozvánka do aplikácie {app} sa skončila",
  endedText: "Promo kódy sa tu už nevydávajú. Opýtajte sa toho, kto vám ju poslal, či má novú.",
  unknown: "Tento odkaz nevedie k žiadnej pozvánke",
  unknownText: "Možno chýba písmeno. Skontrolujte odkaz, alebo o nový požiadajte toho, kto vám ho poslal.",
  unavailable: "Hneď sme späť",
  unavailableText: "Pozvánku teraz nemožno zobraziť. Nič sa nestratilo: skúste ten istý odkaz o chvíľu.",
  description: "Stiahnite si {app}, zadajte metacode {metacode} a získajte svoj promo kód.",
  language: "Jazyk",
};
