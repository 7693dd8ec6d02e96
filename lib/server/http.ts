import { createServer, type Server } from "node:http";
import { requestListener, type Site } from "@/lib/server/listener";
import { answerSocketErrors } from "@/lib/server/socket-errors";

/**
 * The HTTP server with its limits: 16 KiB of headers within 15 s; a whole upload within 5 minutes (API bodies within
 * 15 s, see `readBody`); idle connections outlive the 60 s that proxies in front keep theirs.
 */
export function createHttpServer(site: Site): Server {
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 15_000,
      requestTimeout: 300_000,
      connectionsCheckingInterval: 5_000,
      keepAliveTimeout: 65_000,
      requireHostHeader: false,
      noDelay: true,
    },
    requestListener(site),
  );
  answerSocketErrors(server);
  return server;
}
