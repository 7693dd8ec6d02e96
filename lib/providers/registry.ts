import { adapty } from "@/lib/providers/adapty";
import { apphud } from "@/lib/providers/apphud";
import { apple } from "@/lib/providers/apple";
import { generic } from "@/lib/providers/generic";
import { iaphub } from "@/lib/providers/iaphub";
import type { Provider } from "@/lib/providers/provider";
import { purchasely } from "@/lib/providers/purchasely";
import { qonversion } from "@/lib/providers/qonversion";
import { revenuecat } from "@/lib/providers/revenuecat";
import { stripe } from "@/lib/providers/stripe";
import { superwall } from "@/lib/providers/superwall";
import { adaptyWords } from "@/lib/providers/words/adapty";
import { apphudWords } from "@/lib/providers/words/apphud";
import { appleWords } from "@/lib/providers/words/apple";
import { genericWords } from "@/lib/providers/words/generic";
import { iaphubWords } from "@/lib/providers/words/iaphub";
import { purchaselyWords } from "@/lib/providers/words/purchasely";
import { qonversionWords } from "@/lib/providers/words/qonversion";
import { revenuecatWords } from "@/lib/providers/words/revenuecat";
import { stripeWords } from "@/lib/providers/words/stripe";
import { superwallWords } from "@/lib/providers/words/superwall";

/** Every provider that can confirm; its key is the part of the address after `/api/providers/`. */
export const PROVIDERS = {
  revenuecat: { adapter: revenuecat, ...revenuecatWords },
  adapty: { adapter: adapty, ...adaptyWords },
  superwall: { adapter: superwall, ...superwallWords },
  qonversion: { adapter: qonversion, ...qonversionWords },
  apphud: { adapter: apphud, ...apphudWords },
  purchasely: { adapter: purchasely, ...purchaselyWords },
  iaphub: { adapter: iaphub, ...iaphubWords },
  apple: { adapter: apple, ...appleWords },
  stripe: { adapter: stripe, ...stripeWords },
  generic: { adapter: generic, ...genericWords },
} as const satisfies Record<string, Provider>;

export type ProviderName = keyof typeof PROVIDERS;

/** Whether a name from outside is a provider that this version speaks with. */
export const isProvider = (name: string): name is ProviderName => Object.hasOwn(PROVIDERS, name);
