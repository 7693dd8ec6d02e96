import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import type { SampleWorkspace } from "@/lib/cli/sample-workspace/build";
import type { Platform } from "@/lib/contract/fields";
import { type CallReply, type RefereeRequest, redeemOnce, ServiceClient } from "../crash/client";
import type { RedeemAttempt } from "../crash/history";

/** A referrer earns a reward with every second referral. */
export const THRESHOLD = 2;

/** Referrers at once, each with one request at a time. */
const CONNECTIONS = 10;

/** Milliseconds before the next request, and before a retry. */
const PAUSE_MS = 25;
const BACK_OFF_MS = 200;

/** Milliseconds for which a request is repeated, longer than any fault and the recovery from it. */
const PATIENCE_MS = 120_000;

const PLATFORMS: Platform[] = ["ios", "android"];

/** A claimed reward in a response. */
interface ClaimedCode {
  uid: string;
  reward: string;
  code: string;
}

/** A request with its response; `good` if it is the response that the caller wanted. */
export interface Call {
  name: string;
  status: number;
  good: boolean;
}

interface LoadOptions {
  port: number;
  sample: SampleWorkspace;
  /** Precedes every uid, for several loads on one app. */
  prefix?: string;
  /** Sends an `Idempotency-Key` with every redeem instead of every second one. */
  alwaysKeyed?: boolean;
  /** Called after every request. */
  watch?: (call: Call) => void;
}

/** The requests of a load and their responses. */
export type LoadHistory = Pick<
  ReferralLoad,
  "attempts" | "metacodes" | "confirmed" | "claimed" | "complaints" | "requests"
>;

/** A load of referrers, with the referees of each, their confirmations, and the claims of the rewards. */
export class ReferralLoad {
  readonly attempts: RedeemAttempt[] = [];
  /** The metacodes in the responses of each referrer. */
  readonly metacodes = new Map<string, Set<string>>();
  /** Referees whose confirmation was acknowledged. */
  readonly confirmed: string[] = [];
  readonly claimed: ClaimedCode[] = [];
  /** Requests that had no definite response in time, and responses that no fault explains. */
  readonly complaints: string[] = [];
  /** Time of the last response from the database. */
  answeredAt = performance.now();
  requests = 0;
  private readonly client: ServiceClient;
  private readonly running: Promise<void>[];
  private readonly signer: Webhook;
  private stopping = false;
  private next = 0;

  constructor(private readonly options: LoadOptions) {
    this.client = new ServiceClient(options.port, CONNECTIONS);
    this.signer = new Webhook(options.sample.providers.generic.secret);
    this.running = Array.from({ length: CONNECTIONS }, () => this.work());
  }

  /** Starts no new referrers and waits for those under way. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.running);
    this.client.close();
  }

  private async work(): Promise<void> {
    while (!this.stopping) await this.refer(`${this.options.prefix ?? ""}referrer-${this.next++}`);
  }

  /** A referrer whose referees earn one reward on each platform. */
  private async refer(uid: string): Promise<void> {
    const metacode = await this.getReferrer(uid);
    if (!metacode) return;
    for (const platform of PLATFORMS)
      for (let number = 0; number < THRESHOLD; number += 1) {
        const referee = `${uid}-${platform}-${number}`;
        const input: RefereeRequest = {
          referee,
          platform,
          keyed: this.options.alwaysKeyed || number % 2 === 0,
        };
        if (await this.redeem(metacode, input)) await this.confirm(referee);
      }
    if (await this.earned(uid)) await this.claim(uid);
  }

  private async getReferrer(uid: string): Promise<string | undefined> {
    const reply = await this.untilDefinite(`POST /referrer of ${uid}`, () => this.api("referrer", { uid }));
    if (!reply) return undefined;
    const { metacode } = JSON.parse(reply.text) as { metacode: string };
    this.metacodes.set(uid, (this.metacodes.get(uid) ?? new Set()).add(metacode));
    return metacode;
  }

