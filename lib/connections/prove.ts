import type { ConnectionRecord } from "@/lib/connections/cache";
import { noteRefusal } from "@/lib/connections/refusals";
import { isWaiting } from "@/lib/connections/secret";
import { AppError, fail } from "@/lib/errors";
import type { Delivery, Readable } from "@/lib/providers/adapter";
import { isProvider, PROVIDERS } from "@/lib/providers/registry";

/**
 * What arrived at a connection's address, once it has proved where it comes from: with the connection's secret, or for
 * a while with the one before. Throws UNAUTHORIZED and notes it for the connection's owner.
 */
export async function provenDelivery(
  connection: ConnectionRecord,
  arrived: Readable,
  now = Date.now(),
): Promise<Delivery> {
  const { provider, signingSecret, former, app, ownNames } = connection;
  if (!isProvider(provider)) throw new Error("unknown provider");
  const secrets = former && former.until > now ? [connection.secret, former.secret] : [connection.secret];
  if (isWaiting(provider, connection.secret)) {
    noteRefusal(connection);
    return fail("UNAUTHORIZED", "The provider's secret has not been entered yet, so nothing can be checked");
  }
  const tries = secrets.map((secret) => ({ ...arrived, secret, signingSecret, app, ownNames, now }));
  const refusals = await Promise.all(
    tries.map((delivery) => refusalOf(async () => PROVIDERS[provider].adapter.authenticate(delivery))),
  );
  const proven = tries.find((_, index) => refusals[index] === undefined);
  if (proven) return proven;
  noteRefusal(connection);
  throw refusals[0];
}

async function refusalOf(authenticate: () => Promise<void>): Promise<AppError | undefined> {
  try {
    await authenticate();
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
