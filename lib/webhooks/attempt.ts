import { OutsideError } from "@/lib/outside/failure";
import type { OutsideAnswer, OutsideRequest } from "@/lib/outside/send";
import { bodyOf, headersOf, type Message } from "@/lib/webhooks/sign";

/** How a request leaves; throws where no answer came. */
export type Send = (request: OutsideRequest) => Promise<OutsideAnswer>;

/** One attempt as it is written down. */
export interface Attempt {
  request_headers: Record<string, string>;
  status: number | null;
  headers: Record<string, string> | null;
  body: string | null;
  ms: number;
  /** Null for a success. */
  error: string | null;
}

function complaint(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `Answered ${status}. Redirects are not followed`;
  if (status === 410) return "Answered 410: it wants no more events";
  return `Answered ${status}`;
}

/** Sends an event once. Never throws: what went wrong is what came of the attempt. */
export async function attempt(message: Message & { url: string }, send: Send): Promise<Attempt> {
  const start = performance.now();
  const body = bodyOf(message);
  const headers = headersOf(message, body, new Date());
  try {
    const answer = await send({ url: message.url, method: "POST", headers, body });
    const { status, ms } = answer;
    return {
      ...{ request_headers: headers, status, headers: answer.headers, body: answer.body, ms },
      error: complaint(status),
    };
  } catch (error) {
    const words = error instanceof OutsideError ? error.message : "The request failed";
    const none = { status: null, headers: null, body: null, ms: Math.round(performance.now() - start) };
    return { request_headers: headers, ...none, error: words };
  }
}
