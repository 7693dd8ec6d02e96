import type { AlertKind } from "@/lib/contract/alerts";

/** Something that is wrong in an app and that people should hear of. */
export interface Alert {
  kind: AlertKind;
  /** What it is about: with the kind it is told once until it is mended. */
  subject: string;
  /** One line. Names that people chose may be in it, so whoever sends it escapes what its channel would read. */
  title: string;
  /** What it means and what to do. */
  detail: string;
  /** Where it is mended, below the app's own path. */
  path: string;
}

/** An alert's name among those of its app. */
export const alertKey = ({ kind, subject }: Pick<Alert, "kind" | "subject">): string => `${kind} ${subject}`;
