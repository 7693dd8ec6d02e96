import type { LandingMessages } from "@/lib/contract/landing-texts";

export const bg: LandingMessages = {
  invited: "{inviter} ви кани в {app}",
  invitedPlain: "Имате покана за {app}",
  gift: "Промокод за вас",
  lead: "Въведете този metacode в приложението и получете своя промокод.",
  metacode: "Вашият metacode",
  copy: "Копиране на metacode",
  copied: "Копирано",
  copyByHand: "Избрано: копирайте на ръка",
  share: "Споделяне",
  how: "Как работи",
  step1: "Изтеглете {app}",
  step1Text:
    "{stores, select, both {От App Store или Google Play.} ios {От App Store.} android {От Google Play.} other {Потърсете го в магазина на телефона си.}}",
  step2: "Въведете metacode",
  step2Text: "Отворете приложението и напишете {metacode} там, където го иска.",
  step3: "Използвайте своя промокод",
  step3Text: "Приложението ви дава личен код и отваря магазина с него.",
  stores: "Изтегляне на приложението",
  appStore: "Изтегляне от App Store",
  googlePlay: "Изтегляне от Google Play",
  scan: "Сканирайте, за да отворите страницата на телефона",
  until: "Валидна до {date}",
  daysLeft: "{days, plural, one {остава # ден} other {остават # дни}}",
  pausedTitle: "Тази покана за {app} е на пауза",
  pausedText:
    "В момента тя не дава промокодове. Запазете връзката и опитайте по-късно или попитайте човека, който ви я е изпратил.",
  endedTitle: "Тази покана за {app} приключи",
  endedText: "Тя вече не дава промокодове. Попитайте човека, който ви я е изпратил, дали има нова.",
  unknown: "Тази връзка не води до покана",
  unknownText:
    "Може би липсва буква. Проверете връзката или поискайте нова от човека, който ви я е изпратил.",
  unavailable: "Връщаме се след малко",
  unavailableText:
    "Поканата не може да бъде показана в момента. Нищо не е изгубено: опитайте същата връзка след малко.",
  description: "Изтеглете {app}, въведете metacode {metacode} и получете своя промокод.",
  language: "Език",
};
