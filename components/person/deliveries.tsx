import { CodeName } from "@/components/ui/code-text";
import { Link } from "@/components/ui/link";
import { StatusBadge } from "@/components/ui/status-badge";
import { type Column, Table } from "@/components/ui/table";
import { LocalTime } from "@/components/ui/time";
import { DELIVERY_LOOKS } from "@/components/webhook/delivery-status";
import { PLATFORM_NAME } from "@/lib/contract/format";
import { AGAIN_LABELS, type PersonView, type ReplacedCode, type UndoneStep } from "@/lib/contract/person";

/** The webhooks sent about a person's referrals and rewards. */
export function PersonDeliveries({ base, deliveries }: Pick<PersonView, "deliveries"> & { base: string }) {
  const columns: Column<PersonView["deliveries"][number]>[] = [
    {
      header: "Event",
      cell: ({ eventType, endpointId, id }) =>
        endpointId ? (
          <Link href={`${base}/webhooks/${endpointId}?delivery=${id}`} className="underline">
            <CodeName name={eventType} />
          </Link>
        ) : (
          <>
            <CodeName name={eventType} /> <span className="text-note text-muted">endpoint deleted</span>
          </>
        ),
    },
    { header: "Status", cell: ({ status }) => <StatusBadge status={status} looks={DELIVERY_LOOKS} /> },
    { header: "Sent", cell: ({ at }) => <LocalTime at={at} shape="second" /> },
  ];
  return <Table label="Webhooks" columns={columns} rows={deliveries} rowKey={({ id }) => id} />;
}

const UNDONE_LABELS: Record<UndoneStep["step"], string> = {
  code_assigned: "Redemption released",
  redeemed: "Confirmation unlinked",
};

/** The steps of a person's referrals that members have undone. */
export function UndoneSteps({ undone }: { undone: readonly UndoneStep[] }) {
  const columns: Column<UndoneStep>[] = [
    { header: "Undone", cell: ({ step, mayRedeem }) => UNDONE_LABELS[step] + AGAIN_LABELS[mayRedeem] },
    { header: "Platform", cell: ({ platform }) => PLATFORM_NAME[platform] },
    { header: "Happened", wide: true, cell: ({ at }) => <LocalTime at={at} shape="second" /> },
    { header: "Undone at", cell: ({ undoneAt }) => <LocalTime at={undoneAt} shape="second" /> },
  ];
  return <Table label="Undone steps" columns={columns} rows={undone} rowKey={({ id }) => id} />;
}

/** The codes of a person that support replaced. */
export function ReplacedCodes({ replaced }: { replaced: readonly ReplacedCode[] }) {
  const columns: Column<ReplacedCode>[] = [
    { header: "Code", cell: ({ old }) => <code className="font-mono text-note">{old}</code> },
    { header: "Replaced by", wide: true, cell: (row) => <CodeName name={row.new} /> },
    { header: "Reason", cell: ({ reason }) => <span className="wrap-anywhere">{reason}</span> },
    { header: "Replaced at", cell: ({ at }) => <LocalTime at={at} shape="second" /> },
  ];
  return <Table label="Replaced codes" columns={columns} rows={replaced} rowKey={({ id }) => id} />;
}
