import type { LandingMessages } from "@/lib/contract/landing-texts";

export const ur: LandingMessages = {
  invited: "{inviter} نے آپ کو {app} پر مدعو کیا ہے",
  invitedPlain: "آپ کو {app} پر مدعو کیا گیا ہے",
  gift: "آپ کے لیے ایک پرومو کوڈ",
  lead: "ایپ میں یہ metacode درج کریں اور اپنا پرومو کوڈ حاصل کریں۔",
  metacode: "آپ کا metacode",
  copy: "metacode کاپی کریں",
  copied: "کاپی ہو گیا",
  copyByHand: "منتخب ہو گیا: خود کاپی کر لیں",
  share: "شیئر کریں",
  how: "یہ کیسے کام کرتا ہے",
  step1: "{app} حاصل کریں",
  step1Text:
    "{stores, select, both {App Store یا Google Play سے۔} ios {App Store سے۔} android {Google Play سے۔} other {اپنے فون کے اسٹور میں تلاش کریں۔}}",
  step2: "metacode درج کریں",
  step2Text: "ایپ کھولیں اور جہاں پوچھا جائے وہاں {metacode} لکھیں۔",
  step3: "اپنا پرومو کوڈ استعمال کریں",
  step3Text: "ایپ آپ کو آپ کا اپنا کوڈ دیتی ہے اور اس کے ساتھ اسٹور کھول دیتی ہے۔",
  stores: "ایپ حاصل کریں",
  appStore: "App Store سے ڈاؤن لوڈ کریں",
  googlePlay: "Google Play سے حاصل کریں",
  scan: "یہ صفحہ اپنے فون پر کھولنے کے لیے اسکین کریں",
  until: "{date} تک دستیاب",
  daysLeft: "{days, plural, one {# دن باقی ہے} other {# دن باقی ہیں}}",
  pausedTitle: "{app} کا یہ دعوت نامہ عارضی طور پر رکا ہوا ہے",
  pausedText:
    "فی الحال یہاں پرومو کوڈ نہیں مل رہے۔ لنک محفوظ رکھیں اور بعد میں کوشش کریں، یا بھیجنے والے سے پوچھیں۔",
  endedTitle: "{app} کا یہ دعوت نامہ ختم ہو چکا ہے",
  endedText: "یہاں اب پرومو کوڈ نہیں ملتے۔ بھیجنے والے سے پوچھیں کہ کیا کوئی نیا دعوت نامہ ہے۔",
  unknown: "یہ لنک کسی دعوت نامے تک نہیں جاتا",
  unknownText: "شاید کوئی حرف رہ گیا ہے۔ لنک دیکھ لیں، یا بھیجنے والے سے نیا لنک مانگیں۔",
  unavailable: "ابھی واپس آتے ہیں",
  unavailableText:
    "دعوت نامہ اس وقت دکھایا نہیں جا سکتا۔ کچھ ضائع نہیں ہوا: تھوڑی دیر بعد یہی لنک دوبارہ آزمائیں۔",
  description: "{app} حاصل کریں، metacode یعنی {metacode} درج کریں اور اپنا پرومو کوڈ حاصل کریں۔",
  language: "زبان",
};
