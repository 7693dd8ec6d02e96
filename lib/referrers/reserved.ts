/** Metacodes that mean something of their own (contract, redeem 1), or that would pass for a page or a person of ours. */
const RESERVED = new Set(
  `test123 test404 test409 test503 testended test tests example sample demo
   api admin administrator root system support help info security abuse legal privacy terms
   dashboard account accounts login logout signin signout signup register settings billing
   metacode referral referrer referee redeem reward rewards invite promo code codes campaign
   www static assets public images landing share wellknown robots sitemap favicon
   null undefined true false none apple google appstore playstore`.split(/\s+/),
);

/** Whether a metacode is nobody's to have. Expects it normalised. */
export function isReserved(metacode: string): boolean {
  return RESERVED.has(metacode);
}
