import type { LandingMessages } from "@/lib/contract/landing-texts";

export const vi: LandingMessages = {
  invited: "{inviter} mời bạn dùng {app}",
  invitedPlain: "Bạn được mời dùng {app}",
  gift: "Mã khuyến mại dành cho bạn",
  lead: "Nhập metacode này trong ứng dụng và nhận mã khuyến mại của bạn.",
  metacode: "Metacode của bạn",
  copy: "Sao chép metacode",
  copied: "Đã sao chép",
  copyByHand: "Đã chọn: hãy tự sao chép",
  share: "Chia sẻ",
  how: "Cách thực hiện",
  step1: "Tải {app}",
  step1Text:
    "{stores, select, both {Từ App Store hoặc Google Play.} ios {Từ App Store.} android {Từ Google Play.} other {Tìm trong cửa hàng ứng dụng trên điện thoại của bạn.}}",
  step2: "Nhập metacode",
  step2Text: "Mở ứng dụng và nhập {metacode} vào chỗ được yêu cầu.",
  step3: "Dùng mã khuyến mại của bạn",
  step3Text: "Ứng dụng cho bạn một mã riêng và mở cửa hàng với mã đó.",
  stores: "Tải ứng dụng",
  appStore: "Tải về từ App Store",
  googlePlay: "Tải nội dung trên Google Play",
  scan: "Quét để mở trang này trên điện thoại",
  until: "Có hiệu lực đến {date}",
  daysLeft: "{days, plural, other {còn # ngày}}",
  pausedTitle: "Lời mời dùng {app} này đang tạm dừng",
  pausedText:
    "Hiện tại lời mời này không phát mã khuyến mại. Hãy giữ liên kết và thử lại sau, hoặc hỏi người đã gửi cho bạn.",
  endedTitle: "Lời mời dùng {app} này đã kết thúc",
  endedText: "Lời mời này không còn phát mã khuyến mại. Hãy hỏi người đã gửi xem có lời mời mới không.",
  unknown: "Liên kết này không dẫn đến lời mời nào",
  unknownText: "Có thể thiếu một chữ cái. Hãy kiểm tra liên kết, hoặc xin liên kết mới từ người đã gửi.",
  unavailable: "Sẽ trở lại ngay",
  unavailableText:
    "Hiện không hiển thị được lời mời. Không có gì bị mất: hãy thử lại liên kết này sau ít phút.",
  description: "Tải {app}, nhập metacode {metacode} và nhận mã khuyến mại của bạn.",
  language: "Ngôn ngữ",
};
