import { Agent, request } from "node:http";
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import type { Platform } from "@/lib/contract/fields";
import { type RedeemAttempt, readRedeemAnswer } from "./history";

interface LoadOptions {
  port: number;
  key: string;
  metacode: string;
  connections: number;
  /** Milliseconds between two requests of a connection. */
  pauseMs: number;
  /** Codes for Android. One referee in three requests one, until there were a few more requests than codes. */
  android: number;
}

/** Milliseconds after which the client gives up on a request. */
const REQUEST_TIMEOUT = 10_000;
/** Milliseconds after the last fault within which every referee gets a definite response. */
const LAST_RETRIES = 30_000;
/** Milliseconds after a kill within which the first request fails, if any does. */
const FELT = 2_000;
const GIVE_UP = 60_000;
/** Milliseconds before a retry. */
const BACK_OFF = 100;
/** One in so many referees repeats its request after a code. */
const REPEATS = 8;

type RedeemAttemptInput = Pick<RedeemAttempt, "referee" | "platform" | "keyed">;

/** Referees that redeem once each and retry until the response is definite; every attempt goes into the history. */
export class RedeemLoad {
  readonly attempts: RedeemAttempt[] = [];
  private readonly agent: Agent;
  private readonly running: Promise<void>[];
  private readonly watchers = new Set<(attempt: RedeemAttempt) => unknown>();
  private next = 0;
  private stopAt = Number.POSITIVE_INFINITY;

  constructor(private readonly options: LoadOptions) {
    this.agent = new Agent({ keepAlive: true, maxSockets: options.connections });
    this.running = Array.from({ length: options.connections }, () => this.work());
  }

  /**
   * Milliseconds from a kill to the first response from the database to a request that began after the first failure; 0
   * when no request failed.
   */
  async recovery(killed: number): Promise<number> {
    const felt = await this.first(
      ({ outcome, returned }) => outcome === "unknown" && returned >= killed,
      FELT,
    );
    if (!felt) return 0;
    const definite = ({ outcome, invoked }: RedeemAttempt) =>
      invoked >= felt.returned && (outcome === "code" || outcome === "empty");
    const answer = await this.first(definite, GIVE_UP);
    return answer ? answer.returned - killed : Number.POSITIVE_INFINITY;
  }

  /** Continues until a response says that no code is left, which the last check of the history needs. */
  async untilEmpty(): Promise<boolean> {
    if (this.attempts.some(({ outcome }) => outcome === "empty")) return true;
    return (await this.first(({ outcome }) => outcome === "empty", GIVE_UP)) !== undefined;
  }

  /** The next matching attempt; undefined after `limit` milliseconds. */
  private first(
    test: (attempt: RedeemAttempt) => boolean,
    limit: number,
  ): Promise<RedeemAttempt | undefined> {
    return new Promise((resolve) => {
      const settle = (attempt?: RedeemAttempt) => {
        clearTimeout(timer);
        this.watchers.delete(watch);
        resolve(attempt);
      };
      const watch = (attempt: RedeemAttempt) => test(attempt) && settle(attempt);
      const timer = setTimeout(settle, limit);
      this.watchers.add(watch);
    });
  }

  /** Starts no new referee; resolves when all have their response. */
  async stop(): Promise<void> {
    this.stopAt = performance.now();
    await Promise.all(this.running);
    this.agent.destroy();
  }

  private async work(): Promise<void> {
    while (this.stopAt === Number.POSITIVE_INFINITY) {
      const number = this.next++;
      const input = {
        referee: `referee-${number}`,
        platform: this.platform(number),
        keyed: number % 2 === 0,
      };
      const outcome = await this.redeemUntilSure(input);
      if (outcome === "code" && number % REPEATS < 2) await this.redeemUntilSure(input);
    }
  }

  private platform(number: number): Platform {
    return number % 3 === 0 && number < 3 * (this.options.android + this.options.connections)
      ? "android"
      : "ios";
  }

  private async redeemUntilSure(input: RedeemAttemptInput): Promise<RedeemAttempt["outcome"]> {
    for (;;) {
      const attempt = await this.redeem(input);
      this.attempts.push(attempt);
      for (const watch of this.watchers) watch(attempt);
      const { outcome } = attempt;
      const sure = outcome === "code" || outcome === "empty" || outcome === "taken";
      await pause(sure ? this.options.pauseMs : BACK_OFF);
      if (sure || performance.now() - this.stopAt > LAST_RETRIES) return outcome;
    }
  }

  private redeem(input: RedeemAttemptInput): Promise<RedeemAttempt> {
    const { referee, platform, keyed } = input;
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
        resolve({
          ...input,
          invoked,
          returned: performance.now(),
          ...readRedeemAnswer(status, answered, text),
        });
      const options = { port, host: "127.0.0.1", path: "/api/referee-redeem", method: "POST", headers };
      const call = request({ ...options, agent: this.agent, timeout: REQUEST_TIMEOUT }, (answer) => {
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
