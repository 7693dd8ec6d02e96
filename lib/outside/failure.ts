/** Why a request to the outside had no answer. `refused`: it was never made. */
export type OutsideReason = "refused" | "unknown_host" | "unreachable" | "tls" | "timeout" | "broken";

/** A request that had no answer; the message is for whoever reads the log of it, and names no address inside. */
export class OutsideError extends Error {
  readonly reason: OutsideReason;

  constructor(reason: OutsideReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "OutsideError";
    this.reason = reason;
  }
}

const CODES: Record<string, [OutsideReason, string]> = {
  ECONNREFUSED: ["unreachable", "Nothing answers at this address and port"],
  EHOSTUNREACH: ["unreachable", "The host cannot be reached"],
  ENETUNREACH: ["unreachable", "The network cannot be reached"],
  ETIMEDOUT: ["unreachable", "The host did not answer the connection"],
  ECONNRESET: ["broken", "The connection broke before an answer came"],
  EPIPE: ["broken", "The connection broke before the request was sent"],
  HPE_HEADER_OVERFLOW: ["broken", "The answer's headers are too long"],
};

/** Any error of a request, as one with words. */
export function outsideError(error: unknown): OutsideError {
  if (error instanceof OutsideError) return error;
  const { code = "", name = "" } = error as { code?: string; name?: string };
  if (name === "AbortError" || name === "TimeoutError") {
    return new OutsideError("timeout", "No complete answer came in time", error);
  }
  const known = CODES[code];
  if (known) return new OutsideError(...known, error);
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) {
    return new OutsideError("tls", `No secure connection: the certificate was not accepted (${code})`, error);
  }
  if (code.startsWith("HPE_")) return new OutsideError("broken", "The answer is not HTTP", error);
  return new OutsideError("broken", "The request failed", error);
}
