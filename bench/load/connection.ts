import { connect, type Socket } from "node:net";

const LENGTH = /\r\ncontent-length: *(\d+)/i;

/** The status of a complete response, or 0 while it is incomplete. */
function statusOf(text: string): number {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return 0;
  const length = LENGTH.exec(text.slice(0, end + 2))?.[1];
  const whole =
    length === undefined ? text.endsWith("\r\n0\r\n\r\n") : text.length >= end + 4 + Number(length);
  return whole ? Number(text.slice(9, 12)) : 0;
}

/** A keep-alive connection with one request at a time, with as little work as Node allows. */
export class HttpConnection {
  private pending = "";
  private answered: (status: number) => void = () => undefined;

  private constructor(private readonly socket: Socket) {
    socket.setEncoding("latin1");
    socket.on("data", (text: string) => {
      this.pending = this.pending === "" ? text : this.pending + text;
      const status = statusOf(this.pending);
      if (status === 0) return;
      this.pending = "";
      this.answered(status);
    });
  }

  static open(port: number, onLost: (error: Error) => void): Promise<HttpConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: "127.0.0.1", noDelay: true });
      socket.once("error", reject);
      socket.once("connect", () => {
        socket.off("error", reject);
        socket.once("error", onLost);
        socket.once("end", () => onLost(new Error("the server closed a connection under load")));
        resolve(new HttpConnection(socket));
      });
    });
  }

  send(request: string, answered: (status: number) => void): void {
    this.answered = answered;
    this.socket.write(request, "latin1");
  }

  close(): void {
    this.socket.removeAllListeners("end").destroy();
  }
}
