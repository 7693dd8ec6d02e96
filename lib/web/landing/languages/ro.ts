import type { LandingMessages } from "@/lib/contract/landing-texts";

export const ro: LandingMessages = {
  invited: "{inviter} te-a invitat în {app}",
  invitedPlain: "Ai primit o invitație în {app}",
  gift: "Un cod promoțional pentru tine",
  lead: "Introdu acest metacode în aplicație și primește codul tău promoțional.",
  metacode: "Metacode-ul tău",
  copy: "Copiază metacode-ul",
  copied: "Copiat",
  copyByHand: "Selectat: copiază-l manual",
  share: "Distribuie",
  how: "Cum funcționează",
  step1: "Descarcă {app}",
  step1Text:
    "{stores, select, both {Din App Store sau Google Play.} ios {Din App Store.} android {Din Google Play.} other {Caut-o în magazinul telefonului tău.}}",
  step2: "Introdu metacode-ul",
  step2Text: "Deschide aplicația și scrie {metacode} acolo unde ți se cere.",
  step3: "Folosește codul promoțional",
  step3Text: "Aplicația îți dă un cod doar al tău și deschide magazinul cu el.",
  stores: "Descarcă aplicația",
  appStore: "Descarcă din App Store",
  googlePlay: "Acum pe Google Play",
  scan: "Scanează pentru a deschide pagina pe telefon",
  until: "Valabil până la {date}",
  daysLeft: "{days, plural, one {a mai rămas # zi} few {au mai rămas # zile} other {au mai rămas # de zile}}",
  pausedTitle: "Această invitație în {app} este în pauză",
  pausedText:
    "Momentan nu oferă coduri promoționale. Păstrează linkul și încearcă mai târziu sau întreabă persoana care l-a trimis.",
  endedTitle: "Această invitație în {app} s-a încheiat",
  endedText: "Nu mai oferă coduri promoționale. Întreabă persoana care a trimis-o dacă există una nouă.",
  unknown: "Acest link nu duce la nicio invitație",
  unknownText: "Poate lipsește o literă. Verifică linkul sau cere unul nou persoanei care l-a trimis.",
  unavailable: "Revenim imediat",
  unavailableText:
    "Invitația nu poate fi afișată acum. Nu s-a pierdut nimic: încearcă același link peste puțin timp.",
  description: "Descarcă {app}, introdu metacode-ul {metacode} și primește codul tău promoțional.",
  language: "Limba",
};
