import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import {
  bits,
  commonName,
  explicit,
  integer,
  octets,
  oid,
  sequence,
  time,
  yes,
} from "@/lib/testing/apple/der";

const ES256 = sequence(oid("1.2.840.10045.4.3.2"));
/** The extensions that only Apple's certificates for the App Store carry. */
const LEAF_MARK = "1.2.840.113635.100.6.11.1";
const INTERMEDIATE_MARK = "1.2.840.113635.100.6.2.1";

interface Options {
  /** Whether the leaf is marked as the App Store's. */
  marked?: boolean;
  /** Whether the intermediate is marked as Apple's for developers. */
  middleMarked?: boolean;
  /** Whether the intermediate may sign certificates. */
  authority?: boolean;
  from?: Date;
  until?: Date;
}

interface Wanted {
  name: string;
  issuer: string;
  key: KeyObject;
  signer: KeyObject;
  from: Date;
  until: Date;
  authority: boolean;
  mark?: string | undefined;
}

function certificate({ name, issuer, key, signer, from, until, authority, mark }: Wanted): Buffer {
  const basic = sequence(oid("2.5.29.19"), yes(), octets(authority ? sequence(yes()) : sequence()));
  const own = mark ? [sequence(oid(mark), octets(Uint8Array.of(0x05, 0x00)))] : [];
  const content = sequence(
    explicit(0, integer(2)),
    integer(Math.floor(Math.random() * 127) + 1),
    ES256,
    commonName(issuer),
    sequence(time(from), time(until)),
    commonName(name),
    key.export({ type: "spki", format: "der" }),
    explicit(3, sequence(basic, ...own)),
  );
  return sequence(content, ES256, bits(sign("sha256", content, signer)));
}

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** An authority that signs as Apple does: root, intermediate, leaf, and JWS with all three in their header. */
export function appleAuthority(options: Options = {}) {
  const { marked = true, middleMarked = true, authority = true } = options;
  const { from = new Date("2020-01-01"), until = new Date("2040-01-01") } = options;
  const [root, middle, leaf] = [1, 2, 3].map(() => generateKeyPairSync("ec", { namedCurve: "P-256" }));
  if (!root || !middle || !leaf) throw new Error("no keys");
  const dates = { from, until };
  const chain = [
    {
      name: "Leaf",
      issuer: "Intermediate",
      key: leaf.publicKey,
      signer: middle.privateKey,
      ...dates,
      authority: false,
      mark: marked ? LEAF_MARK : undefined,
    },
    {
      name: "Intermediate",
      issuer: "Root",
      key: middle.publicKey,
      signer: root.privateKey,
      ...dates,
      authority,
      mark: middleMarked ? INTERMEDIATE_MARK : undefined,
    },
    {
      name: "Root",
      issuer: "Root",
      key: root.publicKey,
      signer: root.privateKey,
      ...dates,
      authority: true,
    },
  ].map((wanted) => certificate(wanted).toString("base64"));
  const jws = (claims: unknown, x5c: readonly string[] = chain) => {
    const text = `${base64url({ alg: "ES256", x5c })}.${base64url(claims)}`;
    const key = { key: leaf.privateKey, dsaEncoding: "ieee-p1363" } as const;
    return `${text}.${sign("sha256", Buffer.from(text), key).toString("base64url")}`;
  };
  const rootPem = `-----BEGIN CERTIFICATE-----\n${chain[2]}\n-----END CERTIFICATE-----`;
  return { chain, rootPem, jws };
}
