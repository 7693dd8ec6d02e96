/** What a chat shows of the public pages; drawn once, because it says the same everywhere. */
export const SHARE_PICTURE = {
  url: "/share.png",
  width: 1200,
  height: 630,
  alt: "Metacode: referrals that end in a promo code",
};
