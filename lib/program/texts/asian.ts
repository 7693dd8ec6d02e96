import type { ApiMessages } from "@/lib/contract/api-texts";

/** The texts of the API in the languages of Asia, Arabic and Hebrew. */
export const ASIAN = {
  ar: {
    redeemIos:
      "افتح الرابط، أو انتقل إلى App Store واضغط على صورة ملفك الشخصي، ثم اختر استخدام بطاقة هدية أو رمز وأدخل الرمز.",
    redeemAndroid:
      "افتح الرابط، أو انتقل إلى Google Play واضغط على صورة ملفك الشخصي، ثم اختر «الدفعات والاشتراكات» وبعدها «استخدام رمز» وأدخل الرمز.",
    redeemInApp:
      "افتح التطبيق وابدأ الاشتراك، ثم اضغط على طريقة الدفع واختر «استخدام رمز» وأدخل الرمز. لا يمكن استخدام هذا الرمز عبر رابط.",
    referredBy: "وصلتك دعوة من {inviter}",
    claimed:
      "{claimed, plural, zero {لم تُستلم أي مكافأة} one {تم استلام مكافأة واحدة} two {تم استلام مكافأتين} few {تم استلام # مكافآت} many {تم استلام # مكافأة} other {تم استلام # مكافأة}}{waiting, plural, =0 {} zero {} one {، ومكافأة أخرى تنتظر توفر الرموز} two {، ومكافأتان أخريان تنتظران توفر الرموز} few {، و# مكافآت أخرى تنتظر توفر الرموز} many {، و# مكافأة أخرى تنتظر توفر الرموز} other {، و# مكافأة أخرى تنتظر توفر الرموز}}",
  },
  bn: {
    redeemIos:
      "লিংকটি খুলুন, অথবা App Store-এ গিয়ে আপনার প্রোফাইল ছবিতে ট্যাপ করুন, উপহার কার্ড বা কোড রিডিম করা বেছে নিন এবং কোডটি লিখুন।",
    redeemAndroid:
      "লিংকটি খুলুন, অথবা Google Play-তে গিয়ে আপনার প্রোফাইল ছবিতে ট্যাপ করুন, «পেমেন্ট ও সাবস্ক্রিপশন», তারপর «কোড রিডিম করুন» বেছে নিন এবং কোডটি লিখুন।",
    redeemInApp:
      "অ্যাপটি খুলুন, সাবস্ক্রিপশন শুরু করুন, পেমেন্টের পদ্ধতিতে ট্যাপ করুন, «কোড রিডিম করুন» বেছে নিন এবং কোডটি লিখুন। এই কোড লিংক দিয়ে রিডিম করা যায় না।",
    referredBy: "{inviter} আপনাকে আমন্ত্রণ জানিয়েছেন",
    claimed:
      "{claimed, plural, one {#টি পুরস্কার পেয়েছেন} other {#টি পুরস্কার পেয়েছেন}}{waiting, plural, =0 {} one {, আরও #টি কোডের অপেক্ষায় আছে} other {, আরও #টি কোডের অপেক্ষায় আছে}}",
  },
  fa: {
    redeemIos:
      "پیوند را باز کنید، یا در App Store روی تصویر نمایهٔ خود بزنید، استفاده از کارت هدیه یا کد را انتخاب کنید و کد را وارد کنید.",
    redeemAndroid:
      "پیوند را باز کنید، یا در Google Play روی تصویر نمایهٔ خود بزنید، «پرداخت‌ها و اشتراک‌ها» و سپس «استفاده از کد» را انتخاب کنید و کد را وارد کنید.",
    redeemInApp:
      "برنامه را باز کنید، اشتراک را آغاز کنید، روی روش پرداخت بزنید، «استفاده از کد» را انتخاب کنید و کد را وارد کنید. این کد با پیوند قابل استفاده نیست.",
    referredBy: "{inviter} شما را دعوت کرده است",
    claimed:
      "{claimed, plural, one {# پاداش دریافت شد} other {# پاداش دریافت شد}}{waiting, plural, =0 {} one {، # پاداش دیگر در انتظار کد است} other {، # پاداش دیگر در انتظار کد هستند}}",
  },
  he: {
    redeemIos:
      "יש לפתוח את הקישור, או להיכנס ל־App Store, להקיש על תמונת הפרופיל, לבחור במימוש כרטיס מתנה או קוד ולהזין את הקוד.",
    redeemAndroid:
      "יש לפתוח את הקישור, או להיכנס ל־Google Play, להקיש על תמונת הפרופיל, לבחור ב„תשלומים ומינויים”, אחר כך ב„מימוש קוד”, ולהזין את הקוד.",
    redeemInApp:
      "יש לפתוח את האפליקציה, להתחיל את המינוי, להקיש על אמצעי התשלום, לבחור ב„מימוש קוד” ולהזין את הקוד. אי אפשר לממש את הקוד הזה באמצעות קישור.",
    referredBy: "קיבלת הזמנה מאת {inviter}",
    claimed:
      "{claimed, plural, one {התקבל תגמול אחד} two {התקבלו שני תגמולים} other {התקבלו # תגמולים}}{waiting, plural, =0 {} one {, ועוד אחד ממתין לקודים} two {, ועוד שניים ממתינים לקודים} other {, ועוד # ממתינים לקודים}}",
  },
  hi: {
    redeemIos:
      "लिंक खोलें, या App Store में जाकर अपनी प्रोफ़ाइल तस्वीर पर टैप करें, गिफ़्ट कार्ड या कोड रिडीम करना चुनें और कोड डालें।",
    redeemAndroid:
      "लिंक खोलें, या Google Play में जाकर अपनी प्रोफ़ाइल तस्वीर पर टैप करें, «पेमेंट और सदस्यताएँ», फिर «कोड रिडीम करें» चुनें और कोड डालें।",
    redeemInApp:
      "ऐप खोलें, सदस्यता शुरू करें, पेमेंट के तरीके पर टैप करें, «कोड रिडीम करें» चुनें और कोड डालें। यह कोड लिंक से रिडीम नहीं किया जा सकता।",
    referredBy: "{inviter} ने आपको आमंत्रित किया है",
    claimed:
      "{claimed, plural, one {# इनाम मिला} other {# इनाम मिले}}{waiting, plural, =0 {} one {, # और कोड की प्रतीक्षा में है} other {, # और कोड की प्रतीक्षा में हैं}}",
  },
  id: {
    redeemIos:
      "Buka tautan, atau buka App Store, ketuk foto profil Anda, pilih menukarkan kartu hadiah atau kode, lalu masukkan kode.",
    redeemAndroid:
      "Buka tautan, atau buka Google Play, ketuk foto profil Anda, pilih Pembayaran & langganan, lalu Tukarkan kode, dan masukkan kode.",
    redeemInApp:
      "Buka aplikasi, mulai langganan, ketuk metode pembayaran, pilih Tukarkan kode, lalu masukkan kode. Kode ini tidak dapat ditukarkan melalui tautan.",
    referredBy: "Anda diundang oleh {inviter}",
    claimed:
      "{claimed, plural, other {# hadiah berhasil diklaim}}{waiting, plural, =0 {} other {, # lagi menunggu kode}}",
  },
  ja: {
    redeemIos:
      "リンクを開くか、App Storeでプロフィール画像をタップし、ギフトカードまたはコードの利用を選んで、コードを入力してください。",
    redeemAndroid:
      "リンクを開くか、Google Playでプロフィール画像をタップし、「お支払いと定期購入」、「コードを利用」の順に選んで、コードを入力してください。",
    redeemInApp:
      "アプリを開いて定期購入を開始し、お支払い方法をタップし、「コードを利用」を選んで、コードを入力してください。このコードはリンクからは利用できません。",
    referredBy: "{inviter}さんからの招待です",
    claimed:
      "{claimed, plural, other {特典を#件受け取りました}}{waiting, plural, =0 {} other {。あと#件はコードの入荷を待っています}}",
  },
  ko: {
    redeemIos:
      "링크를 열거나 App Store에서 프로필 사진을 탭하고 기프트 카드 또는 코드 사용을 선택한 다음 코드를 입력하세요.",
    redeemAndroid:
      "링크를 열거나 Google Play에서 프로필 사진을 탭하고 ‘결제 및 정기 결제’, ‘코드 사용’을 차례로 선택한 다음 코드를 입력하세요.",
    redeemInApp:
      "앱을 열어 구독을 시작하고 결제 수단을 탭한 다음 ‘코드 사용’을 선택하고 코드를 입력하세요. 이 코드는 링크로 사용할 수 없습니다.",
    referredBy: "{inviter}님이 초대했습니다",
    claimed:
      "{claimed, plural, other {보상 #개를 받았습니다}}{waiting, plural, =0 {} other {. #개는 코드를 기다리고 있습니다}}",
  },
  ms: {
    redeemIos:
      "Buka pautan, atau pergi ke App Store, ketik gambar profil anda, pilih untuk menebus kad hadiah atau kod dan masukkan kod.",
    redeemAndroid:
      "Buka pautan, atau pergi ke Google Play, ketik gambar profil anda, pilih Pembayaran & langganan, kemudian Tebus kod, dan masukkan kod.",
    redeemInApp:
      "Buka apl, mulakan langganan, ketik kaedah pembayaran, pilih Tebus kod dan masukkan kod. Kod ini tidak boleh ditebus melalui pautan.",
    referredBy: "Anda dijemput oleh {inviter}",
    claimed:
      "{claimed, plural, other {# ganjaran berjaya dituntut}}{waiting, plural, =0 {} other {, # lagi menunggu kod}}",
  },
  th: {
    redeemIos: "เปิดลิงก์ หรือไปที่ App Store แตะรูปโปรไฟล์ของคุณ เลือกแลกรับบัตรของขวัญหรือรหัส แล้วกรอกรหัส",
    redeemAndroid:
      "เปิดลิงก์ หรือไปที่ Google Play แตะรูปโปรไฟล์ของคุณ เลือก “การชำระเงินและการสมัครใช้บริการ” แล้วเลือก “แลกรหัส” จากนั้นกรอกรหัส",
    redeemInApp: "เปิดแอป เริ่มสมัครใช้บริการ แตะวิธีการชำระเงิน เลือก “แลกรหัส” แล้วกรอกรหัส รหัสนี้แลกผ่านลิงก์ไม่ได้",
    referredBy: "คุณได้รับคำเชิญจาก {inviter}",
    claimed:
      "{claimed, plural, other {รับรางวัลสำเร็จ # รายการ}}{waiting, plural, =0 {} other { และอีก # รายการกำลังรอรหัส}}",
  },
  ur: {
    redeemIos:
      "لنک کھولیں، یا App Store میں جا کر اپنی پروفائل تصویر پر ٹیپ کریں، گفٹ کارڈ یا کوڈ استعمال کرنا منتخب کریں اور کوڈ درج کریں۔",
    redeemAndroid:
      "لنک کھولیں، یا Google Play میں جا کر اپنی پروفائل تصویر پر ٹیپ کریں، «ادائیگیاں اور سبسکرپشنز»، پھر «کوڈ استعمال کریں» منتخب کریں اور کوڈ درج کریں۔",
    redeemInApp:
      "ایپ کھولیں، سبسکرپشن شروع کریں، ادائیگی کے طریقے پر ٹیپ کریں، «کوڈ استعمال کریں» منتخب کریں اور کوڈ درج کریں۔ یہ کوڈ لنک سے استعمال نہیں ہو سکتا۔",
    referredBy: "{inviter} نے آپ کو مدعو کیا ہے",
    claimed:
      "{claimed, plural, one {# انعام مل گیا} other {# انعام مل گئے}}{waiting, plural, =0 {} one {، مزید # کوڈ کے انتظار میں ہے} other {، مزید # کوڈ کے انتظار میں ہیں}}",
  },
  vi: {
    redeemIos:
      "Mở liên kết, hoặc vào App Store, chạm vào ảnh hồ sơ của bạn, chọn đổi thẻ quà tặng hoặc mã rồi nhập mã.",
    redeemAndroid:
      "Mở liên kết, hoặc vào Google Play, nhấn vào ảnh hồ sơ của bạn, chọn Thanh toán và gói thuê bao, rồi chọn Sử dụng mã và nhập mã.",
    redeemInApp:
      "Mở ứng dụng, bắt đầu gói thuê bao, nhấn vào phương thức thanh toán, chọn Sử dụng mã và nhập mã. Không thể đổi mã này qua liên kết.",
    referredBy: "{inviter} đã mời bạn",
    claimed:
      "{claimed, plural, other {Đã nhận # phần thưởng}}{waiting, plural, =0 {} other {, # phần thưởng khác đang chờ mã}}",
  },
  "zh-Hans": {
    redeemIos: "打开链接，或前往 App Store，轻点你的头像，选择兑换充值卡或代码，然后输入代码。",
    redeemAndroid:
      "打开链接，或前往 Google Play，点按你的头像，依次选择“付款和订阅”和“兑换代码”，然后输入代码。",
    redeemInApp: "打开应用，开始订阅，点按付款方式，选择“兑换代码”，然后输入代码。此代码无法通过链接兑换。",
    referredBy: "{inviter}邀请了你",
    claimed:
      "{claimed, plural, other {已领取 # 份奖励}}{waiting, plural, =0 {} other {，另有 # 份正在等待代码}}",
  },
  "zh-Hant": {
    redeemIos: "開啟連結，或前往 App Store，點一下你的個人資料照片，選擇兌換禮品卡或代碼，然後輸入代碼。",
    redeemAndroid:
      "開啟連結，或前往 Google Play，輕觸你的個人資料相片，依序選擇「付款和訂閱」和「兌換代碼」，然後輸入代碼。",
    redeemInApp: "開啟 App，開始訂閱，輕觸付款方式，選擇「兌換代碼」，然後輸入代碼。此代碼無法透過連結兌換。",
    referredBy: "{inviter}邀請了你",
    claimed:
      "{claimed, plural, other {已領取 # 份獎勵}}{waiting, plural, =0 {} other {，另有 # 份正在等待代碼}}",
  },
} satisfies Record<string, ApiMessages>;
