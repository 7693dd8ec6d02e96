import { Agent, request } from "node:http";
import { performance } from "node:perf_hooks";
import { type RedeemAttempt, readRedeemAnswer } from "./history";

/** Milliseconds after which the client gives up on a request. */
const REQUEST_TIMEOUT = 10_000;

/** A response; `status` 0 when the connection broke or none came in time. */
export interface CallReply {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

/** A client of the service over a number of kept-alive connections. */
export class ServiceClient {
  private readonly agent: Agent;

  constructor(
    private readonly port: number,
    connections: number,
  ) {
    this.agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  post(path: string, body: string, headers: Record<string, string>): Promise<CallReply> {
    const all = {
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
      ...headers,
    };
    const options = { port: this.port, host: "127.0.0.1", path, method: "POST", headers: all };
    return new Promise((resolve) => {
      const call = request({ ...options, agent: this.agent, timeout: REQUEST_TIMEOUT }, (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        answer.on("close", () => {
          const status = answer.complete ? (answer.statusCode ?? 0) : 0;
          resolve({ status, headers: answer.headers, text });
        });
      });
      call.on("timeout", () => call.destroy());
      call.on("error", () => resolve({ status: 0, headers: {}, text: "" }));
      call.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

export type RefereeRequest = Pick<RedeemAttempt, "referee" | "platform" | "keyed">;

/** Redeems a metacode for a referee and returns the attempt with its outcome. */
export async function redeemOnce(
  client: ServiceClient,
  { key, metacode }: { key: string; metacode: string },
  input: RefereeRequest,
): Promise<RedeemAttempt> {
  const { referee, platform, keyed } = input;
  const body = JSON.stringify({ referee_uid: referee, metacode, platform });
  const headers = { "x-api-key": key, ...(keyed && { "idempotency-key": `key-${referee}` }) };
  const invoked = performance.now();
  const { status, headers: answered, text } = await client.post("/api/referee-redeem", body, headers);
  return { ...input, invoked, returned: performance.now(), ...readRedeemAnswer(status, answered, text) };
}
