import type { LandingMessages } from "@/lib/contract/landing-texts";

export const tr: LandingMessages = {
  invited: "{inviter} sizi {app} uygulamasına davet etti",
  invitedPlain: "{app} uygulamasına davetlisiniz",
  gift: "Size özel bir promosyon kodu",
  lead: "Bu metacode’u uygulamaya girin ve promosyon kodunuzu alın.",
  metacode: "Metacode’unuz",
  copy: "Metacode’u kopyala",
  copied: "Kopyalandı",
  copyByHand: "Seçildi: elle kopyalayın",
  share: "Paylaş",
  how: "Nasıl çalışır?",
  step1: "{app} uygulamasını edinin",
  step1Text:
    "{stores, select, both {App Store veya Google Play’den.} ios {App Store’dan.} android {Google Play’den.} other {Telefonunuzun mağazasında arayın.}}",
  step2: "Metacode’u girin",
  step2Text: "Uygulamayı açın ve istendiği yere {metacode} yazın.",
  step3: "Promosyon kodunuzu kullanın",
  step3Text: "Uygulama size özel bir kod verir ve mağazayı bu kodla açar.",
  stores: "Uygulamayı edinin",
  appStore: "App Store’dan indirin",
  googlePlay: "Google Play’den alın",
  scan: "Bu sayfayı telefonunuzda açmak için tarayın",
  until: "Son gün: {date}",
  daysLeft: "{days, plural, one {# gün kaldı} other {# gün kaldı}}",
  pausedTitle: "Bu {app} daveti duraklatıldı",
  pausedText:
    "Şu anda promosyon kodu vermiyor. Bağlantıyı saklayıp daha sonra deneyin veya size gönderen kişiye sorun.",
  endedTitle: "Bu {app} daveti sona erdi",
  endedText: "Artık promosyon kodu vermiyor. Size gönderen kişiye yenisi olup olmadığını sorun.",
  unknown: "Bu bağlantı bir davete gitmiyor",
  unknownText:
    "Bir harf eksik olabilir. Bağlantıyı kontrol edin veya size gönderen kişiden yenisini isteyin.",
  unavailable: "Hemen döneceğiz",
  unavailableText:
    "Davet şu anda gösterilemiyor. Hiçbir şey kaybolmadı: aynı bağlantıyı biraz sonra yeniden deneyin.",
  description: "{app} uygulamasını edinin, {metacode} metacode’unu girin ve promosyon kodunuzu alın.",
  language: "Dil",
};
