import { type Account, getAccount } from "@/lib/accounts/get-account";
import { database } from "@/lib/db/client";
import { offeredProviders } from "@/lib/session/oauth-providers";
import { currentPerson } from "@/lib/session/person";

interface Service {
  id: string;
  name: string;
  since: Date | null;
}

/** The account of who is signed in, and the services that it is or can be connected with. */
export async function findAccount(): Promise<{ account: Account; services: Service[] }> {
  const { id } = await currentPerson();
  const account = await getAccount(database(), id);
  const services = offeredProviders().map((service) => ({
    ...service,
    since: account.connected.find(({ provider }) => provider === service.id)?.since ?? null,
  }));
  return { account, services };
}
