/** The requested part of a list. Lists are walked by id, newest first, so no page is slower than the first. */
export interface Page {
  /** Id of the last row seen; absent for the first page. */
  cursor?: string | undefined;
  /** Rows: 50 by default, at most 100. */
  limit?: number | undefined;
}

export interface Paged<Row> {
  data: Row[];
  /** The start of the next page; null at the end. */
  nextCursor: string | null;
}

const MAX_ROWS = 100;

/** Rows of a page: `limit` within its bounds. */
export function pageSize({ limit = 50 }: Page): number {
  return Math.min(Math.max(Math.trunc(limit), 1), MAX_ROWS);
}

/** A page from `size + 1` rows: the extra row only shows that there is another page. */
export function pageOf<Row extends { id: string }>(rows: Row[], size: number): Paged<Row> {
  const data = rows.slice(0, size);
  return { data, nextCursor: rows.length > size ? (data.at(-1)?.id ?? null) : null };
}

/** Every row of a list, read page by page as the rows are consumed: memory holds one page. */
export async function* allPages<Row>(
  read: (cursor: string | undefined) => Promise<Paged<Row>>,
): AsyncGenerator<Row> {
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    yield* page.data;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}
