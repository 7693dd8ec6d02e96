import type { LandingMessages } from "@/lib/contract/landing-texts";

export const ru: LandingMessages = {
  invited: "{inviter} приглашает вас в {app}",
  invitedPlain: "Вас пригласили в {app}",
  gift: "Промокод для вас",
  lead: "Введите этот metacode в приложении и получите свой промокод.",
  metacode: "Ваш metacode",
  copy: "Скопировать metacode",
  copied: "Скопировано",
  copyByHand: "Выделено: скопируйте вручную",
  share: "Поделиться",
  how: "Как это работает",
  step1: "Скачайте {app}",
  step1Text:
    "{stores, select, both {В App Store или Google Play.} ios {В App Store.} android {В Google Play.} other {Найдите его в магазине на вашем телефоне.}}",
  step2: "Введите metacode",
  step2Text: "Откройте приложение и введите {metacode} там, где оно об этом попросит.",
  step3: "Используйте свой промокод",
  step3Text: "Приложение даст вам личный код и откроет с ним магазин.",
  stores: "Скачать приложение",
  appStore: "Загрузить в App Store",
  googlePlay: "Скачать в Google Play",
  scan: "Отсканируйте, чтобы открыть эту страницу на телефоне",
  until: "Действует до {date}",
  daysLeft:
    "{days, plural, one {остался # день} few {осталось # дня} many {осталось # дней} other {осталось # дня}}",
  pausedTitle: "Это приглашение в {app} приостановлено",
  pausedText:
    "Сейчас оно не даёт промокодов. Сохраните ссылку и попробуйте позже или спросите того, кто её прислал.",
  endedTitle: "Это приглашение в {app} завершено",
  endedText: "Оно больше не даёт промокодов. Спросите того, кто его прислал, нет ли нового.",
  unknown: "Эта ссылка не ведёт ни к какому приглашению",
  unknownText: "Возможно, не хватает буквы. Проверьте ссылку или попросите новую у того, кто её прислал.",
  unavailable: "Скоро вернёмся",
  unavailableText:
    "Сейчас приглашение показать нельзя. Ничего не потеряно: откройте ту же ссылку чуть позже.",
  description: "Скачайте {app}, введите metacode {metacode} и получите свой промокод.",
  language: "Язык",
};
