/** Which part of a list is wanted. Lists are walked by id, newest first, so no page is slower than the first. */
export interface Page {
  /** Id of the last row seen; absent for the first page. */
  cursor?: string | undefined;
  /** Rows, 50 unless said otherwise, at most 100. */
  limit?: number | undefined;
}

export interface Paged<Row> {
  data: Row[];
  /** Where the next page begins; null at the end. */
  nextCursor: string | null;
}

const MAX_ROWS = 100;

/** Rows of a page: `limit` made sound. */
export function pageSize({ limit = 50 }: Page): number {
  return Math.min(Math.max(Math.trunc(limit), 1), MAX_ROWS);
}

/** A page out of `size + 1` rows: the one too many only tells that there is another page. */
export function pageOf<Row extends { id: string }>(rows: Row[], size: number): Paged<Row> {
  const data = rows.slice(0, size);
  return { data, nextCursor: rows.length > size ? (data.at(-1)?.id ?? null) : null };
}
