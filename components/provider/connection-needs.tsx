import Link from "next/link";
import { Callout } from "@/components/ui/callout";

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
