import { randomBytes } from "node:crypto";

/** A value for a header that the provider repeats with every delivery, from a cryptographic source. */
export const headerSecret = () => `metacode_${randomBytes(24).toString("base64url")}`;

/** A signing secret of Standard Webhooks, from a cryptographic source. */
export const signingSecret = () => `whsec_${randomBytes(32).toString("base64")}`;
