import { ArrowDown } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "@/components/ui/link";

export interface Column<Row> {
  /** The heading of the column; empty for buttons. */
  header: string;
  /** Shown in place of the heading's text. */
  heading?: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Right-aligned, in figures of equal width. */
  numeric?: boolean;
  /** Hidden on a phone; the row's own page shows the value. */
  wide?: boolean;
  /** The order that the heading's link chooses, the highest or newest first; empty for the default order. */
  sort?: string;
}

/** The order of a list, in its address. */
export interface Sorting {
  /** The chosen order. */
  by: string | undefined;
  /** The address of the list in an order. */
  href: (sort: string | undefined) => string;
}

interface Props<Row> {
  /** The name of the table for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** The page of a row: its first cell becomes the link, and the whole row is clickable. */
  href?: (row: Row) => string;
  sorting?: Sorting;
}

/**
 * The look of every cell, set once, because a page has hundreds of them. On a phone, the gaps between columns are narrow, so
 * that the last column, with the buttons, needs no scrolling; the first, with the row's name, takes the remaining width.
 */
const CELLS =
  "[&_td]:align-middle [&_:is(td,th)]:px-4 [&_:is(td,th)]:py-2.5 max-sm:[&_:is(td,th):first-child]:w-full max-sm:[&_:is(td,th):not(:first-child)]:pl-2 max-sm:[&_:is(td,th):not(:last-child)]:pr-2";

/** A table, rendered on the server without scripts. */
export function Table<Row>({ label, columns, rows, rowKey, href, sorting }: Props<Row>) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard
      tabIndex={0}
      className="relative overflow-x-auto rounded-xl border border-line bg-surface shadow-xs"
    >
      <table className={`w-full border-collapse text-sm ${CELLS}`}>
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr className="border-b border-line bg-subtle/50 text-left text-xs text-muted">
            {columns.map((column) => (
              <th
                key={column.header}
                scope="col"
                aria-sort={isSorted(column, sorting) ? "descending" : undefined}
                className={`font-medium whitespace-nowrap ${place(column) ?? ""}`}
              >
                <Heading column={column} sorting={sorting} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((row) => (
            <tr key={rowKey(row)} className={href ? "relative hover:bg-subtle/60" : undefined}>
              {columns.map((column, index) => (
                <td key={column.header} className={place(column)}>
                  {href && index === 0 ? (
                    <Link href={href(row)} className="font-medium after:absolute after:inset-0">
                      {column.cell(row)}
                    </Link>
                  ) : (
                    column.cell(row)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const isSorted = ({ sort }: { sort?: string }, sorting: Sorting | undefined) =>
  sorting !== undefined && sort !== undefined && sort === (sorting.by ?? "");

/** The name of a column. A column to sort by is a link, which returns to the default order if it is already chosen. */
function Heading<Row>({ column, sorting }: { column: Column<Row>; sorting: Sorting | undefined }) {
  if (column.heading) return column.heading;
  if (!column.header) return <span className="sr-only">Actions</span>;
  if (column.sort === undefined || !sorting) return column.header;
  const sorted = isSorted(column, sorting);
  return (
    <Link
      href={sorting.href(sorted ? undefined : column.sort || undefined)}
      scroll={false}
      className={`-my-1 inline-flex items-center gap-1 rounded-sm py-1 hover:text-ink ${sorted ? "text-ink" : ""}`}
    >
      {column.header}
      <ArrowDown className={`size-3.5 ${sorted ? "" : "opacity-40"}`} aria-hidden />
    </Link>
  );
}

function place({ numeric, wide }: { numeric?: boolean; wide?: boolean }): string | undefined {
  const looks = [...(numeric ? ["text-right tabular-nums"] : []), ...(wide ? ["max-sm:hidden"] : [])];
  return looks.join(" ") || undefined;
}
