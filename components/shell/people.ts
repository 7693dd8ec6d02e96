import type { FormAction } from "@/lib/contract/form-state";
import type { Found } from "@/lib/contract/found";

/** Looks for people of an app (`appId`) by what is known of them (`text`): uid, metacode, name, code or id. */
export type FindPeople = FormAction<Found[]>;
