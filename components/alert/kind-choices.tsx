import { CheckList } from "@/components/ui/check-list";
import { ALERT_KINDS, ALERT_NAMES, ALERTS, type AlertKind } from "@/lib/contract/alerts";

const CHOICES = ALERT_KINDS.map((kind) => ({ value: kind, name: ALERT_NAMES[kind], hint: ALERTS[kind] }));

/** What a channel is told of. */
export function KindChoices({ chosen }: { chosen: readonly AlertKind[] }) {
  return <CheckList legend="Told of" name="kinds" choices={CHOICES} chosen={chosen} />;
}
