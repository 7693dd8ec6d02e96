import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import type { Platform } from "@/lib/contract/fields";
import { type RefereeRequest, redeemOnce, ServiceClient } from "./client";
import type { RedeemAttempt } from "./history";

interface LoadOptions {
  port: number;
  key: string;
  metacode: string;
  connections: number;
  /** Milliseconds between two requests of a connection. */
  pauseMs: number;
  /** Number of codes for Android. One referee in three requests one, until a few more requests than codes have been sent. */
  android: number;
}

/** Milliseconds after the last fault within which every referee gets a definite response. */
const LAST_RETRIES = 30_000;
/** Milliseconds after a kill within which a first request fails, if any does. */
const FELT = 2_000;
const GIVE_UP = 60_000;
/** Milliseconds before a retry. */
const BACK_OFF = 100;
/** Two in this many referees repeat their request after they got a code, one with a key and one without. */
const REPEATS = 8;

/** A load of referees that redeem once each and retry until the response is definite. Records every attempt. */
export class RedeemLoad {
  readonly attempts: RedeemAttempt[] = [];
  private readonly client: ServiceClient;
  private readonly running: Promise<void>[];
  private readonly watchers = new Set<(attempt: RedeemAttempt) => unknown>();
  private next = 0;
  private stopAt = Number.POSITIVE_INFINITY;

  constructor(private readonly options: LoadOptions) {
    this.client = new ServiceClient(options.port, options.connections);
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
    this.client.close();
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

  private async redeemUntilSure(input: RefereeRequest): Promise<RedeemAttempt["outcome"]> {
    for (;;) {
      const attempt = await redeemOnce(this.client, this.options, input);
      this.attempts.push(attempt);
      for (const watch of this.watchers) watch(attempt);
      const { outcome } = attempt;
      const sure = outcome === "code" || outcome === "empty" || outcome === "taken";
      await pause(sure ? this.options.pauseMs : BACK_OFF);
      if (sure || performance.now() - this.stopAt > LAST_RETRIES) return outcome;
    }
  }
}
