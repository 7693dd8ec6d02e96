import { Webhook } from "standardwebhooks";
import { Webhook as Svix } from "svix";
import { type ReceivedRequest, type Receiver, startReceiver } from "@/lib/testing/webhooks/receiver";

/** An event as a receiver reads it. */
export interface ReceivedEvent {
  id: string;
  type: string;
  data: Record<string, unknown>;
  body: string;
}

/** Verifies with both public packages; throws if either does. */
export function verify(
  secret: string,
  { headers, body }: Pick<ReceivedRequest, "headers" | "body">,
): ReceivedEvent {
  new Svix(secret).verify(body, headers);
  const { type, data } = new Webhook(secret).verify(body, headers) as Pick<ReceivedEvent, "type" | "data">;
  return { id: headers["webhook-id"] ?? "", type, data, body };
}

/** A receiver that verifies every request and records the accepted and the refused ones, in order. */
export interface Verifier extends Receiver {
  accepted: ReceivedEvent[];
  refused: ReceivedEvent[];
  forged: ReceivedRequest[];
}

/**
 * `answer` returns the status for each genuine request; undefined sends no response, and a promise cuts the connection as
 * it ends.
 */
export async function startVerifier(
  secret: () => string,
  answer: (event: ReceivedEvent, index: number) => number | undefined | Promise<void> = () => 204,
): Promise<Verifier> {
  const receiver = await startReceiver();
  const [accepted, refused, forged]: [ReceivedEvent[], ReceivedEvent[], ReceivedRequest[]] = [[], [], []];
  receiver.answer((request, response, index) => {
    let event: ReceivedEvent;
    // The receiver does not know its secret yet; the event is sent again.
    if (secret() === "") return void response.writeHead(401).end();
    try {
      event = verify(secret(), request);
    } catch {
      forged.push(request);
      return void response.writeHead(401).end();
    }
    const status = answer(event, index);
    if (status === undefined) return;
    if (typeof status !== "number") return void status.then(() => response.destroy());
    (status < 300 ? accepted : refused).push(event);
    response.writeHead(status).end(status < 300 ? "" : "down");
  });
  return { ...receiver, accepted, refused, forged };
}
