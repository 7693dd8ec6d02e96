import { Badge, type BadgeTone } from "./badge";

/** The name and the colour of each status of one kind of thing. */
export type StatusLooks<Status extends string> = Record<Status, { label: string; tone: BadgeTone }>;

interface Props<Status extends string> {
  status: Status;
  looks: StatusLooks<Status>;
}

/** The status of a thing as a badge. */
export function StatusBadge<Status extends string>({ status, looks }: Props<Status>) {
  const { label, tone } = looks[status];
  return <Badge tone={tone}>{label}</Badge>;
}

/** The statuses as the choices of a filter. */
export function statusChoices<Status extends string>(looks: StatusLooks<Status>) {
  return Object.entries<{ label: string }>(looks).map(([value, { label }]) => ({ value, name: label }));
}
