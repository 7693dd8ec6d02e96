import type { LandingMessages } from "@/lib/contract/landing-texts";

export const it: LandingMessages = {
  invited: "{inviter} ti ha invitato su {app}",
  invitedPlain: "Hai ricevuto un invito per {app}",
  gift: "Un codice promozionale per te",
  lead: "Inserisci questo metacode nell’app e ricevi il tuo codice promozionale.",
  metacode: "Il tuo metacode",
  copy: "Copia il metacode",
  copied: "Copiato",
  copyByHand: "Selezionato: copialo a mano",
  share: "Condividi",
  how: "Come funziona",
  step1: "Scarica {app}",
  step1Text:
    "{stores, select, both {Dall’App Store o da Google Play.} ios {Dall’App Store.} android {Da Google Play.} other {Cercala nello store del tuo telefono.}}",
  step2: "Inserisci il metacode",
  step2Text: "Apri l’app e scrivi {metacode} dove lo chiede.",
  step3: "Riscatta il tuo codice promozionale",
  step3Text: "L’app ti dà un codice tutto tuo e apre lo store con quel codice.",
  stores: "Scarica l’app",
  appStore: "Scarica su App Store",
  googlePlay: "Disponibile su Google Play",
  scan: "Inquadra il codice per aprire questa pagina sul telefono",
  until: "Ultimo giorno: {date}",
  daysLeft: "{days, plural, one {manca # giorno} many {mancano # di giorni} other {mancano # giorni}}",
  pausedTitle: "Questo invito per {app} è in pausa",
  pausedText:
    "Al momento non dà codici promozionali. Conserva il link e riprova più tardi, oppure chiedi a chi te l’ha inviato.",
  endedTitle: "Questo invito per {app} è terminato",
  endedText: "Non dà più codici promozionali. Chiedi a chi te l’ha inviato se ce n’è uno nuovo.",
  unknown: "Questo link non porta a nessun invito",
  unknownText: "Forse manca una lettera. Controlla il link o chiedine uno nuovo a chi te l’ha inviato.",
  unavailable: "Torniamo subito",
  unavailableText:
    "L’invito non può essere mostrato in questo momento. Niente è andato perso: riprova tra poco con lo stesso link.",
  description: "Scarica {app}, inserisci il metacode {metacode} e ricevi il tuo codice promozionale.",
  language: "Lingua",
};
