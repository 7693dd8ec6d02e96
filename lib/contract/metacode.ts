import { z } from "zod";
import { normalizeMetacode } from "./fields";

/** A metacode that the owner chooses: after the folding of {@link normalizeMetacode}, 4 to 32 of `[a-z0-9]`. */
export const vanityField = z
  .string({ error: "metacode is required" })
  .transform(normalizeMetacode)
  .refine((text) => /^[a-z0-9]{4,32}$/.test(text), {
    error: "metacode must be 4 to 32 letters a-z and digits",
  });
