import pLimit from "p-limit";
import type { OfferType, StoreOffer } from "@/lib/contract/code-request";
import type { NewStoreBatch, OfferRef, StoreApi, StoreBatch } from "@/lib/program/stores/store-api";
import type { AppStoreClient, Resource } from "./client";

/** Apple's names for offers and their batches, by the type of product. */
const NAMES = {
  subscription: { offers: "subscriptionOfferCodes", batches: "subscriptionOfferCodeOneTimeUseCodes" },
  in_app_purchase: { offers: "inAppPurchaseOfferCodes", batches: "inAppPurchaseOfferCodeOneTimeUseCodes" },
} as const satisfies Record<OfferType, { offers: string; batches: string }>;

/** Concurrent requests. Apple's rate limit counts requests per hour. */
const CONCURRENCY = 4;

const segment = encodeURIComponent;

/** App Store Connect as the store of one app, by the app's numeric Apple id. */
export function appStoreApi(client: AppStoreClient, appleAppId: string): StoreApi {
  return {
    listOffers: () => listOffers(client, appleAppId),
    async listBatches({ type, id }) {
      return (await client.list(`/v1/${NAMES[type].offers}/${segment(id)}/oneTimeUseCodes`)).map(batchOf);
    },
    async createBatch(offer, batch) {
      return batchOf(await client.post(`/v1/${NAMES[offer.type].batches}`, batchBody(offer, batch)));
    },
    downloadCodes: (type, id) => client.get(`/v1/${NAMES[type].batches}/${segment(id)}/values`, "text/csv"),
  };
}

function batchBody({ type, id }: OfferRef, { amount, expiresOn, sandbox }: NewStoreBatch): object {
  const environment = sandbox ? { environment: "SANDBOX" } : {};
  return {
    data: {
      type: NAMES[type].batches,
      attributes: { numberOfCodes: amount, expirationDate: expiresOn, ...environment },
      relationships: { offerCode: { data: { type: NAMES[type].offers, id } } },
    },
  };
}

/** A product of the app with the list of its offers. */
interface Product {
  type: OfferType;
  product: Resource;
  offersPath: string;
}

async function listProducts(client: AppStoreClient, appleAppId: string): Promise<Product[]> {
  const app = `/v1/apps/${segment(appleAppId)}`;
  const found: Product[] = [];
  for (const group of await client.list(`${app}/subscriptionGroups`)) {
    for (const product of await client.list(`/v1/subscriptionGroups/${segment(group.id)}/subscriptions`)) {
      const offersPath = `/v1/subscriptions/${segment(product.id)}/offerCodes`;
      found.push({ type: "subscription", product, offersPath });
    }
  }
  for (const product of await client.list(`${app}/inAppPurchasesV2`)) {
    const offersPath = `/v2/inAppPurchases/${segment(product.id)}/offerCodes`;
    found.push({ type: "in_app_purchase", product, offersPath });
  }
  return found;
}

/** The offers of all products, sorted by product. The first failure cancels the queued requests. */
async function listOffers(client: AppStoreClient, appleAppId: string): Promise<StoreOffer[]> {
  const limit = pLimit(CONCURRENCY);
  try {
    const lists = await limit.map(
      await listProducts(client, appleAppId),
      async ({ type, product, offersPath }) =>
        (await client.list(offersPath)).map((offer) => offerOf(type, product, offer)),
    );
    return lists.flat().sort((a, b) => (`${a.product}${a.name}` < `${b.product}${b.name}` ? -1 : 1));
  } finally {
    limit.clearQueue();
  }
}

const textOf = (value: unknown, fallback = "") =>
  typeof value === "string" && value !== "" ? value : fallback;

function offerOf(type: OfferType, product: Resource, { id, attributes }: Resource): StoreOffer {
  const productId = textOf(product.attributes.productId);
  return {
    type,
    id,
    // An import trims the name of its offer, too.
    name: textOf(attributes.name).trim() || id,
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
