import type { Column } from "@/components/ui/table";
import { BULK_FORM } from "@/lib/contract/bulk";
import { SelectAll } from "./select-all";

/** The checkbox of a row. It lies above the link that covers the row. */
export function RowCheck({ id, label }: { id: string; label: string }) {
  return (
    <label className="relative z-10 -m-2 inline-flex size-9 items-center justify-center pointer-coarse:size-11">
      <input
        type="checkbox"
        name="ids[]"
        value={id}
        form={BULK_FORM}
        aria-label={`Select ${label}`}
        data-label={label}
        className="size-4 accent-ink"
      />
    </label>
  );
}

/**
 * The last column of a list with a bar, because the first is the link to the row's page. `labelOf` names a row, and
 * returns nothing for a row that cannot be chosen.
 */
export function selectColumn<Row extends { id: string }>(
  labelOf: (row: Row) => string | undefined,
): Column<Row> {
  const cell = (row: Row) => {
    const label = labelOf(row);
    return label && <RowCheck id={row.id} label={label} />;
  };
  return { header: "Select", heading: <SelectAll />, cell };
}
