import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

/** An email as the server accepted it. */
interface AcceptedEmail {
  from: string;
  recipients: string[];
  raw: string;
}

export interface TestSmtp {
  url: string;
  /** The emails accepted for an address. */
  to(address: string): AcceptedEmail[];
  /** Sets the status of the response to every later email, or to its sender; 250 accepts them, 0 never responds to an email. */
  answer(status: number, command?: "DATA" | "MAIL FROM"): void;
  stop(): Promise<void>;
}

const refusal = (responseCode: number) => Object.assign(new Error("refused by the test"), { responseCode });

/** A real mail server on its own port. It permanently refuses every address of `refused.example`. */
export async function startSmtp(): Promise<TestSmtp> {
  const accepted: AcceptedEmail[] = [];
  const answers = { DATA: 250, "MAIL FROM": 250 };
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    logger: false,
    onMailFrom: (_sender, _session, done) =>
      done(answers["MAIL FROM"] === 250 ? null : refusal(answers["MAIL FROM"])),
    onRcptTo: ({ address }, _session, done) =>
      done(address.endsWith("@refused.example") ? refusal(550) : null),
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        if (answers.DATA === 0) return;
        if (answers.DATA !== 250) return done(refusal(answers.DATA));
        const from = envelope.mailFrom ? envelope.mailFrom.address : "";
        const recipients = envelope.rcptTo.map(({ address }) => address);
        accepted.push({ from, recipients, raw: Buffer.concat(chunks).toString() });
        done();
      });
    },
  });
  // A client killed in the middle of an email raises an error of its connection.
  server.on("error", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    to: (address) => accepted.filter(({ recipients }) => recipients.includes(address)),
    answer: (status, command = "DATA") => {
      answers[command] = status;
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
