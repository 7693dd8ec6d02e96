import { expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { getConnection, listConnections } from "@/lib/program/connections/connection";
import { createConnection } from "@/lib/program/connections/create";
import { findConnection } from "@/lib/program/connections/find";
import {
  disableConnection,
  enableConnection,
  rotateConnectionSecret,
  updateSigningSecret,
} from "@/lib/program/connections/update";
import { usePassingTime } from "@/lib/testing/clock";
import { anotherProcess } from "@/lib/testing/processes/singletons";
import { confirmingApp } from "@/lib/testing/provider-events/confirming-app";
import { useService } from "@/lib/testing/service";

useService();
const pass = usePassingTime();

const invalid = (field: string) => expect.objectContaining({ code: "VALIDATION_ERROR", field });
const missing = expect.objectContaining({ code: "NOT_FOUND" });

test("a connection has an address, a secret of its provider's form, and is listed", async () => {
  const { ctx } = await confirmingApp(database());
  const revenuecat = await createConnection(ctx, { provider: "revenuecat", signingSecret: " key " });
  const generic = await createConnection(ctx, { provider: "generic" });
  expect(revenuecat).toMatchObject({ provider: "revenuecat", signed: true, enabled: true });
  expect(revenuecat.secret).toMatch(/^metacode_[\w-]{32}$/);
  expect(revenuecat.url).toMatch(new RegExp(`^http.*/api/providers/revenuecat/${revenuecat.id}$`));
  expect(generic.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const listed = await listConnections(ctx);
  expect([revenuecat, generic]).toMatchObject(listed);
  expect(listed.map(({ id }) => id)).toEqual([revenuecat.id, generic.id]);
  for (const { secret } of [revenuecat, generic]) expect(JSON.stringify(listed)).not.toContain(secret);
});

test("an invalid connection is refused, naming the field", async () => {
  const { ctx } = await confirmingApp(database());
  for (const provider of ["glassfy", "", "constructor"]) {
    await expect(createConnection(ctx, { provider })).rejects.toThrow(invalid("provider"));
  }
  for (const bad of [
    { provider: "generic", signingSecret: "key" },
    { provider: "revenuecat", signingSecret: "a b" },
    { provider: "revenuecat", signingSecret: "\0" },
    { provider: "revenuecat", signingSecret: "x".repeat(501) },
  ]) {
    await expect(createConnection(ctx, bad)).rejects.toThrow(invalid("signingSecret"));
  }
  expect(await listConnections(ctx)).toEqual([]);
});

test("a delivery finds an enabled connection of its provider, with the app it belongs to", async () => {
  const { ctx } = await confirmingApp(database(), { sandbox: true });
  const { id, secret } = await createConnection(ctx, { provider: "revenuecat" });
  const found = {
    id,
    secret,
    former: null,
    signingSecret: null,
    ownNames: null,
    webPurchases: false,
    app: ctx.app,
    workspaceId: ctx.workspace.id,
  };
  expect(await findConnection(database(), "revenuecat", id)).toEqual({ ...found, provider: "revenuecat" });
  expect(await findConnection(database(), "revenuecat", id.toUpperCase())).toMatchObject({ id });
  expect(await findConnection(database(), "generic", id)).toBeUndefined();
  expect(await findConnection(database(), "revenuecat", ctx.app.id)).toBeUndefined();
  expect(await findConnection(database(), "revenuecat", "1' or true --")).toBeUndefined();
});

test("every change is seen by the next delivery of this process", async () => {
  const { ctx } = await confirmingApp(database());
  const { id, secret } = await createConnection(ctx, { provider: "revenuecat" });
  const find = () => findConnection(database(), "revenuecat", id);
  expect((await find())?.secret).toBe(secret);

  const rotated = await rotateConnectionSecret(ctx, id);
  expect(rotated.secret).not.toBe(secret);
  expect((await find())?.secret).toBe(rotated.secret);

  expect(await updateSigningSecret(ctx, id, "key")).toMatchObject({ signed: true });
  expect((await find())?.signingSecret).toBe("key");
  expect(await updateSigningSecret(ctx, id, " ")).toMatchObject({ signed: false });
  expect((await find())?.signingSecret).toBeNull();

  await disableConnection(ctx, id);
  expect(await find()).toBeUndefined();
  await enableConnection(ctx, id);
  expect(await find()).toMatchObject({ id });
});

test("another app reads and changes nothing of it", async () => {
  const [own, other] = [await confirmingApp(database()), await confirmingApp(database())];
  const connection = await createConnection(own.ctx, { provider: "revenuecat" });
  const { id } = connection;
  for (const attempt of [
    () => getConnection(other.ctx, id),
    () => rotateConnectionSecret(other.ctx, id),
    () => updateSigningSecret(other.ctx, id, "key"),
    () => disableConnection(other.ctx, id),
    () => getConnection(other.ctx, "no-uuid"),
  ]) {
    await expect(attempt()).rejects.toThrow(missing);
  }
  expect(await listConnections(other.ctx)).toEqual([]);
  expect(connection).toMatchObject(await getConnection(own.ctx, id));
});

test("a change is seen by another process five seconds later at the latest", async () => {
  const { ctx } = await confirmingApp(database());
  const { id } = await createConnection(ctx, { provider: "revenuecat" });
  const other = anotherProcess();
  const db = database();
  const find = () => other(() => findConnection(db, "revenuecat", id));
  expect(await find()).toMatchObject({ id });
  await disableConnection(ctx, id.toUpperCase());
  expect(await findConnection(db, "revenuecat", id)).toBeUndefined();
  expect(await find()).toMatchObject({ id });
  pass(5_000);
  expect(await find()).toBeUndefined();
});
