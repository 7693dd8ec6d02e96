import { Webhook } from "standardwebhooks";
import { Webhook as Svix } from "svix";
import { type Received, type Receiver, startReceiver } from "@/lib/testing/receiver";

/** An event as a receiver reads it. */
export interface Told {
  id: string;
  type: string;
  data: Record<string, unknown>;
  body: string;
}

/** Verifies as the two public packages do; throws where one of them would. */
export function verify(secret: string, { headers, body }: Pick<Received, "headers" | "body">): Told {
  new Svix(secret).verify(body, headers);
  const { type, data } = new Webhook(secret).verify(body, headers) as Pick<Told, "type" | "data">;
  return { id: headers["webhook-id"] ?? "", type, data, body };
}

/** A receiver that verifies whatever it gets, and keeps what it accepted and what it turned away, in their order. */
export interface Verifier extends Receiver {
  accepted: Told[];
  refused: Told[];
  forged: Received[];
}

/** `answer` gives the status for each one that is genuine; undefined for no answer at all. */
export async function startVerifier(
  secret: () => string,
  answer: (told: Told, index: number) => number | undefined = () => 204,
): Promise<Verifier> {
  const receiver = await startReceiver();
  const [accepted, refused, forged]: [Told[], Told[], Received[]] = [[], [], []];
  receiver.answer((request, response, index) => {
    let told: Told;
    try {
      told = verify(secret(), request);
    } catch {
      forged.push(request);
      return void response.writeHead(401).end();
    }
    const status = answer(told, index);
    if (status === undefined) return;
    (status < 300 ? accepted : refused).push(told);
    response.writeHead(status).end(status < 300 ? "" : "down");
  });
  return { ...receiver, accepted, refused, forged };
}
