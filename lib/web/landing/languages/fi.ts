import type { LandingMessages } from "@/lib/contract/landing-texts";

export const fi: LandingMessages = {
  invited: "{inviter} kutsui sinut sovellukseen {app}",
  invitedPlain: "Sinut on kutsuttu sovellukseen {app}",
  gift: "Tarjouskoodi sinulle",
  lead: "Syötä tämä metacode sovellukseen ja saat oman tarjouskoodin.",
  metacode: "Sinun metacodesi",
  copy: "Kopioi metacode",
  copied: "Kopioitu",
  copyByHand: "Valittu: kopioi käsin",
  share: "Jaa",
  how: "Näin se toimii",
  step1: "Hanki {app}",
  step1Text:
    "{stores, select, both {App Storesta tai Google Playsta.} ios {App Storesta.} android {Google Playsta.} other {Etsi se puhelimesi sovelluskaupasta.}}",
  step2: "Syötä metacode",
  step2Text: "Avaa sovellus ja kirjoita {metacode}, kun sitä kysytään.",
  step3: "Lunasta tarjouskoodisi",
  step3Text: "Sovellus antaa sinulle oman koodin ja avaa kaupan sen kanssa.",
  stores: "Hanki sovellus",
  appStore: "Lataa App Storesta",
  googlePlay: "Lataa Google Playsta",
  scan: "Skannaa, niin sivu avautuu puhelimessasi",
  until: "Voimassa {date} asti",
  daysLeft: "{days, plural, one {# päivä jäljellä} other {# päivää jäljellä}}",
  pausedTitle: "Kutsu sovellukseen {app} on keskeytetty",
  pausedText:
    "Tarjouskoodeja ei jaeta juuri nyt. Säilytä linkki ja yritä myöhemmin uudelleen, tai kysy sen lähettäjältä.",
  endedTitle: "Kutsu sovellukseen {app} on päättynyt",
  endedText: "Tarjouskoodeja ei enää jaeta. Kysy lähettäjältä, onko uutta kutsua.",
  unknown: "Tämä linkki ei johda kutsuun",
  unknownText: "Ehkä siitä puuttuu kirjain. Tarkista linkki tai pyydä lähettäjältä uusi.",
  unavailable: "Hetki vain",
  unavailableText:
    "Kutsua ei voi näyttää juuri nyt. Mitään ei ole kadonnut: kokeile samaa linkkiä hetken kuluttua.",
  description: "Hanki {app}, syötä metacode {metacode} ja saat oman tarjouskoodin.",
  language: "Kieli",
};
