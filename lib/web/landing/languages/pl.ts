import type { LandingMessages } from "@/lib/contract/landing-texts";

export const pl: LandingMessages = {
  invited: "{inviter} zaprasza Cię do aplikacji {app}",
  invitedPlain: "Masz zaproszenie do aplikacji {app}",
  gift: "Kod promocyjny dla Ciebie",
  lead: "Wpisz ten metacode w aplikacji i odbierz swój kod promocyjny.",
  metacode: "Twój metacode",
  copy: "Skopiuj metacode",
  copied: "Skopiowano",
  copyByHand: "Zaznaczono: skopiuj ręcznie",
  share: "Udostępnij",
  how: "Jak to działa",
  step1: "Pobierz {app}",
  step1Text:
    "{stores, select, both {Z App Store lub Google Play.} ios {Z App Store.} android {Z Google Play.} other {Wyszukaj aplikację w sklepie w telefonie.}}",
  step2: "Wpisz metacode",
  step2Text: "Otwórz aplikację i wpisz {metacode} tam, gdzie o to poprosi.",
  step3: "Wykorzystaj kod promocyjny",
  step3Text: "Aplikacja da Ci osobisty kod i otworzy z nim sklep.",
  stores: "Pobierz aplikację",
  appStore: "Pobierz z App Store",
  googlePlay: "Pobierz z Google Play",
  scan: "Zeskanuj, aby otworzyć tę stronę w telefonie",
  until: "Ważne do {date}",
  daysLeft:
    "{days, plural, one {został # dzień} few {zostały # dni} many {zostało # dni} other {zostało # dnia}}",
  pausedTitle: "To zaproszenie do aplikacji {app} jest wstrzymane",
  pausedText:
    "Obecnie nie daje kodów promocyjnych. Zachowaj link i spróbuj później albo zapytaj osobę, która go wysłała.",
  endedTitle: "To zaproszenie do aplikacji {app} już się zakończyło",
  endedText: "Nie daje już kodów promocyjnych. Zapytaj osobę, która je wysłała, czy jest nowe.",
  unknown: "Ten link nie prowadzi do żadnego zaproszenia",
  unknownText: "Być może brakuje litery. Sprawdź link albo poproś o nowy osobę, która go wysłała.",
  unavailable: "Zaraz wracamy",
  unavailableText:
    "Nie można teraz wyświetlić zaproszenia. Nic nie przepadło: za chwilę otwórz ten sam link jeszcze raz.",
  description: "Pobierz {app}, wpisz metacode {metacode} i odbierz swój kod promocyjny.",
  language: "Język",
};
