import { Secret, TOTP } from "otpauth";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createChannel } from "@/lib/outward/problems/channels";
import { sendTestAlert } from "@/lib/outward/problems/post";
import { rotateEndpointSecret } from "@/lib/outward/webhooks/manage-endpoints";
import { database } from "@/lib/platform/db/client";
import { sealedPrefix } from "@/lib/platform/secrets/seal";
import { updateStoreKey } from "@/lib/program/app-store-connect/store-key";
import { createConnection } from "@/lib/program/connections/create";
import { rotateConnectionSecret, updateSigningSecret } from "@/lib/program/connections/update";
import { createUser } from "@/lib/tenants/accounts/create-user";
import { createKey } from "@/lib/tenants/api-keys/create";
import { rotateKey } from "@/lib/tenants/api-keys/lifecycle";
import type { Context } from "@/lib/tenants/context";
import { enableTwoFactor, startTwoFactorSetup } from "@/lib/tenants/two-factor/enable";
import { makeAppleKey } from "@/lib/testing/app-store/server";
import { emitExample } from "@/lib/testing/events";
import { postDelivery } from "@/lib/testing/provider-events/deliver";
import { useService } from "@/lib/testing/service";
import { asTeamMember } from "@/lib/testing/support";
import { makeTenant } from "@/lib/testing/tenant";
import { type Chat, startChat } from "@/lib/testing/webhooks/chat";
import { deliverOpen, makeReceiver } from "@/lib/testing/webhooks/webhooks";

useService({ OUTBOUND_ALLOW: "127.0.0.0/8" });

let chat: Chat;
beforeAll(async () => {
  chat = await startChat();
});
afterAll(() => chat.stop());

/** Every row of the database as text; bytes are in hexadecimal digits. */
async function everyRow(): Promise<string> {
  const { pool } = database();
  const { rows } = await pool.query<{ schema: string; name: string }>(
    `select table_schema as schema, table_name as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  const texts = await Promise.all(
    rows.map(async ({ schema, name }) => {
      const found = await pool.query<{ text: string }>(`select t::text as text from "${schema}"."${name}" t`);
      return found.rows.map(({ text }) => `${name}: ${text}`).join("\n");
    }),
  );
  return texts.join("\n");
}

/** The forms in which a secret could be stored unsealed. */
function formsOf(secret: string | Buffer): string[] {
  const bytes = Buffer.from(secret);
  const text = bytes.toString();
  return [text, JSON.stringify(text).slice(1, -1), bytes.toString("hex"), bytes.toString("base64")];
}

const shown = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate();

type Planted = Record<string, string | Buffer>;

/** Secrets of providers and of the App Store, used and rotated. */
async function plantProviders(ctx: Context): Promise<Planted> {
  const [signing, nextSigning] = ["rc-signing-secret-1", "rc-signing-secret-2"];
  const { id, ...made } = await createConnection(ctx, { provider: "revenuecat", signingSecret: signing });
  const headers = { authorization: made.secret };
  expect((await postDelivery({ id, ...made }, { headers, body: {} })).status).toBe(401);
  const rotated = await rotateConnectionSecret(ctx, id, "24h");
  await updateSigningSecret(ctx, id, nextSigning);
  const pasted = "whsec_c3RyaXBlIHNlY3JldCBvZiB0aGUgdGVzdA";
  await createConnection(ctx, { provider: "stripe", secret: pasted });
  const { privateKey } = makeAppleKey();
  await updateStoreKey(ctx, {
    issuerId: "57246542-96fe-1a63-e053-0824d011072a",
    keyId: "2X9R4HXF34",
    privateKey,
  });
  const apple = privateKey.split("\n")[1] ?? "";
  return { secret: made.secret, rotated: rotated.secret, signing, nextSigning, pasted, apple };
}

/** Secrets of webhook endpoints and of an alert channel, used and rotated. */
async function plantReceivers(ctx: Context): Promise<Planted> {
  const { id, secret: endpoint } = await makeReceiver(ctx, { events: ["pool.low"] });
  await emitExample(ctx.db, ctx.app.id, "pool.low", { pool_id: uuidv7() });
  expect(await deliverOpen(ctx)).toEqual(["delivered"]);
  const rotated = await rotateEndpointSecret(ctx, id, "24h");
  await emitExample(ctx.db, ctx.app.id, "pool.low", { pool_id: uuidv7() });
  await deliverOpen(ctx);
  const chatPath = "services/T000/B000/slackwebhooktoken";
  const target = chat.url(chatPath);
  const channel = await createChannel(ctx, { type: "slack", name: "ops", target, kinds: ["quota"] });
  await sendTestAlert(ctx, channel.id);
  expect(chat.posts).toHaveLength(1);
  return { endpoint, rotatedEndpoint: rotated.secret, chatPath };
}

/** An API key, and all that lets a user sign in. */
async function plantCredentials(ctx: Context): Promise<Planted> {
  const { id: keyId, key } = await createKey(ctx, { name: "Server", scopes: ["referrer:read"] });
  const rotatedKey = (await rotateKey(ctx, { keyId, grace: "24h" })).key;
  const password = "a planted password";
  const email = `${uuidv7()}@example.com`;
  const user = await createUser(database(), { email, name: "Ann", password });
  const { secret } = await startTwoFactorSetup(database(), user.id, { password, address: "192.0.2.9" });
  const enabling = { code: shown(secret), address: "192.0.2.9" };
  const { recoveryCodes } = await enableTwoFactor(database(), user.id, enabling);
  const codes = Object.fromEntries(recoveryCodes.map((code, index) => [`recovery code ${index}`, code]));
  const secondFactorBytes = Buffer.from(Secret.fromBase32(secret).bytes);
  return { key, rotatedKey, password, secondFactor: secret, secondFactorBytes, ...codes };
}

test("no column of any table holds a secret in the clear, after each was created, rotated and used", async () => {
  const ctx = asTeamMember((await makeTenant()).ctx);
  const planted = {
    ...(await plantProviders(ctx)),
    ...(await plantReceivers(ctx)),
    ...(await plantCredentials(ctx)),
  };
  const rows = await everyRow();
  expect(rows).toContain(sealedPrefix());
  for (const [name, secret] of Object.entries(planted)) {
    expect(secret.length, name).toBeGreaterThan(8);
    for (const form of formsOf(secret)) expect(rows.includes(form), name).toBe(false);
  }
});
