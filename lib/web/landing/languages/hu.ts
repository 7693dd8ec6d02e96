import type { LandingMessages } from "@/lib/contract/landing-texts";

export const hu: LandingMessages = {
  invited: "{inviter} meghívott ide: {app}",
  invitedPlain: "Meghívót kaptál ide: {app}",
  gift: "Egy promóciós kód neked",
  lead: "Írd be ezt a metacode-ot az alkalmazásba, és megkapod a promóciós kódodat.",
  metacode: "A te metacode-od",
  copy: "Metacode másolása",
  copied: "Másolva",
  copyByHand: "Kijelölve: másold ki kézzel",
  share: "Megosztás",
  how: "Így működik",
  step1: "Töltsd le: {app}",
  step1Text:
    "{stores, select, both {Az App Store-ból vagy a Google Playről.} ios {Az App Store-ból.} android {A Google Playről.} other {Keresd meg a telefonod áruházában.}}",
  step2: "Írd be a metacode-ot",
  step2Text: "Nyisd meg az alkalmazást, és írd be ezt, ahol kéri: {metacode}.",
  step3: "Váltsd be a promóciós kódodat",
  step3Text: "Az alkalmazás saját kódot ad neked, és azzal nyitja meg az áruházat.",
  stores: "Az alkalmazás letöltése",
  appStore: "Letöltés az App Store-ból",
  googlePlay: "Szerezd meg a Google Playen",
  scan: "Olvasd be, és az oldal megnyílik a telefonodon",
  until: "Érvényes eddig: {date}",
  daysLeft: "{days, plural, one {még # nap} other {még # nap}}",
  pausedTitle: "Ez a meghívó szünetel: {app}",
  pausedText:
    "Jelenleg nem ad promóciós kódot. Tartsd meg a linket, és próbáld később, vagy kérdezd meg attól, aki küldte.",
  endedTitle: "Ez a meghívó lejárt: {app}",
  endedText: "Már nem ad promóciós kódot. Kérdezd meg attól, aki küldte, hogy van-e új.",
  unknown: "Ez a link nem vezet meghívóhoz",
  unknownText: "Lehet, hogy hiányzik egy betű. Ellenőrizd a linket, vagy kérj újat attól, aki küldte.",
  unavailable: "Mindjárt visszajövünk",
  unavailableText:
    "A meghívó most nem jeleníthető meg. Semmi sem veszett el: próbáld újra ugyanezt a linket kicsit később.",
  description: "Töltsd le: {app}, írd be a {metacode} metacode-ot, és megkapod a promóciós kódodat.",
  language: "Nyelv",
};
