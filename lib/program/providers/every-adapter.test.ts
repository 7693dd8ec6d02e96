import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Delivery, Readable } from "@/lib/program/providers/common/adapter";
import { PROVIDERS } from "@/lib/program/providers/registry";
import {
  PROVIDER_NAMES,
  SECRET,
  STORE_APP,
  signedSample,
  trustTestAuthority,
} from "@/lib/testing/provider-events/samples";

const NOW = Date.UTC(2026, 0, 15);
const MINUTES = 60_000;

trustTestAuthority();

const refused = expect.objectContaining({ code: "UNAUTHORIZED" });
const invalid = expect.objectContaining({ code: "VALIDATION_ERROR" });

function arriving(sent: Readable, rest: Partial<Delivery> = {}): Delivery {
  return { ...sent, secret: SECRET, signingSecret: null, app: STORE_APP, now: NOW, ...rest };
}

describe.each(PROVIDER_NAMES)("%s", (name) => {
  const { adapter, events } = PROVIDERS[name];
  const sample = (wanted = {}) => signedSample(name, { now: NOW, ...wanted });
  const authenticate = async (sent: Readable, rest: Partial<Delivery> = {}) =>
    adapter.authenticate(arriving(sent, rest));
  const isSecret = adapter.secret.from !== "none";

  test("a good delivery is let in, and so is the adapter's own sample", async () => {
    await authenticate(sample());
    const own = adapter.sample({ kind: "purchase", uid: "a", secret: SECRET, signingSecret: null, now: NOW });
    if (isSecret) await authenticate(own);
    expect(adapter.read(own).uids[0]).toBe("a");
  });

  test.each([
    ["purchase", "confirm"],
    ["refund", "reverse"],
    ["hello", "ignore"],
  ])("a sandbox %s means %s, for the person that it names", (kind, meaning) => {
    const event = adapter.read(sample({ kind, uid: "zoë" }));
    expect(event.confirmation.kind).toBe(meaning);
    if (meaning === "ignore") return;
    expect(event.uids[0]).toBe("zoë");
    expect(event.confirmation).toMatchObject({ renewal: false, sandbox: true });
    expect([null, NOW]).toContain(event.occurredAt);
  });

  test("a forged delivery is refused: no proof, another's proof, none of the former secrets", async () => {
    const { rawBody } = sample();
    await expect(authenticate({ headers: new Headers(), rawBody }, without())).rejects.toThrow(refused);
    const others = sample({ secret: SECRET.replace("whsec_", "whsec_AAAA") });
    await expect(authenticate(others, without())).rejects.toThrow(refused);
    for (const [header] of sample().headers) {
      const headers = new Headers(sample().headers);
      headers.set(header, "");
      await expect(authenticate({ headers, rawBody })).rejects.toThrow(refused);
      headers.set(header, "v1,AAAA t=1,v1=00");
      await expect(authenticate({ headers, rawBody })).rejects.toThrow(refused);
    }
  });

  /** For a provider without a secret, another app in the signed data is refused. */
  const without = () => (isSecret ? {} : { app: { ...STORE_APP, iosBundleId: "com.other" } });

  test("a signed delivery cannot be changed, nor sent again long after", async () => {
    const { headers, rawBody } = sample();
    const isSigned = [...headers.keys()].some((key) => key.includes("signature"));
    const text = new TextDecoder().decode(rawBody).replace('"a"', '"b"');
    const changed = authenticate({ headers, rawBody: new TextEncoder().encode(text) });
    const late = authenticate({ headers, rawBody }, { now: NOW + 25 * 60 * MINUTES });
    for (const attempt of [changed, late]) {
      if (isSigned) await expect(attempt).rejects.toThrow(refused);
      else await attempt;
    }
    await authenticate({ headers, rawBody }, { now: NOW + 4 * MINUTES });
  });

  test("a delivery that was cut off is refused by its field, wherever it was cut", () => {
    const { headers, rawBody } = sample();
    for (let length = 0; length < rawBody.length; length += 1 + Math.floor(rawBody.length / 50)) {
      expect(() => adapter.read({ headers, rawBody: rawBody.slice(0, length) })).toThrow(invalid);
    }
  });

  test.each(["A_TYPE_OF_NEXT_YEAR", "constructor", "__proto__", "x".repeat(5_000)])(
    "the type %.30s is ignored",
    (type) => {
      expect(adapter.read(sample({ type }))).toMatchObject({ type, confirmation: { kind: "ignore" } });
    },
  );

  test("the same bytes are the same event; another event has another id", () => {
    const sent = sample();
    expect(adapter.read(sent).eventId).toBe(adapter.read(sent).eventId);
    const other = sample({ now: NOW + 1_000 });
    if (name === "generic") other.headers.set("webhook-id", "other");
    expect(adapter.read(other).eventId).not.toBe(adapter.read(sent).eventId);
  });

  test("an event has one id, however its JSON is ordered or spaced, and however often it is sent", () => {
    const { headers, rawBody } = sample();
    const spaced = JSON.stringify(JSON.parse(new TextDecoder().decode(rawBody)), null, 2);
    const again = adapter.read({ headers, rawBody: new TextEncoder().encode(spaced) });
    expect(again.eventId).toBe(adapter.read({ headers, rawBody }).eventId);
  });

  const plain = events.filter(({ when }) => when === undefined);
  const meanings = { confirms: "confirm", renews: "confirm", reverses: "reverse", restores: "restore" };

  test.each(plain.flatMap(({ types, does }) => types.map((type) => [type, does] as const)))(
    "%s %s, as the documentation says",
    (type, does) => {
      // A row without a "when" applies to every purchase of its type; for a cancellation, only without its reason.
      const { confirmation } = adapter.read(sample({ type }));
      const kind = meanings[does as keyof typeof meanings] ?? "ignore";
      expect(confirmation).toMatchObject({ kind, ...(kind === "confirm" && { renewal: does === "renews" }) });
    },
  );

  test("a body of any shape is either read or refused with a message", () => {
    const field = fc.oneof(fc.jsonValue(), fc.constantFrom(null, [], {}, "", -1, 1e300, true));
    const text = new TextDecoder().decode(sample().rawBody);
    fc.assert(
      fc.property(fc.nat(), field, (at, value) => {
        const body = JSON.stringify(mutate(JSON.parse(text), at, value));
        const sent = { headers: sample().headers, rawBody: new TextEncoder().encode(body) };
        try {
          const event = adapter.read(sent);
          expect([event.eventId, event.type, ...event.uids].every((text) => typeof text === "string")).toBe(
            true,
          );
        } catch (error) {
          expect(error).toEqual(invalid);
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** The same body with one of its values replaced, whatever holds it. */
function mutate(body: unknown, at: number, value: unknown): unknown {
  const places: [Record<string, unknown>, string][] = [];
  const visit = (node: unknown) => {
    if (typeof node !== "object" || node === null) return;
    for (const key of Object.keys(node)) {
      places.push([node as Record<string, unknown>, key]);
      visit((node as Record<string, unknown>)[key]);
    }
  };
  visit(body);
  const place = places[at % places.length];
  if (place) place[0][place[1]] = value;
  return body;
}

test.each([
  ["superwall", "svix-signature", "v1,AAAA "],
  ["generic", "webhook-signature", "v1,AAAA "],
  ["stripe", "stripe-signature", "v1=00,"],
] as const)(
  "of the signatures of %s 20 are compared, so that a list of forged ones costs little",
  async (name, header, forged) => {
    const { headers, rawBody } = signedSample(name, { now: NOW });
    const after = async (count: number) => {
      const listed = new Headers(headers);
      listed.set(header, forged.repeat(count) + headers.get(header));
      await PROVIDERS[name].adapter.authenticate(arriving({ headers: listed, rawBody }));
    };
    await after(19);
    await expect(after(20)).rejects.toThrow(refused);
  },
);
