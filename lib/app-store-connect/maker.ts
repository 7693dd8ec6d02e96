import { Lanes } from "@/lib/codes/lanes";
import type { OfferType, StoreOffer } from "@/lib/contract/code-request";
import type { CodeMaker, NewStoreBatch, OfferRef, StoreBatch } from "@/lib/stores/code-maker";
import type { AppStoreClient, Resource } from "./client";

/** How Apple calls an offer and its batches, by what is sold. */
const NAMES = {
  subscription: { offers: "subscriptionOfferCodes", batches: "subscriptionOfferCodeOneTimeUseCodes" },
  in_app_purchase: { offers: "inAppPurchaseOfferCodes", batches: "inAppPurchaseOfferCodeOneTimeUseCodes" },
} as const satisfies Record<OfferType, { offers: string; batches: string }>;

/** Products that are looked through side by side; Apple counts requests by the hour. */
const WIDTH = 4;

const part = encodeURIComponent;

/** App Store Connect as a maker of codes for one app, by its numeric Apple id. */
export function appStoreMaker(client: AppStoreClient, appleAppId: string): CodeMaker {
  return {
    listOffers: () => listOffers(client, appleAppId),
    async listBatches({ type, id }) {
      return (await client.list(`/v1/${NAMES[type].offers}/${part(id)}/oneTimeUseCodes`)).map(batchOf);
    },
    async makeBatch(offer, batch) {
      return batchOf(await client.post(`/v1/${NAMES[offer.type].batches}`, creation(offer, batch)));
    },
    readCodes: (type, id) => client.get(`/v1/${NAMES[type].batches}/${part(id)}/values`, "text/csv"),
  };
}

function creation({ type, id }: OfferRef, { amount, expiresOn, sandbox }: NewStoreBatch): object {
  const environment = sandbox ? { environment: "SANDBOX" } : {};
  return {
    data: {
      type: NAMES[type].batches,
      attributes: { numberOfCodes: amount, expirationDate: expiresOn, ...environment },
      relationships: { offerCode: { data: { type: NAMES[type].offers, id } } },
    },
  };
}

/** The offers of everything that the app sells, by product. */
async function listOffers(client: AppStoreClient, appleAppId: string): Promise<StoreOffer[]> {
  const app = `/v1/apps/${part(appleAppId)}`;
  const found: StoreOffer[] = [];
  const lanes = new Lanes(WIDTH);
  const lookAt = (type: OfferType, product: Resource, path: string) =>
    lanes.add(async () => {
      for (const offer of await client.list(path)) found.push(offerOf(type, product, offer));
    });
  for (const group of await client.list(`${app}/subscriptionGroups`)) {
    for (const product of await client.list(`/v1/subscriptionGroups/${part(group.id)}/subscriptions`)) {
      await lookAt("subscription", product, `/v1/subscriptions/${part(product.id)}/offerCodes`);
    }
  }
  for (const product of await client.list(`${app}/inAppPurchasesV2`)) {
    await lookAt("in_app_purchase", product, `/v2/inAppPurchases/${part(product.id)}/offerCodes`);
  }
  await lanes.finish();
  return found.sort((a, b) => (`${a.product}${a.name}` < `${b.product}${b.name}` ? -1 : 1));
}

const textOf = (value: unknown, fallback = "") =>
  typeof value === "string" && value !== "" ? value : fallback;

function offerOf(type: OfferType, product: Resource, { id, attributes }: Resource): StoreOffer {
  const productId = textOf(product.attributes.productId);
  return {
    type,
    id,
    name: textOf(attributes.name, id),
    product: textOf(product.attributes.name, productId),
    productId,
    active: attributes.active !== false,
  };
}

function batchOf({ id, attributes }: Resource): StoreBatch {
  const { numberOfCodes, expirationDate, createdDate, active, environment } = attributes;
  const createdAt = new Date(textOf(createdDate));
  return {
    id,
    amount: Number(numberOfCodes ?? 0),
    expiresOn: textOf(expirationDate).slice(0, 10),
    createdAt: Number.isNaN(createdAt.getTime()) ? undefined : createdAt,
    active: active !== false,
    sandbox: environment === undefined ? undefined : environment === "SANDBOX",
  };
}
