import Link from "next/link";
import { Callout } from "@/components/ui/callout";
import { PLATFORM_NAME, type PlatformReadiness, type Readiness } from "@/lib/contract/campaign-view";

interface Props {
  readiness: Readiness;
  codes: string;
  settings: string;
}

interface Lack {
  text: string;
  href: string;
  link: string;
}

/** What a platform lacks, each with where to mend it. */
function lacksOf(
  { platform, storeId, referee, reward }: PlatformReadiness,
  { codes, settings }: Props,
): Lack[] {
  const name = PLATFORM_NAME[platform];
  const id = platform === "ios" ? "Apple app ID" : "Android package";
  const importTo = { href: `${codes}/import`, link: "Import codes" };
  return [
    ...(storeId
      ? []
      : [
          {
            text: `${name} needs the app's ${id} before the campaign can be activated.`,
            href: settings,
            link: "Settings",
          },
        ]),
    ...(referee?.free
      ? []
      : [
          {
            text: `${name} has no free code for referees: every redeem answers 503 NO_CODES_AVAILABLE.`,
            ...importTo,
          },
        ]),
    ...(reward?.free
      ? []
      : [
          {
            text: `${name} has no free code for rewards: they are earned, but wait to be claimed.`,
            ...importTo,
          },
        ]),
  ];
}

/** What stands in a campaign's way, with the next step; nothing where all is there. */
export function Missing(props: Props) {
  const lacks = props.readiness.platforms.flatMap((platform) => lacksOf(platform, props));
  if (lacks.length === 0) return null;
  return (
    <Callout tone="warn">
      <ul className="grid gap-1">
        {lacks.map(({ text, href, link }) => (
          <li key={text}>
            {text}{" "}
            <Link href={href} prefetch={false} className="font-medium underline underline-offset-2">
              {link}
            </Link>
          </li>
        ))}
      </ul>
    </Callout>
  );
}
