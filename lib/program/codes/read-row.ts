import { CODE_PATTERN } from "@/lib/contract/batch";
import {
  DATE_ORDERS,
  type DateOrder,
  type FileConcern,
  type RowRefusal,
  STORE_CODE_LENGTHS,
} from "@/lib/contract/code-file";
import type { Platform } from "@/lib/contract/fields";

/** The index of each column in a file; -1 or an empty list for those that the file does not have. */
export interface CodeColumns {
  code: number;
  link: number;
  expires: number;
  status: number;
  /** Columns that say whether, when or by whom a code was redeemed, or that it has expired. */
  use: readonly number[];
  /** Columns that say to whom or when a code was sent: a date there may be that of the whole list. */
  sent: readonly number[];
  /** Columns that say by yes or no whether a code is available. */
  available: readonly number[];
}

const CODE_HEADER =
  /^((offer|promo|promotion|promotional|redemption|subscription|coupon|voucher|gutschein|aktions|one[- _]?time|custom)[- _]?)*codes?( \d{1,4}|[-_]?\d)?$/i;
const LINK_HEADER = /^((redemption|redeem|offer|code|promo)[- _]?)*(url|link)s?$/i;
const EXPIRES_HEADER =
  /^((code[- _]?)?(expir(y|es?|ation|ed(?=.?(at|on|date|time)))|(valid|available|active)[- _]?(until|till|to|thru|through)|end)([- _]?(date|time|on|at))*|(g(ü|ue)ltig|einl(ö|oe)sbar|verf(ü|ue)gbar)[- _]?bis([- _]?zum)?|(ablauf|verfall)s?[- _]?(datum)?|(l(ä|ae)uft[- _]?ab|verf(ä|ae)llt)([- _]?am)?)$/i;
