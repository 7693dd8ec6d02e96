import type { ApiMessages } from "@/lib/contract/api-texts";

/** The texts of the API in the languages of eastern Europe, Finnish, Greek and Turkish. */
export const EASTERN = {
  bg: {
    redeemIos:
      "Отворете линка или влезте в App Store, докоснете профилната си снимка, изберете използване на карта за подарък или код и въведете кода.",
    redeemAndroid:
      "Отворете линка или влезте в Google Play, докоснете профилната си снимка, изберете „Плащания и абонаменти“, после „Използване на код“ и въведете кода.",
    redeemInApp:
      "Отворете приложението, започнете абонамента, докоснете начина на плащане, изберете „Използване на код“ и въведете кода. Този код не може да се използва чрез линк.",
    referredBy: "Имате покана от {inviter}",
    claimed:
      "{claimed, plural, one {Получихте # награда} other {Получихте # награди}}{waiting, plural, =0 {} one {, още # чака кодове} other {, още # чакат кодове}}",
  },
  cs: {
    redeemIos:
      "Otevřete odkaz, nebo v App Store klepněte na svůj profilový obrázek, zvolte uplatnění dárkové karty nebo kódu a zadejte kód.",
    redeemAndroid:
      "Otevřete odkaz, nebo v Google Play klepněte na svůj profilový obrázek, zvolte Platby a předplatné, potom Uplatnit kód a zadejte kód.",
    redeemInApp:
      "Otevřete aplikaci, začněte s předplatným, klepněte na platební metodu, zvolte Uplatnit kód a zadejte kód. Tento kód nelze uplatnit pomocí odkazu.",
    referredBy: "Pozvánku vám posílá {inviter}",
    claimed:
      "{claimed, plural, one {Získali jste # odměnu} few {Získali jste # odměny} many {Získali jste # odměny} other {Získali jste # odměn}}{waiting, plural, =0 {} one {, # další čeká na kódy} few {, # další čekají na kódy} many {, # další čeká na kódy} other {, # dalších čeká na kódy}}",
  },
  el: {
    redeemIos:
      "Ανοίξτε τον σύνδεσμο ή μεταβείτε στο App Store, πατήστε τη φωτογραφία προφίλ σας, επιλέξτε εξαργύρωση δωροκάρτας ή κωδικού και εισαγάγετε τον κωδικό.",
    redeemAndroid:
      "Ανοίξτε τον σύνδεσμο ή μεταβείτε στο Google Play, πατήστε τη φωτογραφία προφίλ σας, επιλέξτε «Πληρωμές και συνδρομές», έπειτα «Εξαργύρωση κωδικού» και εισαγάγετε τον κωδικό.",
    redeemInApp:
      "Ανοίξτε την εφαρμογή, ξεκινήστε τη συνδρομή, πατήστε τον τρόπο πληρωμής, επιλέξτε «Εξαργύρωση κωδικού» και εισαγάγετε τον κωδικό. Αυτός ο κωδικός δεν εξαργυρώνεται μέσω συνδέσμου.",
    referredBy: "Έχετε πρόσκληση από: {inviter}",
    claimed:
      "{claimed, plural, one {Λάβατε # ανταμοιβή} other {Λάβατε # ανταμοιβές}}{waiting, plural, =0 {} one {, # ακόμη περιμένει κωδικούς} other {, # ακόμη περιμένουν κωδικούς}}",
  },
  fi: {
    redeemIos:
      "Avaa linkki tai siirry App Storeen, napauta profiilikuvaasi, valitse lahjakortin tai koodin lunastaminen ja syötä koodi.",
    redeemAndroid:
      "Avaa linkki tai siirry Google Playhin, napauta profiilikuvaasi, valitse Maksut ja tilaukset, sitten Lunasta koodi, ja syötä koodi.",
    redeemInApp:
      "Avaa sovellus, aloita tilaus, napauta maksutapaa, valitse Lunasta koodi ja syötä koodi. Tätä koodia ei voi lunastaa linkillä.",
    referredBy: "{inviter} kutsui sinut mukaan",
    claimed:
      "{claimed, plural, one {# palkinto lunastettu} other {# palkintoa lunastettu}}{waiting, plural, =0 {} one {, # muu odottaa koodeja} other {, # muuta odottaa koodeja}}",
  },
  hu: {
    redeemIos:
      "Nyisd meg a linket, vagy az App Store-ban koppints a profilképedre, válaszd az ajándékkártya vagy kód beváltását, és írd be a kódot.",
    redeemAndroid:
      "Nyisd meg a linket, vagy a Google Playben koppints a profilképedre, válaszd a Fizetések és előfizetések, majd a Kód beváltása lehetőséget, és írd be a kódot.",
    redeemInApp:
      "Nyisd meg az alkalmazást, indítsd el az előfizetést, koppints a fizetési módra, válaszd a Kód beváltása lehetőséget, és írd be a kódot. Ez a kód linkkel nem váltható be.",
    referredBy: "{inviter} meghívott téged",
    claimed:
      "{claimed, plural, one {# jutalmat kaptál meg} other {# jutalmat kaptál meg}}{waiting, plural, =0 {} one {, további # kódra vár} other {, további # kódokra vár}}",
  },
  pl: {
    redeemIos:
      "Otwórz link albo wejdź do App Store, stuknij swoje zdjęcie profilowe, wybierz realizację karty podarunkowej lub kodu i wpisz kod.",
    redeemAndroid:
      "Otwórz link albo wejdź do Google Play, kliknij swoje zdjęcie profilowe, wybierz Płatności i subskrypcje, potem Wykorzystaj kod i wpisz kod.",
    redeemInApp:
      "Otwórz aplikację, rozpocznij subskrypcję, kliknij formę płatności, wybierz Wykorzystaj kod i wpisz kod. Tego kodu nie można wykorzystać przez link.",
    referredBy: "{inviter} zaprasza Cię",
    claimed:
      "{claimed, plural, one {Odebrano # nagrodę} few {Odebrano # nagrody} many {Odebrano # nagród} other {Odebrano # nagrody}}{waiting, plural, =0 {} one {, jeszcze # czeka na kody} few {, jeszcze # czekają na kody} many {, jeszcze # czeka na kody} other {, jeszcze # czeka na kody}}",
  },
  ru: {
    redeemIos:
      "Откройте ссылку или зайдите в App Store, коснитесь своего фото профиля, выберите погашение подарочной карты или кода и введите код.",
    redeemAndroid:
      "Откройте ссылку или зайдите в Google Play, нажмите на фото профиля, выберите «Платежи и подписки», затем «Активировать код» и введите код.",
    redeemInApp:
      "Откройте приложение, начните оформлять подписку, нажмите на способ оплаты, выберите «Активировать код» и введите код. Этот код нельзя активировать по ссылке.",
    referredBy: "{inviter} приглашает вас",
    claimed:
      "{claimed, plural, one {Получена # награда} few {Получены # награды} many {Получено # наград} other {Получено # награды}}{waiting, plural, =0 {} one {, ещё # ждёт кодов} few {, ещё # ждут кодов} many {, ещё # ждут кодов} other {, ещё # ждут кодов}}",
  },
  sk: {
    redeemIos:
      "Otvorte odkaz alebo v App Store klepnite na svoju profilovú fotku, zvoľte uplatnenie darčekovej karty alebo kódu a zadajte kód.",
    redeemAndroid:
      "Otvorte odkaz alebo v Google Play klepnite na svoju profilovú fotku, zvoľte Platby a odbery, potom Uplatniť kód a zadajte kód.",
    redeemInApp:
      "Otvorte aplikáciu, začnite predplatné, klepnite na spôsob platby, zvoľte Uplatniť kód a zadajte kód. Tento kód sa nedá uplatniť cez odkaz.",
    referredBy: "Pozvánku vám posiela {inviter}",
    claimed:
      "{claimed, plural, one {Získali ste # odmenu} few {Získali ste # odmeny} many {Získali ste # odmeny} other {Získali ste # odmien}}{waiting, plural, =0 {} one {, # ďalšia čaká na kódy} few {, # ďalšie čakajú na kódy} many {, # ďalšej čaká na kódy} other {, # ďalších čaká na kódy}}",
  },
  tr: {
    redeemIos:
      "Bağlantıyı açın ya da App Store’da profil resminize dokunun, hediye kartı veya kod kullanmayı seçin ve kodu girin.",
    redeemAndroid:
      "Bağlantıyı açın ya da Google Play’de profil resminize dokunun, Ödemeler ve abonelikler’i, ardından Kod kullan’ı seçin ve kodu girin.",
    redeemInApp:
      "Uygulamayı açın, aboneliği başlatın, ödeme yöntemine dokunun, Kod kullan’ı seçin ve kodu girin. Bu kod bir bağlantıyla kullanılamaz.",
    referredBy: "{inviter} sizi davet etti",
    claimed:
      "{claimed, plural, one {# ödül alındı} other {# ödül alındı}}{waiting, plural, =0 {} one {, # ödül daha kod bekliyor} other {, # ödül daha kod bekliyor}}",
  },
  uk: {
    redeemIos:
      "Відкрийте посилання або зайдіть в App Store, торкніться свого фото профілю, виберіть використання подарункової картки чи коду й введіть код.",
    redeemAndroid:
      "Відкрийте посилання або зайдіть у Google Play, торкніться свого фото профілю, виберіть «Платежі та підписки», потім «Використати код» і введіть код.",
    redeemInApp:
      "Відкрийте застосунок, почніть оформлювати підписку, торкніться способу оплати, виберіть «Використати код» і введіть код. Цей код не можна використати за посиланням.",
    referredBy: "{inviter} запрошує вас",
    claimed:
      "{claimed, plural, one {Отримано # винагороду} few {Отримано # винагороди} many {Отримано # винагород} other {Отримано # винагороди}}{waiting, plural, =0 {} one {, ще # чекає на коди} few {, ще # чекають на коди} many {, ще # чекають на коди} other {, ще # чекають на коди}}",
  },
} satisfies Record<string, ApiMessages>;
