import type { AuditChange } from "@/lib/contract/audit";

/** The changed fields of an entry: the old value struck out, the new one beside it. */
export function AuditChanges({ changes }: { changes: readonly AuditChange[] }) {
  if (changes.length === 0) return null;
  return (
    <div className="rounded-lg border border-line">
      <table className="w-full text-note">
        <thead className="border-b border-line bg-subtle/50 text-left text-xs text-muted">
          <tr>
            {["Field", "Before", "After"].map((name) => (
              <th key={name} scope="col" className="px-3 py-1.5 font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {changes.map(({ field, before, after }) => (
            <tr key={field} className="align-top">
              <th scope="row" className="px-3 py-1.5 text-left font-mono font-normal wrap-anywhere">
                {field}
              </th>
              <td className="px-3 py-1.5">
                <Value text={before} removed={after !== before} />
              </td>
              <td className="px-3 py-1.5">
                <Value text={after} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Value({ text, removed = false }: { text: string | null; removed?: boolean }) {
  if (text === null) return <span className="text-muted">Nothing</span>;
  const look = "rounded-sm px-1 font-mono whitespace-pre-wrap break-all";
  if (removed) return <del className={`${look} bg-bad-soft text-bad`}>{text}</del>;
  return <ins className={`${look} bg-good-soft text-good no-underline`}>{text}</ins>;
}
