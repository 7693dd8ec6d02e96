import Link from "next/link";
import { Callout } from "@/components/ui/callout";

/** Says that the provider's own secret is still to be entered. */
export function MissingSecret({ label, secret }: { label: string; secret: string }) {
  return (
    <Callout tone="warn">
      <p>
        Nothing is taken yet: copy the {secret.toLowerCase()} from {label}, and enter it by the menu above.
      </p>
    </Callout>
  );
}

/** Says which settings of the app are missing before anything can be taken; nothing where none is. */
export function MissingSettings({ settings, appPath }: { settings: readonly string[]; appPath: string }) {
  if (settings.length === 0) return null;
  return (
    <Callout tone="warn">
      <p>
        Nothing is taken yet: enter {settings.join(" and ")} in the{" "}
        <Link href={`${appPath}/settings`} prefetch={false} className="underline underline-offset-2">
          settings of the app
        </Link>
        .
      </p>
    </Callout>
  );
}
