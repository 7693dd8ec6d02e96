import pg from "pg";
import { vi } from "vitest";

interface Asked {
  text?: string;
}

/** Written each second for all requests together, and so by no request. */
const BESIDE = /^select (store_requests|store_clicks)\(/;

/** Runs `work` and returns the text of every statement that any connection was asked in the meantime. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const spy = vi.spyOn(pg.Client.prototype, "query");
  try {
    await work();
    const texts = spy.mock.calls.map(([asked]) => {
      const one = asked as unknown as string | Asked;
      return typeof one === "string" ? one : (one.text ?? "");
    });
    return texts.filter((text) => !BESIDE.test(text));
  } finally {
    spy.mockRestore();
  }
}
