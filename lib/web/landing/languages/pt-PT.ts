import type { LandingMessages } from "@/lib/contract/landing-texts";

export const ptPT: LandingMessages = {
  invited: "{inviter} enviou-lhe um convite para a app {app}",
  invitedPlain: "Recebeu um convite para a app {app}",
  gift: "Um código promocional para si",
  lead: "Introduza este metacode na app e receba o seu código promocional.",
  metacode: "O seu metacode",
  copy: "Copiar metacode",
  copied: "Copiado",
  copyByHand: "Selecionado: copie manualmente",
  share: "Partilhar",
  how: "Como funciona",
  step1: "Instale {app}",
  step1Text:
    "{stores, select, both {Na App Store ou no Google Play.} ios {Na App Store.} android {No Google Play.} other {Procure na loja do seu telemóvel.}}",
  step2: "Introduza o metacode",
  step2Text: "Abra a app e escreva {metacode} onde lhe for pedido.",
  step3: "Resgate o seu código promocional",
  step3Text: "A app dá-lhe um código próprio e abre a loja com ele.",
  stores: "Instalar a app",
  appStore: "Descarregar na App Store",
  googlePlay: "Disponível no Google Play",
  scan: "Leia o código para abrir esta página no telemóvel",
  until: "Disponível até {date}",
  daysLeft: "{days, plural, one {falta # dia} many {faltam # de dias} other {faltam # dias}}",
  pausedTitle: "Este convite para a app {app} está em pausa",
  pausedText:
    "De momento não dá códigos promocionais. Guarde a ligação e tente mais tarde, ou pergunte a quem a enviou.",
  endedTitle: "Este convite para a app {app} terminou",
  endedText: "Já não dá códigos promocionais. Pergunte a quem o enviou se existe um novo.",
  unknown: "Esta ligação não leva a nenhum convite",
  unknownText: "Talvez falte uma letra. Verifique a ligação ou peça uma nova a quem a enviou.",
  unavailable: "Voltamos já a seguir",
  unavailableText:
    "O convite não pode ser mostrado neste momento. Nada se perdeu: tente a mesma ligação dentro de instantes.",
  description: "Instale {app}, introduza o metacode {metacode} e receba o seu código promocional.",
  language: "Idioma",
};
