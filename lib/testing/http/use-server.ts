import type { Server } from "node:http";
import { afterAll, beforeAll } from "vitest";
import { table, unknown } from "@/lib/cli/routes";
import { createHttpServer } from "@/lib/web/server/http-server";

/** Runs our own server, without pages, on a port of this machine while a file's tests run. */
export function useServer(port: number): void {
  let server: Server;
  beforeAll(async () => {
    const pages = async () => undefined;
    server = createHttpServer({ table, unknown, pages, hops: 0, draining: () => false });
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
}
