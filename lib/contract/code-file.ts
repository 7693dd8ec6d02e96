import type { Platform } from "./fields";

/** The reasons for not importing a row of a code file, with advice, in the order in which they are shown. */
export const ROW_REFUSALS = {
  repeated_in_file: {
    name: "Repeated in the file",
    advice: "The code is in an earlier row, which is imported.",
  },
  already_stored: { name: "Already imported", advice: "The app has this code from an earlier import." },
  in_other_import: {
    name: "In an unfinished import",
    advice:
      "Another import contains the code. Wait until it has ended. An interrupted import is removed after two minutes.",
  },
  other_store: {
    name: "Other store",
    advice: "The link belongs to the other store. Choose a pool of that store.",
  },
  other_app: { name: "Another app", advice: "The link redeems a code of another app." },
  link_differs: {
    name: "Code and link differ",
    advice: "The link in this row redeems a different code from the one in the row.",
  },
  expired: { name: "Expired", advice: "The expiry date in the file has passed." },
  used: { name: "Used", advice: "The file marks the code as redeemed or not available." },
  not_a_code: {
    name: "Not a code",
    advice:
      "A code has 4 to 64 letters, digits, dots, hyphens or underscores, and no spaces. Words, dates and decimal numbers are not codes.",
  },
} as const satisfies Record<string, { name: string; advice: string }>;

export type RowRefusal = keyof typeof ROW_REFUSALS;

/** A refused row, safe to show: codes are masked. */
interface RefusedRow {
  line: number;
  text: string;
  /** Place of the same code: an earlier line, or a batch. */
  where?: string | undefined;
}

/** Signs that a file is not a list of one store's codes. Its sender may accept each. */
export const FILE_CONCERNS = [
  "other_store",
  "heading",
  "lengths",
  "numbers",
  "columns",
  "expires",
  "status",
] as const;

export type FileConcern = (typeof FILE_CONCERNS)[number];

/** The number that comes first in a date such as 05/12/2027. */
export const DATE_ORDERS = ["day", "month"] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** The lengths of one-time codes: App Store promo codes and offer codes, Google Play promo codes. */
export const STORE_CODE_LENGTHS: Record<Platform, readonly number[]> = { ios: [12, 18], android: [23] };

const STORE_HOSTS: Record<Platform, string> = { ios: "apps.apple.com/", android: "play.google.com/" };

/** The store of most links in a text, else of most codes; undefined if neither store has more. */
export function guessStore(text: string): Platform | undefined {
  const tokens = text.toUpperCase().match(/\b[A-Z0-9]{12,}\b/g) ?? [];
  const links = (platform: Platform) => text.split(STORE_HOSTS[platform]).length;
  const codes = (platform: Platform) =>
    tokens.filter(({ length }) => STORE_CODE_LENGTHS[platform].includes(length)).length;
  const lead = links("ios") - links("android") || codes("ios") - codes("android");
  if (lead === 0) return undefined;
  return lead > 0 ? "ios" : "android";
}

/** The result of a dry run: the content of a file, with nothing stored. */
export interface CheckReport {
  /** Id of the batch to import. The file is imported under it at most once. */
  batchId: string;
  /** Rows that are not empty, without the header. */
  read: number;
  fresh: number;
  refused: Partial<Record<RowRefusal, number>>;
  /** The first rows of each kind. */
  examples: Partial<Record<RowRefusal, RefusedRow[]>>;
  /** The first and the last codes, masked. */
  ends: { first: string[]; last: string[] };
  /** The reasons to doubt the file, each with a sentence. The import needs the sender's agreement to them. */
  concerns: Partial<Record<FileConcern, string>>;
  /** The earliest expiry date of the new codes in the file, such as `2027-03-31`. */
  expiresAt: string | null;
  dates: {
    /** The order in which the file was read. */
    order: DateOrder;
    /** The order that the file itself shows, by a date such as 31/12/2027 or by a German header. */
    evident: DateOrder | null;
    /** The first date of a file that shows no order, with its day in either order. */
    unclear: ({ text: string } & Record<DateOrder, string>) | null;
  };
}

/** The result of an import. */
export interface ImportReport {
  batchId: string | null;
  read: number;
  imported: number;
  /** Codes that were set aside for people in line. */
  setAside: number;
}

/** A code with all but its last four characters hidden; of a short code, at most half is shown. */
export function maskCode(code: string): string {
  return `••••${code.slice(code.length - Math.min(4, Math.floor(code.length / 2)))}`;
}

/** A code with its middle hidden, so that its owner recognises it in the file; a short code is {@link maskCode}d. */
export function maskMiddle(code: string): string {
  return code.length < 12 ? maskCode(code) : `${code.slice(0, 3)}••••${code.slice(-3)}`;
}
