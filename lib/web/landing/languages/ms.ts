import type { LandingMessages } from "@/lib/contract/landing-texts";

export const ms: LandingMessages = {
  invited: "{inviter} menjemput anda ke {app}",
  invitedPlain: "Anda dijemput ke {app}",
  gift: "Kod promosi untuk anda",
  lead: "Masukkan metacode ini dalam apl dan terima kod promosi anda.",
  metacode: "Metacode anda",
  copy: "Salin metacode",
  copied: "Disalin",
  copyByHand: "Dipilih: salin secara manual",
  share: "Kongsi",
  how: "Cara ia berfungsi",
  step1: "Dapatkan {app}",
  step1Text:
    "{stores, select, both {Daripada App Store atau Google Play.} ios {Daripada App Store.} android {Daripada Google Play.} other {Cari dalam gedung aplikasi telefon anda.}}",
  step2: "Masukkan metacode",
  step2Text: "Buka apl dan taip {metacode} di tempat yang diminta.",
  step3: "Tebus kod promosi anda",
  step3Text: "Apl memberi anda kod sendiri dan membuka gedung aplikasi dengannya.",
  stores: "Dapatkan apl",
  appStore: "Muat turun di App Store",
  googlePlay: "Dapatkannya di Google Play",
  scan: "Imbas untuk membuka halaman ini pada telefon anda",
  until: "Sah hingga {date}",
  daysLeft: "{days, plural, other {tinggal # hari}}",
  pausedTitle: "Jemputan ke {app} ini dijeda",
  pausedText:
    "Buat masa ini tiada kod promosi diberikan. Simpan pautan ini dan cuba lagi nanti, atau tanya orang yang menghantarnya.",
  endedTitle: "Jemputan ke {app} ini telah tamat",
  endedText:
    "Kod promosi tidak lagi diberikan. Tanya orang yang menghantarnya sama ada terdapat jemputan baharu.",
  unknown: "Pautan ini tidak menuju ke mana-mana jemputan",
  unknownText:
    "Mungkin ada huruf yang tertinggal. Semak pautan, atau minta yang baharu daripada orang yang menghantarnya.",
  unavailable: "Sebentar lagi kami kembali",
  unavailableText:
    "Jemputan tidak dapat dipaparkan sekarang. Tiada apa-apa yang hilang: cuba pautan yang sama sebentar lagi.",
  description: "Dapatkan {app}, masukkan metacode {metacode} dan terima kod promosi anda.",
  language: "Bahasa",
};
