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
    advice: "The link in this row redeems another code than the row contains.",
  },
  expired: { name: "Expired", advice: "The expiry date in the file has passed." },
  used: { name: "Used", advice: "The file marks the code as redeemed." },
  not_a_code: {
    name: "Not a code",
    advice: "A code has 4 to 64 letters, digits, dots, hyphens or underscores.",
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
  /** The earliest expiry date of the new codes in the file, such as `2027-03-31`. */
  expiresAt: string | null;
}

/** The result of an import. */
export interface ImportReport {
  batchId: string | null;
  read: number;
  imported: number;
}

/** A code with all but its last four characters hidden; of a short code, half of it at most is shown. */
export function maskCode(code: string): string {
  return `••••${code.slice(code.length - Math.min(4, Math.floor(code.length / 2)))}`;
}
