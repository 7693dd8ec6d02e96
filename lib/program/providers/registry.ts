import { adapty } from "@/lib/program/providers/adapty/adapter";
import { adaptyLabels } from "@/lib/program/providers/adapty/labels";
import { apphud } from "@/lib/program/providers/apphud/adapter";
import { apphudLabels } from "@/lib/program/providers/apphud/labels";
import { apple } from "@/lib/program/providers/apple/adapter";
import { appleLabels } from "@/lib/program/providers/apple/labels";
import type { Adapter } from "@/lib/program/providers/common/adapter";
import type { ProviderLabels } from "@/lib/program/providers/common/labels";
import { generic } from "@/lib/program/providers/generic/adapter";
import { genericLabels } from "@/lib/program/providers/generic/labels";
import { iaphub } from "@/lib/program/providers/iaphub/adapter";
import { iaphubLabels } from "@/lib/program/providers/iaphub/labels";
import { purchasely } from "@/lib/program/providers/purchasely/adapter";
import { purchaselyLabels } from "@/lib/program/providers/purchasely/labels";
import { qonversion } from "@/lib/program/providers/qonversion/adapter";
import { qonversionLabels } from "@/lib/program/providers/qonversion/labels";
import { revenuecat } from "@/lib/program/providers/revenuecat/adapter";
import { revenuecatLabels } from "@/lib/program/providers/revenuecat/labels";
import { stripe } from "@/lib/program/providers/stripe/adapter";
import { stripeLabels } from "@/lib/program/providers/stripe/labels";
import { superwall } from "@/lib/program/providers/superwall/adapter";
import { superwallLabels } from "@/lib/program/providers/superwall/labels";

/** A provider as this version supports it. */
interface Provider extends ProviderLabels {
  adapter: Adapter;
}

/** Every supported provider; its key is the part of the address after `/api/providers/`. */
export const PROVIDERS = {
  revenuecat: { adapter: revenuecat, ...revenuecatLabels },
  adapty: { adapter: adapty, ...adaptyLabels },
  superwall: { adapter: superwall, ...superwallLabels },
  qonversion: { adapter: qonversion, ...qonversionLabels },
  apphud: { adapter: apphud, ...apphudLabels },
  purchasely: { adapter: purchasely, ...purchaselyLabels },
  iaphub: { adapter: iaphub, ...iaphubLabels },
  apple: { adapter: apple, ...appleLabels },
  stripe: { adapter: stripe, ...stripeLabels },
  generic: { adapter: generic, ...genericLabels },
} as const satisfies Record<string, Provider>;

export type ProviderName = keyof typeof PROVIDERS;

/** Whether a name from a request or a row is a supported provider. */
export const isProvider = (name: string): name is ProviderName => Object.hasOwn(PROVIDERS, name);
