import type { LandingMessages } from "@/lib/contract/landing-texts";

export const nb: LandingMessages = {
  invited: "{inviter} har invitert deg til {app}",
  invitedPlain: "Du er invitert til {app}",
  gift: "En kampanjekode til deg",
  lead: "Skriv inn denne metacoden i appen og få kampanjekoden din.",
  metacode: "Din metacode",
  copy: "Kopier metacoden",
  copied: "Kopiert",
  copyByHand: "Markert: kopier den for hånd",
  share: "Del",
  how: "Slik fungerer det",
  step1: "Hent {app}",
  step1Text:
    "{stores, select, both {Fra App Store eller Google Play.} ios {Fra App Store.} android {Fra Google Play.} other {Søk etter den i appbutikken på telefonen.}}",
  step2: "Skriv inn metacoden",
  step2Text: "Åpne appen og skriv {metacode} der den spør etter den.",
  step3: "Løs inn kampanjekoden",
  step3Text: "Appen gir deg en egen kode og åpner butikken med den.",
  stores: "Hent appen",
  appStore: "Last ned fra App Store",
  googlePlay: "Tilgjengelig på Google Play",
  scan: "Skann for å åpne siden på telefonen",
  until: "Åpen til og med {date}",
  daysLeft: "{days, plural, one {# dag igjen} other {# dager igjen}}",
  pausedTitle: "Denne invitasjonen til {app} er satt på pause",
  pausedText:
    "Den gir ingen kampanjekoder akkurat nå. Ta vare på lenken og prøv igjen senere, eller spør den som sendte den.",
  endedTitle: "Denne invitasjonen til {app} er avsluttet",
  endedText: "Den gir ikke kampanjekoder lenger. Spør den som sendte den om det finnes en ny.",
  unknown: "Denne lenken fører ikke til noen invitasjon",
  unknownText: "Kanskje mangler det en bokstav. Sjekk lenken, eller be den som sendte den om en ny.",
  unavailable: "Straks tilbake",
  unavailableText:
    "Invitasjonen kan ikke vises akkurat nå. Ingenting er tapt: prøv den samme lenken igjen om litt.",
  description: "Hent {app}, skriv inn metacoden {metacode} og få kampanjekoden din.",
  language: "Språk",
};
