import { type CheckReport, type FileConcern, maskMiddle, STORE_CODE_LENGTHS } from "@/lib/contract/code-file";
import type { Platform } from "@/lib/contract/fields";
import {
  formatCount,
  formatLongDate,
  formatNumber,
  isoDay,
  PLATFORM_NAME,
  STORE_NAME,
} from "@/lib/contract/format";
import { fail } from "@/lib/platform/errors";
import { columnName, dayAndMonth, FOREIGN_EXPIRES, isLink, type Row, readDate, readHeader } from "./read-row";

/** Codes shown of each end of a file. */
const SHOWN = 3;
/** Columns that a refusal or a concern names. */
const NAMED = 4;
/** Characters shown of a cell that could not be read. */
const MAX_TEXT = 40;

const OTHER: Record<Platform, Platform> = { ios: "android", android: "ios" };

/** Lists without a code, by what most of their rows begin with. */
const OTHER_LISTS: readonly [name: string, cell: RegExp][] = [
  ["email addresses", /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
  ["IDs", /^([\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|GPA\.[\d.-]+|[a-z]\w*(\.\w+){2,})$/i],
  ["dates", /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([ T].*)?$/],
  ["names or words", /^\p{L}[\p{L}\s'’.-]*$/u],
];

/** The words of German headers of expiry dates, which have the day first. */
const GERMAN_DATES = /^(g(ü|ue)ltig|einl(ö|oe)sbar|verf(ü|ue)gbar|ablauf|verf(a|ä|ae)ll|l(ä|ae)uft)/i;

const newCells = () => ({ count: 0, texts: new Set<string>() });

/** A row of column names: two or more cells, all of them words. */
function isRowOfNames(cells: readonly string[]): boolean {
  return cells.length > 1 && cells.every((cell) => /^¿?\p{L}[^\d]*$/u.test(cell));
}

const shownNames = (names: readonly string[]): string =>
  names.slice(0, NAMED).join(", ") + (names.length > NAMED ? ", …" : "");

const SEPARATORS = [",", ";", "\t"];

/**
 * The characters that separate cells: only the one of the header if it is a tab or a semicolon, since cells may then have commas.
 * All of them if lines disagree: a note can read like a header, and joined files may differ.
 */
export function separatorsOf(head: Buffer | string): string[] {
  const lines = head
    .toString()
    .slice(0, 4_096)
    .split(/[\r\n]+/);
  const cellsOf = (line: string, separator: string) =>
    line.split(separator).map((cell) => cell.replace(/^[\s"\ufeff]+|[\s"]+$/g, ""));
  const isOfHeader = (separator: string) =>
    lines.some((line) => line.includes(separator) && readHeader(cellsOf(line, separator)));
  const [own = "", other] = SEPARATORS.filter(isOfHeader);
  return own === "," || own === "" || other ? SEPARATORS : [own];
}

/** Whether a text is only letters and can be spoken, like a heading that is as long as a code. */
const mayBeWord = (text: string) =>
  /^[A-Z]+$/i.test(text) && !/[^aeiouy]{5}/i.test(text) && /([aeiouy].*){3}/i.test(text);

/**
 * The shape of a file, from its rows as they pass, in constant memory: a table without a column of codes is refused, and
 * anything else that makes a list unlikely is a concern that the sender has to agree to.
 */
export class FileShape {
  private header = false;
  /** The code of the first row, where it may be a heading. */
  private heading: string | undefined;
  private names: readonly string[] | undefined;
  /** The first row names columns, none of them known. */
  private unknownNames = false;
  private rows = 0;
  private wide = 0;
  private columns = 1;
  private codes = 0;
  /** Rows with a code, or with one that cannot be imported. */
  private withCode = 0;
  private numbers = 0;
  /** Rows of each of the other lists. */
  private readonly others = OTHER_LISTS.map(() => 0);
  /** Codes by their length. */
  private readonly lengths = new Map<number, number>();
  /** Cells that could not be read: their number, and the first different ones. */
  private readonly unread = { expires: newCells(), status: newCells() };
  /** Whether a date shows that the day or the month comes first, and the first date that shows neither. */
  private readonly dates = { day: false, month: false, unclear: "" };
  /** The first and the last expiry of a code. */
  private readonly expiry = { first: Number.POSITIVE_INFINITY, last: 0 };
  private readonly first: string[] = [];
  private readonly last: string[] = [];

  constructor(private readonly platform: Platform) {}

  /** Records that the file has this header row, which names its column of codes or links. */
  addHeader(cells: readonly string[]): void {
    this.header = true;
    this.names ??= cells.filter(Boolean);
    const names = cells.map(columnName);
    if (names.some((name) => GERMAN_DATES.test(name) || FOREIGN_EXPIRES.test(name))) this.dates.day = true;
  }

  /** Adds a row with its cells. */
  add(cells: readonly string[], row: Row): void {
    const filled = cells.filter(Boolean);
    this.rows += 1;
    if (this.rows === 1 && !this.header && isRowOfNames(filled)) {
      this.names = filled;
      this.unknownNames = !("code" in row);
    }
    if ("code" in row || row.fault !== "not_a_code") this.withCode += 1;
    if (this.rows === 1 && !this.header && "code" in row && mayBeWord(row.code)) this.heading = row.code;
    if (filled.length > 1 && !filled.some((cell) => isLink(cell))) {
      this.wide += 1;
      this.columns = Math.max(this.columns, cells.length);
    }
    if ("code" in row) {
      this.addCode(row.code);
      this.expiry.first = Math.min(this.expiry.first, row.expires ?? Number.POSITIVE_INFINITY);
      this.expiry.last = Math.max(this.expiry.last, row.expires ?? 0);
      if (row.unread) this.addUnread(row.unread);
    }
    const other = OTHER_LISTS.findIndex(([, cell]) => cell.test(filled[0] ?? ""));
    if (other >= 0) this.others[other] = (this.others[other] ?? 0) + 1;
  }

  private addCode(code: string): void {
    this.codes += 1;
    if (/^\d+$/.test(code)) this.numbers += 1;
    this.lengths.set(code.length, (this.lengths.get(code.length) ?? 0) + 1);
    if (this.first.includes(code) || this.last.includes(code)) return;
    if (this.first.length < SHOWN) this.first.push(code);
    else if (this.last.push(code) > SHOWN) this.last.shift();
  }

  private addUnread(unread: NonNullable<Extract<Row, { code: string }>["unread"]>): void {
    for (const name of ["expires", "status"] as const) {
      const [cells, text] = [this.unread[name], unread[name]];
      if (text === undefined) continue;
      cells.count += 1;
      if (cells.texts.size < SHOWN) cells.texts.add(`“${text.slice(0, MAX_TEXT)}”`);
    }
  }

  /** Records the order of day and month in a cell of the column of expiry dates. */
  addDate(cell: string): void {
    const [first, second] = dayAndMonth(cell) ?? [0, 0];
    if (first > 12) this.dates.day = true;
    else if (second > 12) this.dates.month = true;
    else if (first !== second && !Number.isNaN(readDate(cell))) this.dates.unclear ||= cell;
  }

  /** The order of day and month that the dates show, or a date that can be read either way. */
  orderOfDates(): Pick<CheckReport["dates"], "evident" | "unclear"> {
    const { day, month, unclear: text } = this.dates;
    if (day !== month) return { evident: day ? "day" : "month", unclear: null };
    const read = (order: "day" | "month") => isoDay(readDate(text, order));
    return { evident: null, unclear: text ? { text, day: read("day"), month: read("month") } : null };
  }

  /** The codes at both ends of the file, masked. */
  ends(): { first: string[]; last: string[] } {
    return { first: this.first.map(maskMiddle), last: this.last.map(maskMiddle) };
  }

  /** Throws VALIDATION_ERROR for a list of something else, and for a table whose named columns have no codes or links. */
  assertList(): void {
    const most = this.codes === 0 ? this.others.findIndex((count) => count * 2 > this.rows) : -1;
    const list = OTHER_LISTS[most]?.[0];
    if (list && this.columns === 1)
      fail(
        "VALIDATION_ERROR",
        `This looks like a list of ${list}, not of codes. Choose the file with the codes`,
      );
    if ((this.header && this.withCode > 0) || !this.names || this.wide * 2 <= this.rows) return;
    fail(
      "VALIDATION_ERROR",
      `This looks like a report with ${this.names.length} columns (${shownNames(this.names)}), not a list of codes. If one of its columns holds codes, name that column “Code”`,
    );
  }

  /** The concerns to which the sender has to agree, each with its reason. */
  concerns(): Partial<Record<FileConcern, string>> {
    const { codes, platform } = this;
    const found: Partial<Record<FileConcern, string>> = {};
    if (codes === 0) return found;
    const other = OTHER[platform];
    const foreign = STORE_CODE_LENGTHS[other].reduce(
      (sum, length) => sum + (this.lengths.get(length) ?? 0),
      0,
    );
    if (foreign * 2 > codes) {
      found.other_store = `These look like ${STORE_NAME[other]} codes, but the pool is for ${PLATFORM_NAME[platform]}.`;
    }
    if (this.heading && codes > 1) {
      found.heading = `The first row, “${maskMiddle(this.heading)}”, may be a heading. It would be imported as a code.`;
    }
    const [[length, usual] = [0, 0]] = [...this.lengths].sort(([, a], [, b]) => b - a);
    if (usual < codes) {
      found.lengths = `The codes differ in length: ${formatNumber(usual)} of ${formatCount(codes, "code")} ${usual === 1 ? "has" : "have"} ${length} characters. A store gives all codes of an offer the same length.`;
    }
    if (this.numbers * 2 > codes) {
      found.numbers = "These contain only digits. The stores' codes also contain letters.";
    }
    // Also where few rows have a second cell: it may be the mark of a used code.
    if (!this.header && this.names && this.unknownNames && this.wide > 1) {
      found.columns = `The names of the columns (${shownNames(this.names)}) are not known. Each row's code is taken from its first column. Used or expired codes among them would be imported.`;
    } else if (!this.header && this.wide * 2 > this.rows) {
      found.columns = `The file has ${this.columns} columns and no header. Each row's code is taken from its first column.`;
    }
    const { first, last } = this.expiry;
    if (first < last && isoDay(first) !== isoDay(last)) {
      const days = `from ${formatLongDate(new Date(first))} to ${formatLongDate(new Date(last))}`;
      found.expires = `The codes expire on different days, ${days}. A batch has one day, and none of its codes is assigned from then on. Import a file for each day, or enter the day for all below.`;
    }
    const { expires, status } = this.unread;
    if (expires.count > 0) {
      const unreadable = `The expiry of ${formatCount(expires.count, "code")} cannot be read: ${[...expires.texts].join(", ")}. Expired codes among them would be imported. Write days as 2027-03-31, or enter the expiry below.`;
      found.expires = found.expires ? `${found.expires} ${unreadable}` : unreadable;
    }
    if (status.count > 0) {
      found.status = `The status of ${formatCount(status.count, "code")} is not known: ${[...status.texts].join(", ")}. ${status.count === 1 ? "It" : "They"} would be imported as free.`;
    }
    return found;
  }

  /** Throws VALIDATION_ERROR with the first concern that is not among those agreed to. */
  assertAgreed(agreed: readonly FileConcern[]): void {
    const [open] = Object.entries(this.concerns()).filter(([name]) => !agreed.includes(name as FileConcern));
    if (open)
      fail("VALIDATION_ERROR", `${open[1]} Check the file again and confirm this`, { field: "agreed" });
  }
}
