import { z } from "zod";
import { storeMidnight } from "./expiry";

/** A day as a form and an address give it, `2027-03-31`; becomes the moment at which the stores end it. */
export const dayField = (field: string) =>
  z
    .string({ error: `${field} must be a day` })
    .regex(/^\d{4}-\d\d-\d\d$/, { error: `${field} must be a day such as 2027-03-31` })
    .transform(storeMidnight)
    .refine((moment) => !Number.isNaN(moment.getTime()), { error: `${field} is no day of the calendar` });
