import type { LandingMessages } from "@/lib/contract/landing-texts";

export const da: LandingMessages = {
  invited: "{inviter} har inviteret dig til {app}",
  invitedPlain: "Du er inviteret til {app}",
  gift: "En kampagnekode til dig",
  lead: "Indtast denne metacode i appen, og få din kampagnekode.",
  metacode: "Din metacode",
  copy: "Kopiér metacode",
  copied: "Kopieret",
  copyByHand: "Markeret: kopiér den i hånden",
  share: "Del",
  how: "Sådan gør du",
  step1: "Hent {app}",
  step1Text:
    "{stores, select, both {Fra App Store eller Google Play.} ios {Fra App Store.} android {Fra Google Play.} other {Søg efter den i telefonens appbutik.}}",
  step2: "Indtast metacoden",
  step2Text: "Åbn appen, og skriv {metacode} der, hvor den beder om den.",
  step3: "Indløs din kampagnekode",
  step3Text: "Appen giver dig din egen kode og åbner butikken med den.",
  stores: "Hent appen",
  appStore: "Hent i App Store",
  googlePlay: "Nu på Google Play",
  scan: "Scan for at åbne siden på din telefon",
  until: "Åben til og med {date}",
  daysLeft: "{days, plural, one {# dag tilbage} other {# dage tilbage}}",
  pausedTitle: "Denne invitation til {app} er sat på pause",
  pausedText:
    "Den giver ingen kampagnekoder lige nu. Gem linket, og prøv igen senere, eller spørg den, der sendte det.",
  endedTitle: "Denne invitation til {app} er slut",
  endedText: "Den giver ikke længere kampagnekoder. Spørg den, der sendte den, om der er en ny.",
  unknown: "Dette link fører ikke til nogen invitation",
  unknownText: "Måske mangler der et bogstav. Tjek linket, eller bed den, der sendte det, om et nyt.",
  unavailable: "Tilbage om et øjeblik",
  unavailableText:
    "Invitationen kan ikke vises lige nu. Intet er gået tabt: prøv det samme link igen om lidt.",
  description: "Hent {app}, indtast metacoden {metacode}, og få din kampagnekode.",
  language: "Sprog",
};
