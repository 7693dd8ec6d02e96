import type { ApiMessages } from "@/lib/contract/api-texts";

/** The texts of the API in the languages of northern and western Europe, and Romanian. */
export const NORTHERN_AND_WESTERN = {
  da: {
    redeemIos:
      "Åbn linket, eller gå til App Store, tryk på dit profilbillede, vælg at indløse et gavekort eller en kode, og indtast koden.",
    redeemAndroid:
      "Åbn linket, eller gå til Google Play, tryk på dit profilbillede, vælg Betalinger og abonnementer og derefter Indløs kode, og indtast koden.",
    redeemInApp:
      "Åbn appen, start abonnementet, tryk på betalingsmetoden, vælg Indløs kode, og indtast koden. Denne kode kan ikke indløses via et link.",
    referredBy: "{inviter} har inviteret dig",
    claimed:
      "{claimed, plural, one {# belønning er hentet} other {# belønninger er hentet}}{waiting, plural, =0 {} one {, # mere venter på koder} other {, # flere venter på koder}}",
  },
  de: {
    redeemIos:
      "Öffne den Link, oder tippe im App Store auf dein Profilbild, wähle „Geschenkkarte oder Code einlösen“ und gib den Code ein.",
    redeemAndroid:
      "Öffne den Link, oder tippe in Google Play auf dein Profilbild, wähle „Zahlungen & Abos“, dann „Code einlösen“ und gib den Code ein.",
    redeemInApp:
      "Öffne die App, starte das Abo, tippe auf die Zahlungsmethode, wähle „Code einlösen“ und gib den Code ein. Dieser Code lässt sich nicht über einen Link einlösen.",
    referredBy: "{inviter} hat dich eingeladen",
    claimed:
      "{claimed, plural, one {# Prämie abgeholt} other {# Prämien abgeholt}}{waiting, plural, =0 {} one {, # weitere wartet auf Codes} other {, # weitere warten auf Codes}}",
  },
  en: {
    redeemIos:
      "Open the link, or go to the App Store, tap your profile picture, choose Redeem Gift Card or Code and enter the code.",
    redeemAndroid:
      "Open the link, or go to Google Play, tap your profile picture, choose Payments & subscriptions, then Redeem code, and enter the code.",
    redeemInApp:
      "Open the app, start the subscription, tap the payment method, choose Redeem code and enter the code. You cannot redeem this code through a link.",
    referredBy: "You were referred by {inviter}",
    claimed:
      "Successfully claimed {claimed, plural, one {# reward} other {# rewards}}{waiting, plural, =0 {} one {, # more is waiting for a code} other {, # more are waiting for codes}}",
  },
  es: {
    redeemIos:
      "Abre el enlace, o ve al App Store, toca tu foto de perfil, elige canjear una tarjeta de regalo o un código e introduce el código.",
    redeemAndroid:
      "Abre el enlace, o ve a Google Play, toca tu foto de perfil, elige Pagos y suscripciones, luego Canjear código, e introduce el código.",
    redeemInApp:
      "Abre la app, inicia la suscripción, toca el método de pago, elige Canjear código e introduce el código. Este código no se puede canjear con un enlace.",
    referredBy: "{inviter} te ha invitado",
    claimed:
      "{claimed, plural, one {Has obtenido # recompensa} many {Has obtenido # de recompensas} other {Has obtenido # recompensas}}{waiting, plural, =0 {} one {, # más espera códigos} many {, # más esperan códigos} other {, # más esperan códigos}}",
  },
  fr: {
    redeemIos:
      "Ouvrez le lien, ou allez dans l’App Store, touchez votre photo de profil, choisissez d’utiliser une carte cadeau ou un code et saisissez le code.",
    redeemAndroid:
      "Ouvrez le lien, ou allez dans Google Play, appuyez sur votre photo de profil, choisissez Paiements et abonnements, puis Utiliser un code, et saisissez le code.",
    redeemInApp:
      "Ouvrez l’app, commencez l’abonnement, appuyez sur le mode de paiement, choisissez Utiliser un code et saisissez le code. Ce code ne peut pas être utilisé avec un lien.",
    referredBy: "{inviter} vous a recommandé l’app",
    claimed:
      "{claimed, plural, one {Vous avez récupéré # récompense} many {Vous avez récupéré # de récompenses} other {Vous avez récupéré # récompenses}}{waiting, plural, =0 {} one {, # autre attend des codes} many {, # d’autres attendent des codes} other {, # autres attendent des codes}}",
  },
  it: {
    redeemIos:
      "Apri il link, oppure vai sull’App Store, tocca la tua foto del profilo, scegli di utilizzare una carta regalo o un codice e inserisci il codice.",
    redeemAndroid:
      "Apri il link, oppure vai su Google Play, tocca la tua foto del profilo, scegli Pagamenti e abbonamenti, poi Utilizza codice, e inserisci il codice.",
    redeemInApp:
      "Apri l’app, avvia l’abbonamento, tocca il metodo di pagamento, scegli Utilizza codice e inserisci il codice. Questo codice non si può riscattare con un link.",
    referredBy: "Hai ricevuto un invito da {inviter}",
    claimed:
      "{claimed, plural, one {Hai riscosso # premio} many {Hai riscosso # di premi} other {Hai riscosso # premi}}{waiting, plural, =0 {} one {, # altro attende i codici} many {, # di altri attendono i codici} other {, altri # attendono i codici}}",
  },
  nb: {
    redeemIos:
      "Åpne lenken, eller gå til App Store, trykk på profilbildet ditt, velg å løse inn et gavekort eller en kode, og skriv inn koden.",
    redeemAndroid:
      "Åpne lenken, eller gå til Google Play, trykk på profilbildet ditt, velg Betalinger og abonnementer og deretter Løs inn kode, og skriv inn koden.",
    redeemInApp:
      "Åpne appen, start abonnementet, trykk på betalingsmåten, velg Løs inn kode, og skriv inn koden. Denne koden kan ikke løses inn med en lenke.",
    referredBy: "{inviter} har invitert deg",
    claimed:
      "{claimed, plural, one {# belønning er hentet} other {# belønninger er hentet}}{waiting, plural, =0 {} one {, # til venter på koder} other {, # til venter på koder}}",
  },
  nl: {
    redeemIos:
      "Open de link, of ga naar de App Store, tik op je profielfoto, kies voor het inwisselen van een cadeaukaart of code en voer de code in.",
    redeemAndroid:
      "Open de link, of ga naar Google Play, tik op je profielfoto, kies Betalingen en abonnementen, daarna Code inwisselen, en voer de code in.",
    redeemInApp:
      "Open de app, start het abonnement, tik op de betaalmethode, kies Code inwisselen en voer de code in. Deze code kan niet via een link worden ingewisseld.",
    referredBy: "{inviter} heeft je uitgenodigd",
    claimed:
      "{claimed, plural, one {# beloning opgehaald} other {# beloningen opgehaald}}{waiting, plural, =0 {} one {, nog # wacht op codes} other {, nog # wachten op codes}}",
  },
  "pt-BR": {
    redeemIos:
      "Abra o link ou acesse a App Store, toque na sua foto de perfil, escolha resgatar um cartão-presente ou código e digite o código.",
    redeemAndroid:
      "Abra o link ou acesse o Google Play, toque na sua foto de perfil, escolha Pagamentos e assinaturas, depois Resgatar código, e digite o código.",
    redeemInApp:
      "Abra o app, inicie a assinatura, toque na forma de pagamento, escolha Resgatar código e digite o código. Este código não pode ser resgatado por um link.",
    referredBy: "{inviter} convidou você",
    claimed:
      "{claimed, plural, one {Você resgatou # recompensa} many {Você resgatou # de recompensas} other {Você resgatou # recompensas}}{waiting, plural, =0 {} one {, mais # aguarda códigos} many {, mais # aguardam códigos} other {, mais # aguardam códigos}}",
  },
  "pt-PT": {
    redeemIos:
      "Abra a ligação ou aceda à App Store, toque na sua fotografia de perfil, escolha resgatar um cartão de oferta ou código e introduza o código.",
    redeemAndroid:
      "Abra a ligação ou aceda ao Google Play, toque na sua fotografia de perfil, escolha Pagamentos e subscrições, depois Resgatar código, e introduza o código.",
    redeemInApp:
      "Abra a app, inicie a subscrição, toque no método de pagamento, escolha Resgatar código e introduza o código. Este código não pode ser resgatado através de uma ligação.",
    referredBy: "Recebeu um convite de {inviter}",
    claimed:
      "{claimed, plural, one {Resgatou # recompensa} many {Resgatou # de recompensas} other {Resgatou # recompensas}}{waiting, plural, =0 {} one {, mais # aguarda códigos} many {, mais # aguardam códigos} other {, mais # aguardam códigos}}",
  },
  ro: {
    redeemIos:
      "Deschide linkul sau mergi în App Store, atinge fotografia de profil, alege folosirea unui card cadou sau a unui cod și introdu codul.",
    redeemAndroid:
      "Deschide linkul sau mergi în Google Play, atinge fotografia de profil, alege Plăți și abonamente, apoi Folosește codul, și introdu codul.",
    redeemInApp:
      "Deschide aplicația, pornește abonamentul, atinge metoda de plată, alege Folosește codul și introdu codul. Acest cod nu poate fi folosit printr-un link.",
    referredBy: "{inviter} te-a invitat",
    claimed:
      "{claimed, plural, one {Ai primit # recompensă} few {Ai primit # recompense} other {Ai primit # de recompense}}{waiting, plural, =0 {} one {, încă # așteaptă coduri} few {, încă # așteaptă coduri} other {, încă # așteaptă coduri}}",
  },
  sv: {
    redeemIos:
      "Öppna länken, eller gå till App Store, tryck på din profilbild, välj att lösa in ett presentkort eller en kod och ange koden.",
    redeemAndroid:
      "Öppna länken, eller gå till Google Play, tryck på din profilbild, välj Betalningar och prenumerationer, sedan Lös in kod, och ange koden.",
    redeemInApp:
      "Öppna appen, starta prenumerationen, tryck på betalningsmetoden, välj Lös in kod och ange koden. Den här koden kan inte lösas in via en länk.",
    referredBy: "{inviter} har bjudit in dig",
    claimed:
      "{claimed, plural, one {# belöning har hämtats} other {# belöningar har hämtats}}{waiting, plural, =0 {} one {, # till väntar på koder} other {, # till väntar på koder}}",
  },
} satisfies Record<string, ApiMessages>;
