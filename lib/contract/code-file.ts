/** Why a row of a code file is not taken, and what to do about it, in the order in which they are shown. */
export const REFUSALS = {
  repeated_in_file: {
    name: "Repeated in the file",
    advice: "The code stands in an earlier row, which counts.",
  },
  already_stored: { name: "Known already", advice: "This app has the code from an earlier import." },
  in_other_import: {
    name: "In an unfinished import",
    advice:
      "Another import holds the code. Wait until it has ended; a broken one is cleared after two minutes.",
  },
  other_store: {
    name: "Other store",
    advice: "The link belongs to the other platform: choose a pool of that one.",
  },
  other_app: { name: "Another app", advice: "The link redeems a code of another app than this one." },
  link_differs: {
    name: "Code and link differ",
    advice: "The row's link redeems another code than the row names.",
  },
  expired: { name: "Expired", advice: "The file gives a date that has passed." },
  used: { name: "Used", advice: "The file marks the code as redeemed." },
  not_a_code: {
    name: "Not a code",
    advice: "A code has 4 to 64 letters, digits, dots, hyphens or underscores.",
  },
} as const satisfies Record<string, { name: string; advice: string }>;

export type Refusal = keyof typeof REFUSALS;

/** A row that was refused, as it may be shown: of a code only its end. */
interface RefusedRow {
  line: number;
  text: string;
  /** Where the code is: an earlier line, or a batch. */
  where?: string | undefined;
}

/** What a file would bring, found out before anything is stored. */
export interface CheckReport {
  /** Under this id the import is done, once. */
  batchId: string;
  /** Rows with something in them, a header not counted. */
  read: number;
  fresh: number;
  refused: Partial<Record<Refusal, number>>;
  /** The first rows of each kind. */
  examples: Partial<Record<Refusal, RefusedRow[]>>;
  /** The earliest date of expiry that the file gives its new codes, as `2027-03-31`. */
  expiresAt: string | null;
}

/** What an import brought. */
export interface ImportReport {
  batchId: string | null;
  read: number;
  imported: number;
}

/** A code as lists show it: its end, and of a short one not even that many letters. */
export function maskCode(code: string): string {
  return `••••${code.slice(code.length - Math.min(4, Math.floor(code.length / 2)))}`;
}
