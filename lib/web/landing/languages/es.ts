import type { LandingMessages } from "@/lib/contract/landing-texts";

export const es: LandingMessages = {
  invited: "{inviter} te invita a {app}",
  invitedPlain: "Te han invitado a {app}",
  gift: "Un código promocional para ti",
  lead: "Introduce este metacode en la app y recibe tu código promocional.",
  metacode: "Tu metacode",
  copy: "Copiar metacode",
  copied: "Copiado",
  copyByHand: "Seleccionado: cópialo a mano",
  share: "Compartir",
  how: "Cómo funciona",
  step1: "Consigue {app}",
  step1Text:
    "{stores, select, both {En el App Store o en Google Play.} ios {En el App Store.} android {En Google Play.} other {Búscala en la tienda de tu teléfono.}}",
  step2: "Introduce el metacode",
  step2Text: "Abre la app y escribe {metacode} donde te lo pida.",
  step3: "Canjea tu código promocional",
  step3Text: "La app te da un código propio y abre la tienda con él.",
  stores: "Consigue la app",
  appStore: "Descárgala en el App Store",
  googlePlay: "Disponible en Google Play",
  scan: "Escanea para abrir esta página en tu teléfono",
  until: "Disponible hasta el {date}",
  daysLeft: "{days, plural, one {queda # día} many {quedan # de días} other {quedan # días}}",
  pausedTitle: "Esta invitación a {app} está en pausa",
  pausedText:
    "Ahora mismo no da códigos promocionales. Guarda el enlace y prueba más tarde, o pregunta a quien te lo envió.",
  endedTitle: "Esta invitación a {app} ha terminado",
  endedText: "Ya no da códigos promocionales. Pregunta a quien te la envió si hay una nueva.",
  unknown: "Este enlace no lleva a ninguna invitación",
  unknownText: "Quizá falte una letra. Revisa el enlace o pide uno nuevo a quien te lo envió.",
  unavailable: "Volvemos enseguida",
  unavailableText:
    "La invitación no se puede mostrar en este momento. No se ha perdido nada: prueba el mismo enlace dentro de poco.",
  description: "Consigue {app}, introduce el metacode {metacode} y recibe tu código promocional.",
  language: "Idioma",
};
