/** The reason why a request to a tenant's address has no response. `refused`: it was never sent. */
type EgressReason = "refused" | "unknown_host" | "unreachable" | "tls" | "timeout" | "broken";

/** A request without a response. The message is shown in the delivery log and names no private address. */
export class EgressError extends Error {
  readonly reason: EgressReason;

  constructor(reason: EgressReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "EgressError";
    this.reason = reason;
  }
}

const CODES: Record<string, [EgressReason, string]> = {
  ECONNREFUSED: ["unreachable", "The connection was refused: no server listens on this address and port"],
  EHOSTUNREACH: ["unreachable", "The host is unreachable"],
  ENETUNREACH: ["unreachable", "The network is unreachable"],
  ETIMEDOUT: ["unreachable", "The connection timed out"],
  ECONNRESET: ["broken", "The connection broke before the response arrived"],
  EPIPE: ["broken", "The connection broke before the request was sent"],
  UND_ERR_SOCKET: ["broken", "The connection broke before the response arrived"],
  UND_ERR_CONNECT_TIMEOUT: ["timeout", "The response was not complete in time"],
  UND_ERR_HEADERS_OVERFLOW: ["broken", "The headers of the response are too long"],
};

/** Any error of a request as an {@link EgressError}. */
export function egressError(error: unknown): EgressError {
  if (error instanceof EgressError) return error;
  const { code = "", message = "", name = "" } = error as { code?: string; message?: string; name?: string };
  if (message === "bad upgrade") {
    return new EgressError("broken", "The response switches to another protocol", error);
  }
  const known = CODES[code];
  if (known) return new EgressError(...known, error);
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) {
    return new EgressError("tls", `The certificate was not accepted (${code})`, error);
  }
  if (name === "HTTPParserError") return new EgressError("broken", "The response is not HTTP", error);
  return new EgressError("broken", "The request failed", error);
}
