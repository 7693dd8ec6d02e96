import type { LandingMessages } from "@/lib/contract/landing-texts";

export const id: LandingMessages = {
  invited: "{inviter} mengundang Anda ke {app}",
  invitedPlain: "Anda diundang ke {app}",
  gift: "Kode promo untuk Anda",
  lead: "Masukkan metacode ini di aplikasi dan dapatkan kode promo Anda.",
  metacode: "Metacode Anda",
  copy: "Salin metacode",
  copied: "Tersalin",
  copyByHand: "Terpilih: salin secara manual",
  share: "Bagikan",
  how: "Cara kerjanya",
  step1: "Dapatkan {app}",
  step1Text:
    "{stores, select, both {Dari App Store atau Google Play.} ios {Dari App Store.} android {Dari Google Play.} other {Cari di toko aplikasi ponsel Anda.}}",
  step2: "Masukkan metacode",
  step2Text: "Buka aplikasi dan ketik {metacode} saat diminta.",
  step3: "Tukarkan kode promo Anda",
  step3Text: "Aplikasi memberi Anda kode khusus dan membuka toko dengan kode itu.",
  stores: "Dapatkan aplikasi",
  appStore: "Unduh di App Store",
  googlePlay: "Dapatkan di Google Play",
  scan: "Pindai untuk membuka halaman ini di ponsel",
  until: "Berlaku sampai {date}",
  daysLeft: "{days, plural, other {tersisa # hari}}",
  pausedTitle: "Undangan ke {app} ini sedang dijeda",
  pausedText:
    "Saat ini undangan ini tidak membagikan kode promo. Simpan tautannya dan coba lagi nanti, atau tanyakan kepada pengirimnya.",
  endedTitle: "Undangan ke {app} ini telah berakhir",
  endedText:
    "Undangan ini tidak lagi membagikan kode promo. Tanyakan kepada pengirimnya apakah ada yang baru.",
  unknown: "Tautan ini tidak menuju undangan apa pun",
  unknownText: "Mungkin ada huruf yang kurang. Periksa tautannya, atau minta yang baru kepada pengirimnya.",
  unavailable: "Segera kembali",
  unavailableText:
    "Undangan tidak dapat ditampilkan saat ini. Tidak ada yang hilang: coba lagi tautan yang sama sebentar lagi.",
  description: "Dapatkan {app}, masukkan metacode {metacode}, dan terima kode promo Anda.",
  language: "Bahasa",
};
