import type { Server } from "node:http";
import { afterAll, beforeAll } from "vitest";
import { createHttpServer } from "@/lib/server/http";
import { table, unknown } from "@/lib/server/routes";

/** Our own server on a port of this machine, without the pages behind it, for as long as a file's tests run. */
export function useServer(port: number): void {
  let server: Server;
  beforeAll(async () => {
    const pages = async () => undefined;
    server = createHttpServer({ table, unknown, pages, hops: 0, draining: () => false });
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
}
