import { randomBytes } from "node:crypto";

/** What the scripts and styles of one answer carry. */
export const makeNonce = (): string => randomBytes(16).toString("base64");
