import type { Paged } from "@/lib/page";

/** Every row of a list, read page by page while they are taken: memory stays that of one page. */
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
