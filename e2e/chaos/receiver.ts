import type { ServerResponse } from "node:http";
import { Webhook } from "standardwebhooks";
import { type ReceivedRequest, startReceiver } from "@/lib/testing/webhooks/receiver";

/** One in this many events is refused the first time. */
const REFUSED = 50;

/** A webhook that the receiver accepted. */
export interface AcceptedEvent {
  id: string;
  subject: string;
}

export type ChaosReceiver = Awaited<ReturnType<typeof startChaosReceiver>>;

/**
 * A tenant's server: it verifies webhooks at `/hook` by signature alone, because the senders' clocks move, and takes
 * alerts at any other path.
 */
export async function startChaosReceiver(secret: () => string) {
  const receiver = await startReceiver();
  const accepted: AcceptedEvent[] = [];
  const forged: string[] = [];
  const alerts: string[] = [];
  const seen = new Set<string>();
  let hold: ((port: number) => void) | undefined;
  receiver.answer((request, response) => {
    // Drops the bodies, because those of a whole run would fill the memory.
    receiver.got.length = 0;
    if (request.path !== "/hook") return alert(request, response);
    const id = request.headers["webhook-id"] ?? "";
    if (!isGenuine(secret(), id, request)) {
      forged.push(id);
      return void response.writeHead(401).end();
    }
    const refused = !seen.has(id) && seen.size % REFUSED === REFUSED - 1;
    seen.add(id);
    if (!refused) accepted.push({ id, subject: subjectOf(id, request.body) });
    response.writeHead(refused ? 500 : 204).end();
  });
  function alert(request: ReceivedRequest, response: ServerResponse): void {
    const caught = hold;
    hold = undefined;
    if (caught) {
      // Never answered, because the sending process is about to be killed.
      caught(response.socket?.remotePort ?? 0);
      return;
    }
    alerts.push(String((JSON.parse(request.body) as { text: string }).text));
    response.writeHead(200).end("ok");
  }
  /** Holds back the response to the next alert; resolves with the port of the process that sends it. */
  const holdAlert = (): Promise<number> =>
    new Promise((resolve) => {
      hold = resolve;
    });
  return { url: receiver.url, accepted, forged, alerts, holdAlert, stop: receiver.stop };
}

function isGenuine(secret: string, id: string, { headers, body }: ReceivedRequest): boolean {
  const sent = new Date(Number(headers["webhook-timestamp"]) * 1_000);
  const expected = new Webhook(secret).sign(id, sent, body);
  return (headers["webhook-signature"] ?? "").split(" ").includes(expected);
}

/** The subject of an event, whose events arrive in order. */
function subjectOf(id: string, body: string): string {
  const { data } = JSON.parse(body) as { data: Record<string, string> };
  return data.referral_id ?? data.referrer_id ?? data.pool_id ?? data.campaign_id ?? id;
}
