import type { LandingMessages } from "@/lib/contract/landing-texts";

export const fr: LandingMessages = {
  invited: "{inviter} vous invite à rejoindre {app}",
  invitedPlain: "Vous avez reçu une invitation pour {app}",
  gift: "Un code promo pour vous",
  lead: "Saisissez ce metacode dans l’app et recevez votre code promo.",
  metacode: "Votre metacode",
  copy: "Copier le metacode",
  copied: "Copié",
  copyByHand: "Sélectionné : copiez-le à la main",
  share: "Partager",
  how: "Comment ça marche",
  step1: "Installez {app}",
  step1Text:
    "{stores, select, both {Depuis l’App Store ou Google Play.} ios {Depuis l’App Store.} android {Depuis Google Play.} other {Cherchez-la dans la boutique de votre téléphone.}}",
  step2: "Saisissez le metacode",
  step2Text: "Ouvrez l’app et saisissez {metacode} là où elle le demande.",
  step3: "Utilisez votre code promo",
  step3Text: "L’app vous donne un code personnel et ouvre la boutique avec ce code.",
  stores: "Obtenir l’app",
  appStore: "Télécharger dans l’App Store",
  googlePlay: "Disponible sur Google Play",
  scan: "Scannez pour ouvrir cette page sur votre téléphone",
  until: "Valable jusqu’au {date}",
  daysLeft: "{days, plural, one {encore # jour} many {encore # de jours} other {encore # jours}}",
  pausedTitle: "Cette invitation pour {app} est en pause",
  pausedText:
    "Elle ne donne pas de codes promo pour le moment. Gardez le lien et réessayez plus tard, ou demandez à la personne qui vous l’a envoyé.",
  endedTitle: "Cette invitation pour {app} est terminée",
  endedText:
    "Elle ne donne plus de codes promo. Demandez à la personne qui vous l’a envoyée s’il y en a une nouvelle.",
  unknown: "Ce lien ne mène à aucune invitation",
  unknownText:
    "Il manque peut-être une lettre. Vérifiez le lien, ou demandez-en un nouveau à la personne qui vous l’a envoyé.",
  unavailable: "De retour dans un instant",
  unavailableText:
    "L’invitation ne peut pas être affichée pour le moment. Rien n’est perdu : réessayez bientôt avec le même lien.",
  description: "Installez {app}, saisissez le metacode {metacode} et recevez votre code promo.",
  language: "Langue",
};
