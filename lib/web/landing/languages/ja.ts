import type { LandingMessages } from "@/lib/contract/landing-texts";

export const ja: LandingMessages = {
  invited: "{inviter}さんから{app}への招待が届いています",
  invitedPlain: "{app}に招待されています",
  gift: "あなたへのプロモーションコード",
  lead: "このmetacodeをアプリに入力して、プロモーションコードを受け取りましょう。",
  metacode: "あなたのmetacode",
  copy: "metacodeをコピー",
  copied: "コピーしました",
  copyByHand: "選択しました。手動でコピーしてください",
  share: "共有",
  how: "ご利用の流れ",
  step1: "{app}を入手",
  step1Text:
    "{stores, select, both {App StoreまたはGoogle Playから入手できます。} ios {App Storeから入手できます。} android {Google Playから入手できます。} other {お使いのスマートフォンのストアで検索してください。}}",
  step2: "metacodeを入力",
  step2Text: "アプリを開き、入力欄に{metacode}と入力します。",
  step3: "プロモーションコードを利用",
  step3Text: "アプリがあなた専用のコードを発行し、そのコードでストアを開きます。",
  stores: "アプリを入手",
  appStore: "App Storeからダウンロード",
  googlePlay: "Google Playで手に入れよう",
  scan: "スキャンしてスマートフォンでこのページを開く",
  until: "{date}まで有効",
  daysLeft: "{days, plural, other {残り#日}}",
  pausedTitle: "{app}へのこの招待は一時停止中です",
  pausedText:
    "現在、プロモーションコードは配布されていません。リンクを保存して後でもう一度お試しいただくか、送ってくれた方にお問い合わせください。",
  endedTitle: "{app}へのこの招待は終了しました",
  endedText: "プロモーションコードの配布は終了しました。新しい招待があるか、送ってくれた方にお尋ねください。",
  unknown: "このリンクの招待は見つかりません",
  unknownText:
    "文字が抜けている可能性があります。リンクを確認するか、送ってくれた方に新しいリンクをお願いしてください。",
  unavailable: "まもなく再開します",
  unavailableText:
    "現在、招待を表示できません。何も失われていませんので、少し後に同じリンクをもう一度お試しください。",
  description: "{app}を入手し、metacode「{metacode}」を入力してプロモーションコードを受け取りましょう。",
  language: "言語",
};
