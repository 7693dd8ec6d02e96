/** An influencer as the owner's list shows it. Counts of clicks and codes stop at 10,000. */
export interface InfluencerView {
  id: string;
  uid: string;
  metacode: string;
  link: string;
  name: string | null;
  handle: string | null;
  notes: string | null;
  status: "active" | "paused" | "ended";
  createdAt: Date;
  /** In the last 90 days. */
  clicked: number;
  assigned: number;
  confirmed: number;
  earned: number;
  claimed: number;
  /** Earned rewards that a member withdrew. */
  withdrawn: number;
}

/** The limit of counts of clicks and codes. */
export const COUNTED_UP_TO = 10_000;

/** Whether a referrer could have this metacode, and the form in which it would be stored. */
export interface MetacodeState {
  metacode: string;
  /** `yours`: the referrer's current or former metacode. */
  state: "free" | "yours" | "taken" | "reserved" | "malformed";
}