  private async redeem(metacode: string, input: RefereeRequest): Promise<boolean> {
    const key = this.options.sample.api_key;
    for (const begin = performance.now(); performance.now() - begin < PATIENCE_MS; ) {
      const attempt = await redeemOnce(this.client, { key, metacode }, input);
      this.requests += 1;
      this.attempts.push(attempt);
      const { outcome } = attempt;
      const definite = outcome === "code" || outcome === "empty" || outcome === "taken";
      if (definite) this.answeredAt = performance.now();
      this.options.watch?.({ name: "POST /referee-redeem", status: attempt.status, good: definite });
      await pause(definite ? PAUSE_MS : BACK_OFF_MS);
      if (definite) return outcome === "code";
    }
    return false;
  }

  /** A purchase, signed again at each attempt, as a provider does. */
  private async confirm(referee: string): Promise<void> {
    const { pathname } = new URL(this.options.sample.providers.generic.url);
    const body = JSON.stringify({ type: "referral.confirm", app_user_id: referee, environment: "sandbox" });
    const id = `event-${referee}`;
    const send = () => {
      const now = new Date();
      const signature = this.signer.sign(id, now, body);
      const seconds = String(Math.floor(now.getTime() / 1_000));
      const headers = { "webhook-id": id, "webhook-timestamp": seconds, "webhook-signature": signature };
      return this.client.post(pathname, body, headers);
    };
    // A service with a wrong clock refuses the signature as too old.
    if (await this.untilDefinite(`the confirmation of ${referee}`, send, [401])) this.confirmed.push(referee);
  }

  /** Waits until the referrer has both rewards: a confirmation may be spooled while the database is away. */
  private async earned(uid: string): Promise<boolean> {
    for (const begin = performance.now(); performance.now() - begin < PATIENCE_MS; await pause(500)) {
      const reply = await this.untilDefinite(`POST /referrer of ${uid}`, () => this.api("referrer", { uid }));
      if (!reply) return false;
      const { stats } = JSON.parse(reply.text) as { stats: { rewards_earned: number } };
      if (stats.rewards_earned >= PLATFORMS.length) return true;
    }
    this.complaints.push(`${uid} has not earned the rewards within ${PATIENCE_MS / 1_000} s`);
    return false;
  }

  private async claim(uid: string): Promise<void> {
    const headers = { "idempotency-key": `claim-${uid}` };
    const send = () => this.api("referrer-claim", { uid }, headers);
    const reply = await this.untilDefinite(`POST /referrer-claim of ${uid}`, send);
    if (!reply) return;
    const { claimed_rewards } = JSON.parse(reply.text) as {
      claimed_rewards: { reward_id: string; code: string }[];
    };
    for (const { reward_id, code } of claimed_rewards) this.claimed.push({ uid, reward: reward_id, code });
    if (claimed_rewards.length !== PLATFORMS.length)
      this.complaints.push(`${uid} claimed ${claimed_rewards.length} rewards`);
  }

  private api(path: string, body: object, headers: Record<string, string> = {}): Promise<CallReply> {
    const all = { "x-api-key": this.options.sample.api_key, ...headers };
    return this.client.post(`/api/${path}`, JSON.stringify(body), all);
  }

  /** Repeats a request until it is answered 200; `excused` are further statuses that a fault explains. */
  private async untilDefinite(
    name: string,
    send: () => Promise<CallReply>,
    excused: number[] = [],
  ): Promise<CallReply | undefined> {
    for (const begin = performance.now(); performance.now() - begin < PATIENCE_MS; ) {
      const reply = await send();
      this.requests += 1;
      this.options.watch?.({ name, status: reply.status, good: reply.status === 200 });
      if (reply.status === 200) {
        this.answeredAt = performance.now();
        await pause(PAUSE_MS);
        return reply;
      }
      if (!isExcused(reply) && !excused.includes(reply.status))
        this.complaints.push(`${name} was answered ${reply.status}: ${reply.text.slice(0, 200)}`);
      await pause(BACK_OFF_MS);
    }
    this.complaints.push(`${name} had no response within ${PATIENCE_MS / 1_000} s`);
    return undefined;
  }
}

/** Whether a fault explains a response: none, an outage that says when to retry, or a duplicate of a running request. */
function isExcused({ status, headers, text }: CallReply): boolean {
  if (status === 503) return text.includes("SERVICE_UNAVAILABLE") && Number(headers["retry-after"]) > 0;
  return status === 0 || (status === 409 && text.includes('"CONFLICT"'));
}
