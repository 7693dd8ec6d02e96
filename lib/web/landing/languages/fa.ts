import type { LandingMessages } from "@/lib/contract/landing-texts";

export const fa: LandingMessages = {
  invited: "{inviter} شما را به {app} دعوت کرده است",
  invitedPlain: "شما به {app} دعوت شده‌اید",
  gift: "یک کد تخفیف برای شما",
  lead: "این metacode را در برنامه وارد کنید و کد تخفیف خود را بگیرید.",
  metacode: "metacode شما",
  copy: "کپی metacode",
  copied: "کپی شد",
  copyByHand: "انتخاب شد: خودتان کپی کنید",
  share: "هم‌رسانی",
  how: "روش کار",
  step1: "{app} را دریافت کنید",
  step1Text:
    "{stores, select, both {از App Store یا Google Play.} ios {از App Store.} android {از Google Play.} other {آن را در فروشگاه گوشی خود جست‌وجو کنید.}}",
  step2: "metacode را وارد کنید",
  step2Text: "برنامه را باز کنید و {metacode} را جایی که می‌خواهد بنویسید.",
  step3: "کد تخفیف خود را استفاده کنید",
  step3Text: "برنامه یک کد مخصوص شما می‌دهد و فروشگاه را با آن باز می‌کند.",
  stores: "دریافت برنامه",
  appStore: "دریافت از App Store",
  googlePlay: "دریافت از Google Play",
  scan: "برای باز کردن این صفحه در گوشی، اسکن کنید",
  until: "معتبر تا {date}",
  daysLeft: "{days, plural, one {# روز مانده} other {# روز مانده}}",
  pausedTitle: "این دعوت به {app} فعلاً متوقف است",
  pausedText:
    "در حال حاضر کد تخفیفی نمی‌دهد. پیوند را نگه دارید و بعداً دوباره امتحان کنید، یا از فرستنده‌اش بپرسید.",
  endedTitle: "این دعوت به {app} پایان یافته است",
  endedText: "دیگر کد تخفیفی نمی‌دهد. از فرستنده‌اش بپرسید که آیا دعوت تازه‌ای هست.",
  unknown: "این پیوند به هیچ دعوتی نمی‌رسد",
  unknownText: "شاید حرفی جا افتاده باشد. پیوند را بررسی کنید یا از فرستنده‌اش پیوند تازه‌ای بخواهید.",
  unavailable: "به‌زودی برمی‌گردیم",
  unavailableText:
    "اکنون نمی‌توان دعوت را نشان داد. چیزی از دست نرفته است: کمی بعد همین پیوند را دوباره امتحان کنید.",
  description: "{app} را دریافت کنید، metacode یعنی {metacode} را وارد کنید و کد تخفیف خود را بگیرید.",
  language: "زبان",
};
