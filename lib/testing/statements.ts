import pg from "pg";
import { vi } from "vitest";

interface Asked {
  text?: string;
}

/** Runs `work` and returns the text of every statement that any connection was asked in the meantime. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const spy = vi.spyOn(pg.Client.prototype, "query");
  try {
    await work();
    return spy.mock.calls.map(([asked]) => {
      const one = asked as unknown as string | Asked;
      return typeof one === "string" ? one : (one.text ?? "");
    });
  } finally {
    spy.mockRestore();
  }
}
