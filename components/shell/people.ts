/** A person of the app as the palette shows one, with the address of the page about them. */
export interface FoundPerson {
  href: string;
  /** `referrer` or `referee`. */
  kind: string;
  title: string;
  note: string;
}

/** Looks for people of an app by the beginning of a uid, metacode or name. */
export type FindPeople = (appId: string, text: string) => Promise<FoundPerson[]>;
