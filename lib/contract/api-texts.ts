/** Every text of the API in the language of the end user, with the placeholders that its translations may use. */
export const API_TEXTS = {
  redeemIos: [],
  redeemAndroid: [],
  redeemInApp: [],
  referredBy: ["inviter"],
  claimed: ["claimed", "waiting"],
} as const;

export type ApiText = keyof typeof API_TEXTS;

/** One language's texts as ICU messages. */
export type ApiMessages = Record<ApiText, string>;
