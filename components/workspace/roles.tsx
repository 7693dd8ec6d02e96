import { ROLE_GUIDE, ROLES, type Role } from "@/lib/contract/workspace";

/** Roles as the choices of a field. */
export const roleChoices = (roles: readonly Role[]) =>
  roles.map((role) => ({ value: role, name: ROLE_GUIDE[role].name }));

/** A folded list of what each role may do. */
export function RoleGuide() {
  return (
    <details className="text-sm">
      <summary className="w-fit rounded-md py-1 text-muted hover:text-ink">What each role may do</summary>
      <dl className="mt-2 grid gap-x-6 gap-y-2 rounded-xl border border-line bg-surface p-5 sm:grid-cols-[6rem_1fr]">
        {ROLES.map((role) => (
          <div key={role} className="contents">
            <dt className="font-medium">{ROLE_GUIDE[role].name}</dt>
            <dd className="text-muted max-sm:pb-2">{ROLE_GUIDE[role].may}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
