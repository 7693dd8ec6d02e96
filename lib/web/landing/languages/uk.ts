import type { LandingMessages } from "@/lib/contract/landing-texts";

export const uk: LandingMessages = {
  invited: "{inviter} запрошує вас до {app}",
  invitedPlain: "Вас запрошено до {app}",
  gift: "Промокод для вас",
  lead: "Введіть цей metacode у застосунку й отримайте свій промокод.",
  metacode: "Ваш metacode",
  copy: "Копіювати metacode",
  copied: "Скопійовано",
  copyByHand: "Виділено: скопіюйте вручну",
  share: "Поділитися",
  how: "Як це працює",
  step1: "Завантажте {app}",
  step1Text:
    "{stores, select, both {З App Store або Google Play.} ios {З App Store.} android {З Google Play.} other {Знайдіть його в магазині на вашому телефоні.}}",
  step2: "Введіть metacode",
  step2Text: "Відкрийте застосунок і введіть {metacode} там, де він про це просить.",
  step3: "Використайте свій промокод",
  step3Text: "Застосунок дасть вам особистий код і відкриє з ним магазин.",
  stores: "Завантажити застосунок",
  appStore: "Завантажити з App Store",
  googlePlay: "Завантажити з Google Play",
  scan: "Скануйте, щоб відкрити цю сторінку на телефоні",
  until: "Діє до {date}",
  daysLeft:
    "{days, plural, one {залишився # день} few {залишилося # дні} many {залишилося # днів} other {залишилося # дня}}",
  pausedTitle: "Це запрошення до {app} призупинено",
  pausedText:
    "Зараз воно не дає промокодів. Збережіть посилання й спробуйте пізніше або запитайте того, хто його надіслав.",
  endedTitle: "Це запрошення до {app} завершилося",
  endedText: "Воно більше не дає промокодів. Запитайте того, хто його надіслав, чи є нове.",
  unknown: "Це посилання не веде до запрошення",
  unknownText: "Можливо, бракує літери. Перевірте посилання або попросіть нове в того, хто його надіслав.",
  unavailable: "Скоро повернемося",
  unavailableText:
    "Зараз неможливо показати запрошення. Нічого не втрачено: спробуйте те саме посилання трохи згодом.",
  description: "Завантажте {app}, введіть metacode {metacode} й отримайте свій промокод.",
  language: "Мова",
};
