import type { LandingMessages } from "@/lib/contract/landing-texts";

export const ko: LandingMessages = {
  invited: "{inviter} 님이 {app}에 초대했습니다",
  invitedPlain: "{app}에 초대받으셨습니다",
  gift: "회원님을 위한 프로모션 코드",
  lead: "앱에 이 metacode를 입력하고 프로모션 코드를 받으세요.",
  metacode: "내 metacode",
  copy: "metacode 복사",
  copied: "복사됨",
  copyByHand: "선택됨: 직접 복사하세요",
  share: "공유",
  how: "이용 방법",
  step1: "{app} 받기",
  step1Text:
    "{stores, select, both {App Store 또는 Google Play에서 받으세요.} ios {App Store에서 받으세요.} android {Google Play에서 받으세요.} other {휴대전화의 앱 스토어에서 검색하세요.}}",
  step2: "metacode 입력",
  step2Text: "앱을 열고 입력란에 {metacode}을(를) 입력하세요.",
  step3: "프로모션 코드 사용",
  step3Text: "앱이 나만의 코드를 주고 그 코드로 스토어를 엽니다.",
  stores: "앱 받기",
  appStore: "App Store에서 다운로드",
  googlePlay: "Google Play에서 받기",
  scan: "스캔하여 휴대전화에서 이 페이지 열기",
  until: "{date}까지 이용 가능",
  daysLeft: "{days, plural, other {#일 남음}}",
  pausedTitle: "이 {app} 초대는 일시 중지되었습니다",
  pausedText:
    "지금은 프로모션 코드를 제공하지 않습니다. 링크를 보관했다가 나중에 다시 시도하거나 보낸 분에게 문의하세요.",
  endedTitle: "이 {app} 초대는 종료되었습니다",
  endedText: "더 이상 프로모션 코드를 제공하지 않습니다. 새 초대가 있는지 보낸 분에게 문의하세요.",
  unknown: "이 링크에 해당하는 초대가 없습니다",
  unknownText: "글자가 빠졌을 수 있습니다. 링크를 확인하거나 보낸 분에게 새 링크를 요청하세요.",
  unavailable: "곧 돌아오겠습니다",
  unavailableText:
    "지금은 초대를 표시할 수 없습니다. 사라진 것은 없으니 잠시 후 같은 링크로 다시 시도하세요.",
  description: "{app}을(를) 받고 metacode {metacode}을(를) 입력하여 프로모션 코드를 받으세요.",
  language: "언어",
};
