import type { LandingMessages } from "@/lib/contract/landing-texts";

export const ptBR: LandingMessages = {
  invited: "{inviter} convidou você para o {app}",
  invitedPlain: "Você recebeu um convite para o {app}",
  gift: "Um código promocional para você",
  lead: "Digite este metacode no app e receba seu código promocional.",
  metacode: "Seu metacode",
  copy: "Copiar metacode",
  copied: "Copiado",
  copyByHand: "Selecionado: copie manualmente",
  share: "Compartilhar",
  how: "Como funciona",
  step1: "Baixe o {app}",
  step1Text:
    "{stores, select, both {Na App Store ou no Google Play.} ios {Na App Store.} android {No Google Play.} other {Procure na loja do seu celular.}}",
  step2: "Digite o metacode",
  step2Text: "Abra o app e digite {metacode} onde ele pedir.",
  step3: "Resgate seu código promocional",
  step3Text: "O app dá a você um código só seu e abre a loja com ele.",
  stores: "Baixe o app",
  appStore: "Baixar na App Store",
  googlePlay: "Disponível no Google Play",
  scan: "Escaneie para abrir esta página no celular",
  until: "Disponível até {date}",
  daysLeft: "{days, plural, one {resta # dia} many {restam # de dias} other {restam # dias}}",
  pausedTitle: "Este convite para o {app} está pausado",
  pausedText:
    "No momento ele não dá códigos promocionais. Guarde o link e tente mais tarde, ou fale com quem o enviou.",
  endedTitle: "Este convite para o {app} terminou",
  endedText: "Ele não dá mais códigos promocionais. Pergunte a quem o enviou se há um novo.",
  unknown: "Este link não leva a nenhum convite",
  unknownText: "Talvez falte uma letra. Confira o link ou peça um novo a quem o enviou.",
  unavailable: "Voltamos já",
  unavailableText:
    "Não é possível mostrar o convite agora. Nada se perdeu: tente o mesmo link daqui a pouco.",
  description: "Baixe o {app}, digite o metacode {metacode} e receba seu código promocional.",
  language: "Idioma",
};
