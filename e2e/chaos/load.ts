import { Agent, request } from "node:http";
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { type Attempt, type Platform, readAnswer } from "./history";

interface LoadOptions {
  port: number;
  key: string;
  metacode: string;
  connections: number;
  /** Milliseconds between two requests of a connection. */
  pauseMs: number;
  /** Codes for Android. One referee in three asks for it until a few more have asked than there are codes. */
  android: number;
}

/** The longest that a request may hang before the client gives up on it. */
const PATIENCE = 10_000;
/** After the last fault nobody needs longer for a definite answer. */
const LAST_RETRIES = 30_000;
/** A kill that no request has felt after so long is felt by none. */
const FELT = 2_000;
const GIVE_UP = 60_000;
/** Milliseconds until one that got no definite answer asks again. */
const BACK_OFF = 100;
/** One in so many asks once more after a good answer. */
const ASKS_AGAIN = 8;

type Question = Pick<Attempt, "referee" | "platform" | "keyed">;

/** Referees that redeem, each once, retrying until told for sure; every attempt goes into the history. */
export class Load {
  readonly attempts: Attempt[] = [];
  private readonly agent: Agent;
  private readonly running: Promise<void>[];
  private readonly watchers = new Set<(attempt: Attempt) => unknown>();
  private next = 0;
  private stopAt = Number.POSITIVE_INFINITY;

  constructor(private readonly options: LoadOptions) {
    this.agent = new Agent({ keepAlive: true, maxSockets: options.connections });
    this.running = Array.from({ length: options.connections }, () => this.work());
  }

  /**
   * Milliseconds from a kill to the first answer out of the database to a request begun after the kill was felt; 0
   * where nobody felt it.
   */
  async recovery(killed: number): Promise<number> {
    const felt = await this.first(
      ({ verdict, returned }) => verdict === "unknown" && returned >= killed,
      FELT,
    );
    if (!felt) return 0;
    const definite = ({ verdict, invoked }: Attempt) =>
      invoked >= felt.returned && (verdict === "code" || verdict === "empty");
    const answer = await this.first(definite, GIVE_UP);
    return answer ? answer.returned - killed : Number.POSITIVE_INFINITY;
  }

  /** Goes on until somebody was told that no code is left, which is what the last test of the history needs. */
  async untilEmpty(): Promise<boolean> {
    if (this.attempts.some(({ verdict }) => verdict === "empty")) return true;
    return (await this.first(({ verdict }) => verdict === "empty", GIVE_UP)) !== undefined;
  }

  /** The next attempt of that kind, or nothing after `limit` milliseconds. */
  private first(test: (attempt: Attempt) => boolean, limit: number): Promise<Attempt | undefined> {
    return new Promise((resolve) => {
      const settle = (attempt?: Attempt) => {
        clearTimeout(timer);
        this.watchers.delete(watch);
        resolve(attempt);
      };
      const watch = (attempt: Attempt) => test(attempt) && settle(attempt);
      const timer = setTimeout(settle, limit);
      this.watchers.add(watch);
    });
  }

  /** Takes no new referee; resolves when all have their answer. */
  async stop(): Promise<void> {
    this.stopAt = performance.now();
    await Promise.all(this.running);
    this.agent.destroy();
  }

  private async work(): Promise<void> {
    while (this.stopAt === Number.POSITIVE_INFINITY) {
      const number = this.next++;
      const question = {
        referee: `referee-${number}`,
        platform: this.platform(number),
        keyed: number % 2 === 0,
      };
      const verdict = await this.askUntilSure(question);
      if (verdict === "code" && number % ASKS_AGAIN < 2) await this.askUntilSure(question);
    }
  }

  private platform(number: number): Platform {
    return number % 3 === 0 && number < 3 * (this.options.android + this.options.connections)
      ? "android"
      : "ios";
  }

  private async askUntilSure(question: Question): Promise<Attempt["verdict"]> {
    for (;;) {
      const attempt = await this.ask(question);
      this.attempts.push(attempt);
      for (const watch of this.watchers) watch(attempt);
      const { verdict } = attempt;
      const sure = verdict === "code" || verdict === "empty" || verdict === "taken";
      await pause(sure ? this.options.pauseMs : BACK_OFF);
      if (sure || performance.now() - this.stopAt > LAST_RETRIES) return verdict;
    }
  }

  private ask(question: Question): Promise<Attempt> {
    const { referee, platform, keyed } = question;
    const { port, key, metacode } = this.options;
    const body = JSON.stringify({ referee_uid: referee, metacode, platform });
    const headers = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      "x-api-key": key,
      ...(keyed && { "idempotency-key": `key-${referee}` }),
    };
    const invoked = performance.now();
    return new Promise((resolve) => {
      const settle = (status: number, answered: Record<string, unknown>, text: string) =>
        resolve({ ...question, invoked, returned: performance.now(), ...readAnswer(status, answered, text) });
      const options = { port, host: "127.0.0.1", path: "/api/referee-redeem", method: "POST", headers };
      const call = request({ ...options, agent: this.agent, timeout: PATIENCE }, (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        answer.on("close", () =>
          settle(answer.complete ? (answer.statusCode ?? 0) : 0, answer.headers, text),
        );
      });
      call.on("timeout", () => call.destroy());
      call.on("error", () => settle(0, {}, ""));
      call.end(body);
    });
  }
}