const STATUS_HEADER = /^((code|current)[- _]?)*(status|state|zustand)$/i;
/** Headers of expiry dates in further languages, whose dates begin with the day or the year. */
export const FOREIGN_EXPIRES =
  /^((date|fecha|data)[- _])?(de |di |d['’])?(expiraci(ó|o)n|expira(ç|c)(ã|a)o|caducidad|vencimiento|vencimento|scadenza|fin de validit(é|e)|validade)$|^(date d['’]expiration|expire le|valable jusqu['’]au|v(á|a)lido (hasta|at(é|e)|fino al)|(caduca|vence) el|expira (el|em)|scade il|vervaldatum|geldig tot|wa(ż|z)ny do|срок действия|действителен до|действует до|有効期限|使用期限|有效期至?|到期日?|过期(时间|日期)|만료일|유효기간)$/iu;
/** Their values raise a concern, like every unknown status. */
const FOREIGN_STATUS =
  /^(estado|(é|e)tat|statut|stato|situa(ç|c)(ã|a)o|статус|状態|ステータス|状态|狀態|상태|durum)$/iu;
const USE_HEADER =
  /^((code|is|was|times|number[- _]of|date|ist|wurde|bereits|schon|already)[- _]?)*(redeemed|redemptions|used|claimed|assigned|taken|reserved|eingel(ö|oe)st|verwendet|benutzt|genutzt|vergeben|zugeteilt|zugewiesen|reserviert|(redemption|redeem|usage|use|claim)(?=.?(date|time|status|count))|einl(ö|oe)se(?=datum)|(expired|abgelaufen|verfallen)(?=\s?\??$))([- _]?(at|on|by|to|for|date|time|status|count|user|customer|email|datum|am|von|an|f(ü|ue)r))*\s?\??$/i;
/** In further languages: a cross or a date there is a use as well, and words raise a concern. */
const FOREIGN_USE =
  /^¿?(((d(é|e)j(à|a)|ya|gi(à|a)|j(á|a)|al|уже)[- _])?((canjead|usad|utilizad|asignad|resgatad|atribu(í|i)d)[oa]s?|(utilis|(é|e)chang|attribu)(é|e)e?s?|(usat|utilizzat|riscattat|assegnat)[oaie]|gebruikt|ingewisseld|(wykorzystan|użyt)[yaeo]|(использован|активирован)[аоы]?|kullanıldı|使用済み?|引き?換え?済み?|已使用|已兑换|已兌換|사용됨)([- _](el|le|il|em|en|a|à|por|par|da|de|pour|para|per|op|door|aan|przez|do|кем|когда|кому))?|(date|fecha|data)[- _](d['’]|d[eio][- _])?(utilisation|(é|e)change|canje|uso|utilizaci(ó|o)n|utiliza(ç|c)(ã|a)o|resgate|utilizzo|riscatto|użycia|wykorzystania)|дата[- _](использования|активации)|(使用|利用)(日時?|日期)|兑换日期|兌換日期|사용일)\s?[?？]?$/iu;
const SENT_HEADER =
  /^¿?(((code|is|was|date|ist|wurde|bereits|schon|already|d(é|e)j(à|a)|ya|gi(à|a)|j(á|a)|al|уже)[- _]?)*(sent|given|handed[- _]out|issued|distributed|delivered|sold|verschickt|versendet|versandt|gesendet|ausgegeben|(versand|ausgabe)(?=datum)|envoy(é|e)e?s?|enviad[oa]s?|inviat[oaie]|verzonden|wysłan[yaeo]|(отправлен|выдан)[аоы]?)([- _]?(at|on|by|to|for|date|time|status|datum|am|von|an|f(ü|ue)r)|[- _](el|le|il|em|en|a|à|por|par|da|de|pour|para|per|op|door|aan|przez|do|кем|когда|кому)){0,3}|(date|fecha|data)[- _](d['’]|d[eio][- _])?(envoi|env(í|i)o|invio|wysłania)|дата[- _](отправки|выдачи))\s?\??$/iu;
const AVAILABLE_HEADER =
  /^((code|is|ist|still|noch)[- _]?)*((uses|redemptions)[- _](left|remaining)|remaining([- _](uses|redemptions))?|available|free|active|valid|unused|unredeemed|not[- _](used|redeemed|claimed)|verf(ü|ue)gbar|frei|aktiv|g(ü|ue)ltig|un(benutzt|verwendet|genutzt)|nicht[- _](eingel(ö|oe)st|verwendet|benutzt|vergeben))\??$/i;
const FOREIGN_AVAILABLE =
  /^¿?((encore|todav(í|i)a|aún|ancora|ainda|nog|jeszcze|ещ(ё|е))[- _])?(disponib(le|ile|ili)s?|dispon(í|i)ve(l|is)|libres?|liber[oi]|livres?|actifs?|activ[oa]s?|ativ[oa]s?|attiv[oaie]|beschikbaar|dostępn[yaeo]|доступ(ен|на|но|ны)|свобод(ен|на|но|ны)|no(n|t)?[- _](canjead|usad|utilizad)[oa]s?|n(ã|a)o[- _](resgatad|usad|utilizad)[oa]s?|non[- _]((utilis|(é|e)chang)(é|e)e?s?|(usat|utilizzat|riscattat)[oaie])|niet[- _]gebruikt|nie(wykorzystan|użyt)[yaeo]|не[- _]?использован[аоы]?|未使用|未兑换|未兌換|利用可能?|使用可能?|可用|미사용|사용 ?가능)\s?\??$/iu;

const OF_THE_OFFER = /^((offer|promo|coupon|voucher|code|current)[- _]?)+(?=.)/i;

/** The name in a header's cell, without a note such as "(UTC)". The number sign of "Nº usados" is not a "no". */
export function columnName(cell: string): string {
  const name = cell.replace(/[º№]/g, ".").normalize("NFKC");
  return name.endsWith(")") ? name.slice(0, name.lastIndexOf("(")).trimEnd() : name;
}

/** The columns of a header row, in the spellings of stores and spreadsheets; undefined if the row is not a header. */
export function readHeader(row: readonly string[]): CodeColumns | undefined {
  const cells = row.map(columnName);
  // The plainest name counts: beside an "Expiration Date", an "Offer Expiration Date" is not the code's.
  const forms = [row, cells, cells.map((name) => name.replace(OF_THE_OFFER, ""))];
  const find = (...headers: RegExp[]) =>
    forms
      .map((names) => names.findIndex((name) => headers.some((header) => header.test(name))))
      .find((column) => column >= 0) ?? -1;
  const [code, link] = [find(CODE_HEADER), find(LINK_HEADER)];
  if (code < 0 && link < 0) return undefined;
  const findAll = (header: RegExp, other = header) =>
    cells.flatMap((cell, column) => (header.test(cell) || other.test(cell) ? [column] : []));
  const [use, sent] = [findAll(USE_HEADER, FOREIGN_USE), findAll(SENT_HEADER)];
  const [expires, status] = [find(EXPIRES_HEADER, FOREIGN_EXPIRES), find(STATUS_HEADER, FOREIGN_STATUS)];
  return { code, link, expires, status, use, sent, available: findAll(AVAILABLE_HEADER, FOREIGN_AVAILABLE) };
}

const HEADERS = [
  ...[CODE_HEADER, LINK_HEADER, EXPIRES_HEADER, FOREIGN_EXPIRES, STATUS_HEADER, FOREIGN_STATUS],
  ...[USE_HEADER, FOREIGN_USE, SENT_HEADER, AVAILABLE_HEADER, FOREIGN_AVAILABLE],
];

/** Whether a row under known columns has a code, although another of its cells, such as "Promo code", may be a header. */
export function hasCode(cells: readonly string[], columns: CodeColumns, expected: CodeKind): boolean {
  const code = cells[columns.code] ?? "";
  if (HEADERS.some((header) => header.test(code))) return false;
  const row = readRow(cells, columns, expected);
  return "code" in row || row.fault !== "not_a_code";
}

/** The reason why a row has no usable code. */
type RowFault = Exclude<RowRefusal, "repeated_in_file" | "already_stored" | "in_other_import">;

/** The codes that a file should contain. */
export interface CodeKind {
  platform: Platform;
  kind: "one_time" | "custom";
  /** Where known, links to another app are refused. */
  appleAppId?: string | null;
  dates?: DateOrder | undefined;
}

/** The columns whose cells are read beside the code. */
type ReadColumn = Extract<FileConcern, "expires" | "status">;

/**
 * `text` is the cell instead of a code; `expires` comes from a column of the file, in milliseconds since 1970. `unread` are
 * cells with a date or a word that is not known.
 */
export type Row =
  | { code: string; expires?: number; unread?: Partial<Record<ReadColumn, string>> }
  | { fault: RowFault; text: string };

type Link = { code: string } | { fault: RowFault };

const STORE_HOST: Record<Platform, string> = { ios: "apps.apple.com", android: "play.google.com" };
/** Whether a cell holds a link, which may hold a code. */
export const isLink = (cell: string): boolean => /^https?:\/\//i.test(cell);

/** Values of a status column for codes that can no longer be assigned, those of our own exports among them. */
const USED =
  /^(redeemed|used|claimed|taken|assigned|confirmed|reserved|inactive|deactivated|expired|revoked|void|yes|true|eingel(ö|oe)st|verwendet|benutzt|vergeben|abgelaufen|verfallen|ung(ü|ue)ltig|inaktiv|gesperrt|reserviert|ja|wahr)$/i;
/** Values for codes that can be assigned. */
const FREE =
  /^(|[-–—]|free|available|active|valid|new|open|unused|unredeemed|not[- _](used|redeemed|claimed)|no|false|frei|verf(ü|ue)gbar|aktiv|g(ü|ue)ltig|neu|offen|un(benutzt|verwendet|genutzt)|nicht[- _](eingel(ö|oe)st|verwendet|benutzt|vergeben)|nein|falsch)$/i;
/** Marks that say yes to the header of their column. */
const MARK = /^[1x✓✔]$/i;
const YES = /^(y|yes|true|j|ja|wahr)$/i;
const NO = /^(0|n|no|false|nein|falsch)$/i;
/** Values of an expiry column for codes without an end. */
const ENDLESS =
  /^(|[-–—]|n\/a|none|never|unlimited|no[- _](expiry|expiration|end)|nie|keins?|kein[- _](ablauf|verfall|ende)|unbegrenzt|unbefristet)$/i;
const MAX_SHOWN = 200;

/** Dates, numbers with a point, UUIDs, and Google Play's order numbers. */
const OTHER_VALUE =
  /^(\d{1,4}[-.]\d{1,2}[-.]\d{1,4}|\d+(\.\d+)+(E-?\d+)?|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|GPA\.[\d.-]+)$/i;
const WORDS = /^[A-Za-z._-]+$/;
/** Letters alone, and not those of a capitalised word. */
const CODE_WITHOUT_DIGITS = /^(?![A-Z][a-z]+$)[A-Za-z]+$/;
const LENGTHS = Object.values(STORE_CODE_LENGTHS).flat();

/**
 * Whether a text is a word of a header or a report, a date, a number or an identifier. A store's one-time code without a digit is
 * possible, but not capitalised and only as long as the stores' codes are.
 */
function isOtherValue(text: string, kind: CodeKind["kind"]): boolean {
  if (kind === "custom") return false;
  if (OTHER_VALUE.test(text)) return true;
  return WORDS.test(text) && (!CODE_WITHOUT_DIGITS.test(text) || !LENGTHS.includes(text.length));
}

function readLink(text: string, expected: CodeKind): Link {
  if (!URL.canParse(text)) return { fault: "not_a_code" };
  const { hostname, searchParams } = new URL(text);
  if (hostname !== STORE_HOST[expected.platform]) return { fault: "other_store" };
  const app = searchParams.get("id");
  const other = expected.platform === "ios" && app && expected.appleAppId && app !== expected.appleAppId;
  if (other) return { fault: "other_app" };
  const code = searchParams.get("code");
  return code ? { code } : { fault: "not_a_code" };
}

/** Without a header, the link is the cell that looks like one, and the code is the first other cell with content. */
function codeAndLink(cells: readonly string[], columns?: CodeColumns): { code: string; link: string } {
  const link = columns ? cells[columns.link] : cells.find(isLink);
  const code = columns ? cells[columns.code] : cells.find((cell) => cell !== "" && !isLink(cell));
  return { code: code ?? "", link: link ?? "" };
}

/** The code of a row, in the store's spelling: Apple's one-time codes are upper case. */
export function readRow(cells: readonly string[], columns: CodeColumns | undefined, expected: CodeKind): Row {
  const { code, link } = codeAndLink(cells, columns);
  const upper = expected.platform === "ios" && expected.kind === "one_time";
  const spell = (text: string) => (upper ? text.toUpperCase() : text);
  const linked = link ? readLink(link, expected) : undefined;
  const refuse = (fault: RowFault, text = code || link) => ({ fault, text: text.slice(0, MAX_SHOWN) });
  if (linked && "fault" in linked) return refuse(linked.fault);
  // A numbered or annotated row has cells beside the code; the link then says which cell is the code.
  const text = spell(
    linked && (code === "" || (!columns && cells.includes(linked.code))) ? linked.code : code,
  );
  if (!CODE_PATTERN.test(text) || (!linked && isOtherValue(code, expected.kind)))
    return refuse("not_a_code", cells.join(" "));
  if (linked && spell(linked.code) !== text) return refuse("link_differs", text);
  return columns ? readStatus(text, cells, columns, expected.dates) : { code: text };
}

const saysYes = (cell: string) => USED.test(cell) || YES.test(cell) || MARK.test(cell);
const saysUsed = (cell: string) => saysYes(cell) || isDate(cell);
const deniesAvailable = (cell: string) => NO.test(cell) || (USED.test(cell) && !YES.test(cell));
/** An empty cell or a dash may mean either. */
const saysAvailable = (cell: string) =>
  YES.test(cell) || MARK.test(cell) || (FREE.test(cell) && /\p{L}/u.test(cell));

/** Applies the columns of status, use and expiry. */
function readStatus(code: string, cells: readonly string[], columns: CodeColumns, dates?: DateOrder): Row {
  const cell = (column: number) => cells[column] ?? "";
  const [status, date] = [cell(columns.status), cell(columns.expires)];
  const [use, sent, available] = [columns.use.map(cell), columns.sent.map(cell), columns.available.map(cell)];
  const used = use.some(saysUsed) || sent.some(saysYes) || available.some(deniesAvailable);
  if (used || USED.test(status)) return { fault: "used", text: code };
  const end = ENDLESS.test(date) ? undefined : readDate(date, dates);
  if (end !== undefined && end <= Date.now()) return { fault: "expired", text: code };
  const unknown =
    [...use, ...sent].find((text) => !FREE.test(text) && !NO.test(text)) ??
    available.find((text) => !saysAvailable(text)) ??
    (FREE.test(status) ? undefined : status);
  const unread = {
    ...(Number.isNaN(end) && { expires: date }),
    ...(unknown !== undefined && { status: unknown || "(empty)" }),
  };
  return { code, ...(end && { expires: end }), ...(Object.keys(unread).length > 0 && { unread }) };
}

/** Months that are not the same in English. */
const GERMAN_MONTHS: Record<string, string> = { mär: "Mar", mae: "Mar", mai: "May", okt: "Oct", dez: "Dec" };

/** Words within a date. */
const DATE_WORD =
  /^(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|utc|gmt|[pmce][sd]t$)/i;

/** A date that begins with day and month or with month and day. */
const TWO_ORDERS = /^(\d{1,2})([/-])(\d{1,2})\2(\d{4})(?!\d)/;
const NUMERIC_DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)/;

/** The first two numbers of a date that begins with day and month in either order; undefined for any other cell. */
export function dayAndMonth(cell: string): [first: number, second: number] | undefined {
  const found = TWO_ORDERS.exec(cell);
  return found ? [Number(found[1]), Number(found[3])] : undefined;
}

const isDate = (cell: string) => DATE_ORDERS.some((order) => !Number.isNaN(readDate(cell, order)));

/**
 * Reads a date. Without a zone it is UTC, whatever the server's zone; 5.12.2027 is in December. NaN without day, month and
 * year: 46387, the number of a day in a spreadsheet, would otherwise be a year.
 */
export function readDate(cell: string, order: DateOrder = "month"): number {
  const text = cell
    .replace(TWO_ORDERS, order === "day" ? "$4-$3-$1" : "$4-$1-$3")
    .replace(/ uhr$/i, "")
    .replace(/^(\d{1,2})\.(\d{1,2})\.(?:20)?(\d{2})(?!\d)/, "20$3-$2-$1")
    .replace(/\p{L}+/gu, (word) => GERMAN_MONTHS[word.slice(0, 3).toLowerCase()] ?? word);
  const parts = text.match(/\d+|\p{L}{3,}/gu) ?? [];
  const known = parts.every((part) => /^\d/.test(part) || DATE_WORD.test(part));
  if (!known || parts.length < 3 || !parts.some((part) => /^\d{4}$/.test(part))) return Number.NaN;
  const [, year, month, day] = NUMERIC_DATE.exec(text)?.map(Number) ?? [];
  // Otherwise 31/02 would be in March.
  if (year && month && day && day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return Number.NaN;
  const utc = Date.parse(`${text} UTC`);
  return Number.isNaN(utc) ? Date.parse(text) : utc;
}
