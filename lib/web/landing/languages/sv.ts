import type { LandingMessages } from "@/lib/contract/landing-texts";

export const sv: LandingMessages = {
  invited: "{inviter} har bjudit in dig till {app}",
  invitedPlain: "Du är inbjuden till {app}",
  gift: "En kampanjkod till dig",
  lead: "Ange den här metacoden i appen och få din kampanjkod.",
  metacode: "Din metacode",
  copy: "Kopiera metacoden",
  copied: "Kopierad",
  copyByHand: "Markerad: kopiera den för hand",
  share: "Dela",
  how: "Så fungerar det",
  step1: "Hämta {app}",
  step1Text:
    "{stores, select, both {Från App Store eller Google Play.} ios {Från App Store.} android {Från Google Play.} other {Sök efter den i telefonens appbutik.}}",
  step2: "Ange metacoden",
  step2Text: "Öppna appen och skriv {metacode} där den frågar efter den.",
  step3: "Lös in din kampanjkod",
  step3Text: "Appen ger dig en egen kod och öppnar butiken med den.",
  stores: "Hämta appen",
  appStore: "Hämta i App Store",
  googlePlay: "Ladda ned på Google Play",
  scan: "Skanna för att öppna sidan i telefonen",
  until: "Öppen till och med {date}",
  daysLeft: "{days, plural, one {# dag kvar} other {# dagar kvar}}",
  pausedTitle: "Den här inbjudan till {app} är pausad",
  pausedText:
    "Just nu delas inga kampanjkoder ut här. Spara länken och försök igen senare, eller fråga den som skickade den.",
  endedTitle: "Den här inbjudan till {app} har avslutats",
  endedText: "Här delas inte längre ut några kampanjkoder. Fråga den som skickade den om det finns en ny.",
  unknown: "Länken leder inte till någon inbjudan",
  unknownText: "Det kan saknas en bokstav. Kontrollera länken eller be den som skickade den om en ny.",
  unavailable: "Strax tillbaka",
  unavailableText:
    "Inbjudan kan inte visas just nu. Inget har gått förlorat: försök igen med samma länk om en liten stund.",
  description: "Hämta {app}, ange metacoden {metacode} och få din kampanjkod.",
  language: "Språk",
};
