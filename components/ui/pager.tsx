import Link from "next/link";
import { buttonClass } from "./button";

interface Props {
  /** Path of the list. */
  path: string;
  /** The filters as they stand in the address bar. */
  query: Record<string, string | undefined>;
  nextCursor: string | null;
  /** Rows on this page. */
  shown: number;
  /** Rows that were asked for: with fewer, only a part of the list was looked at. */
  size?: number;
  /** Where a list is not in the order of time. */
  words?: Words;
}

interface Words {
  first: string;
  next: string;
  partial: string;
}

const WORDS: Words = {
  first: "Newest",
  next: "Older",
  partial: "Looked at the newest 10,000 here. Older ones may match as well.",
};

/** The address of a list with some of its filters changed; empty ones are left out. */
export function listHref(path: string, query: Record<string, string | undefined>): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]));
  const search = new URLSearchParams(given).toString();
  return search === "" ? path : `${path}?${search}`;
}

/** The way through a list: back to its first page, on to the next. The browser's own way back works as well. */
export function Pager({ path, query, nextCursor, shown, size = 50, words = WORDS }: Props) {
  if (!nextCursor && !query.cursor) return null;
  const partial = nextCursor !== null && shown < size;
  const link = buttonClass({ variant: "secondary", size: "sm" });
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center justify-between gap-3">
      <p className="text-[13px] text-muted">{partial ? words.partial : ""}</p>
      <div className="flex gap-2">
        {query.cursor && (
          <Link href={listHref(path, { ...query, cursor: undefined })} prefetch={false} className={link}>
            {words.first}
          </Link>
        )}
        {nextCursor && (
          <Link href={listHref(path, { ...query, cursor: nextCursor })} prefetch={false} className={link}>
            {partial ? "Keep looking" : words.next}
          </Link>
        )}
      </div>
    </nav>
  );
}
