import { randomBytes } from "node:crypto";

/** A batch of one-time codes at the store. */
interface AppleBatch {
  id: string;
  offerId: string;
  amount: number;
  expiresOn: string;
  createdAt: string;
  environment: string;
  codes: string[];
}

/** Products of the test app and their offers, by path. */
const PRODUCTS: Record<string, [id: string, attributes: object][]> = {
  "/v1/apps/1234567890/subscriptionGroups": [["group1", { referenceName: "Premium" }]],
  "/v1/subscriptionGroups/group1/subscriptions": [
    ["sub1", { name: "Monthly", productId: "com.example.monthly" }],
    ["sub2", { name: "Yearly", productId: "com.example.yearly" }],
  ],
  "/v1/subscriptions/sub1/offerCodes": [
    ["offer1", { name: "One month free", active: true }],
    ["offer2", { name: "Old offer", active: false }],
    ["offer3", { name: "Half a year", active: true }],
  ],
  "/v1/subscriptions/sub2/offerCodes": [],
  "/v1/apps/1234567890/inAppPurchasesV2": [["iap1", { name: "Coins", productId: "com.example.coins" }]],
  "/v2/inAppPurchases/iap1/offerCodes": [["offer4", { name: " Ten coins ", active: true }]],
};

/** A response in Apple's format of an error. */
export class AppleError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

interface Creation {
  data: {
    type: string;
    attributes: { numberOfCodes: number; expirationDate: string; environment?: string };
    relationships: { offerCode: { data: { type: string; id: string } } };
  };
}

/** The test store's products and batches, with Apple's limits. */
export class AppleBooks {
  readonly batches: AppleBatch[] = [];

  list(path: string): { id: string; attributes: object }[] {
    const products = PRODUCTS[path];
    if (products) return products.map(([id, attributes]) => ({ id, attributes }));
    const offerId = /^\/v1\/(?:subscription|inAppPurchase)OfferCodes\/(\w+)\/oneTimeUseCodes$/.exec(
      path,
    )?.[1];
    if (!offerId || !offerOf(offerId)) throw new AppleError(404, "There is no resource of this type.");
    return this.batches.filter((batch) => batch.offerId === offerId).map(resourceOf);
  }

  create(path: string, { data }: Creation): { id: string; attributes: object } {
    const { numberOfCodes, expirationDate, environment = "PRODUCTION" } = data.attributes;
    const { id: offerId, type } = data.relationships.offerCode.data;
    const kind = path === "/v1/inAppPurchaseOfferCodeOneTimeUseCodes" ? "inAppPurchase" : "subscription";
    if (path !== `/v1/${data.type}` || type !== `${kind}OfferCodes`) throw new AppleError(409, "Wrong type.");
    const offer = offerOf(offerId);
    if (!offer) throw new AppleError(404, "There is no such offer.");
    if (!offer.active) throw new AppleError(409, "The offer is not active.");
    if (numberOfCodes < 10 || numberOfCodes > 10_000)
      throw new AppleError(409, "Between 10 and 10000 codes.");
    const days = (Date.parse(expirationDate) - Date.now()) / 86_400_000;
    if (!(days > 0 && days < 185)) throw new AppleError(409, "The date must be within six months.");
    return resourceOf(this.add(offerId, numberOfCodes, expirationDate, environment));
  }

  /** Adds a batch, as a person does in App Store Connect. */
  add(offerId: string, amount: number, expiresOn: string, environment = "PRODUCTION"): AppleBatch {
    const id = `batch${this.batches.length + 1}`;
    const start = randomBytes(6).toString("hex").toUpperCase();
    const codes = Array.from({ length: amount }, (_, n) => `${start}${String(n).padStart(6, "0")}`);
    const createdAt = new Date().toISOString();
    const batch = { id, offerId, amount, expiresOn, createdAt, environment, codes };
    this.batches.push(batch);
    return batch;
  }

  /** A batch's codes with their links, as the store's file has them. */
  file(path: string): string {
    const id = /OneTimeUseCodes\/(\w+)\/values$/.exec(path)?.[1];
    const batch = this.batches.find((stored) => stored.id === id);
    if (!batch) throw new AppleError(404, "There is no such batch.");
    const link = "https://apps.apple.com/redeem?ctx=offercodes&id=1234567890&code=";
    return batch.codes.map((code) => `${code},${link}${code}\n`).join("");
  }
}

function offerOf(id: string): { active: boolean } | undefined {
  const found = Object.entries(PRODUCTS).flatMap(([path, list]) => (path.endsWith("offerCodes") ? list : []));
  return found.find(([offer]) => offer === id)?.[1] as { active: boolean } | undefined;
}

function resourceOf({ id, amount, expiresOn, createdAt, environment }: AppleBatch) {
  const attributes = {
    numberOfCodes: amount,
    expirationDate: expiresOn,
    createdDate: createdAt,
    active: true,
    environment,
  };
  return { id, attributes };
}
