/** Somebody that a text in a search field stands for, and the room with the page about them. */
export interface Found {
  kind: "referrer" | "referee" | "code";
  room: "referrers" | "referrals";
  id: string;
  title: string;
  note: string;
}
