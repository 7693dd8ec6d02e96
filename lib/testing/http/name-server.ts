import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

/** The zone: the TXT values of a name, or the failure to answer with. */
type Zone = Map<string, string[] | "servfail" | "silence">;

const NAME_ERROR = 3;
const SERVER_FAILURE = 2;

/** The name in the question, and the end of its section. */
function question(packet: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = packet[at] ?? 0; length > 0; length = packet[at] ?? 0) {
    labels.push(packet.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join(".").toLowerCase(), end: at + 5 };
}

/** A TXT record for the name at offset 12, its value in parts of 255 bytes (RFC 1035, 3.3.14). */
function record(value: string): Buffer {
  const bytes = Buffer.from(value);
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 255) {
    const part = bytes.subarray(at, at + 255);
    parts.push(Buffer.from([part.length]), part);
  }
  const data = Buffer.concat(parts);
  const head = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, 0]);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function reply(packet: Buffer, values: string[], code: number): Buffer {
  const { end } = question(packet);
  const head = Buffer.from(packet.subarray(0, end));
  head.writeUInt16BE(0x8180 | code, 2);
  head.writeUInt16BE(values.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, ...values.map(record)]);
}

/** A name server on this machine that answers TXT questions from `zone`, which tests can change at any time. */
export async function nameServer() {
  const zone: Zone = new Map();
  const socket = createSocket("udp4");
  socket.on("message", (packet, from) => {
    const known = zone.get(question(packet).name);
    if (known === "silence") return;
    const code = known === undefined ? NAME_ERROR : known === "servfail" ? SERVER_FAILURE : 0;
    socket.send(reply(packet, Array.isArray(known) ? known : [], code), from.port, from.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  const { port } = socket.address() as AddressInfo;
  return { zone, address: `127.0.0.1:${port}`, close: () => socket.close() };
}
