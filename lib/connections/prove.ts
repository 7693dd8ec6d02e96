import type { ConnectionRecord } from "@/lib/connections/cache";
import { noteRefusal } from "@/lib/connections/refusals";
import { AppError } from "@/lib/errors";
import type { Delivery } from "@/lib/providers/adapter";
import { isProvider, PROVIDERS } from "@/lib/providers/registry";

type Arrived = Pick<Delivery, "headers" | "rawBody">;

/**
 * What arrived at a connection's address, once it has proved where it comes from: with the connection's secret, or for
 * a while with the one before. Throws UNAUTHORIZED and notes it for the connection's owner.
 */
export function provenDelivery(connection: ConnectionRecord, arrived: Arrived, now = Date.now()): Delivery {
  const { provider, signingSecret, former } = connection;
  if (!isProvider(provider)) throw new Error("unknown provider");
  const secrets = former && former.until > now ? [connection.secret, former.secret] : [connection.secret];
  const tries = secrets.map((secret) => ({ ...arrived, secret, signingSecret, now }));
  const refusals = tries.map((delivery) =>
    refusalOf(() => PROVIDERS[provider].adapter.authenticate(delivery)),
  );
  const proven = tries.find((_, index) => refusals[index] === undefined);
  if (proven) return proven;
  noteRefusal(connection);
  throw refusals[0];
}

function refusalOf(authenticate: () => void): AppError | undefined {
  try {
    authenticate();
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
