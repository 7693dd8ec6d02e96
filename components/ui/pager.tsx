import { Link } from "@/components/ui/link";
import { buttonClass } from "./button";

interface Props {
  /** The path of the list. */
  path: string;
  /** The filters in the address. */
  query: Record<string, string | undefined>;
  nextCursor: string | null;
  /** Rows on this page. */
  shown: number;
  /** The requested number of rows. If fewer are shown before the last page, only a part of the list was searched. */
  size?: number;
  /** `other` for a list that is not in the order of time. */
  order?: keyof typeof LABELS;
}

const LABELS = {
  time: { first: "Newest", next: "Older", partial: "Searched 10,000 rows. Older ones may match, too." },
  other: {
    first: "First page",
    next: "Next page",
    partial: "Searched 10,000 rows. Later ones may match, too.",
  },
};

/** The address of a list with its filters, without empty ones. */
export function listHref(path: string, query: Record<string, string | undefined>): string {
  const filled = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]));
  const search = new URLSearchParams(filled).toString();
  return search === "" ? path : `${path}?${search}`;
}

/** Links to the first and the next page of a list. */
export function Pager({ path, query, nextCursor, shown, size = 50, order = "time" }: Props) {
  const labels = LABELS[order];
  if (!nextCursor && !query.cursor) return null;
  const partial = nextCursor !== null && shown < size;
  const link = buttonClass({ variant: "secondary", size: "sm" });
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center justify-between gap-3">
      <p className="text-note text-muted">{partial ? labels.partial : ""}</p>
      <div className="flex gap-2">
        {query.cursor && (
          <Link href={listHref(path, { ...query, cursor: undefined })} className={link}>
            {labels.first}
          </Link>
        )}
        {nextCursor && (
          <Link href={listHref(path, { ...query, cursor: nextCursor })} className={link}>
            {partial ? "Keep searching" : labels.next}
          </Link>
        )}
      </div>
    </nav>
  );
}
