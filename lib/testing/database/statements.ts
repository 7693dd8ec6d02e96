import pg from "pg";
import { vi } from "vitest";

interface QueryConfig {
  text?: string;
}

/** Statements that run once a second for all requests together. */
const BACKGROUND = /^select (store_requests|store_clicks)\(/;

/** Runs `work` and returns the text of every statement that any connection of this process ran meanwhile. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const spy = vi.spyOn(pg.Client.prototype, "query");
  try {
    await work();
    const texts = spy.mock.calls.map(([argument]) => {
      const query = argument as unknown as string | QueryConfig;
      return typeof query === "string" ? query : (query.text ?? "");
    });
    return texts.filter((text) => !BACKGROUND.test(text));
  } finally {
    spy.mockRestore();
  }
}
