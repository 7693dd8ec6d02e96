"use client";

import { Inbox } from "lucide-react";
import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Code } from "@/components/ui/code";
import { CodeBlock } from "@/components/ui/code-block";
import { CodeText } from "@/components/ui/code-text";
import { CopyButton } from "@/components/ui/copy-button";
import { CsvLink } from "@/components/ui/csv-link";
import { EmptyState, NoRows } from "@/components/ui/empty-state";
import { Facts } from "@/components/ui/facts";
import { Filter, Filters, SearchBox } from "@/components/ui/filters";
import { Link, NextStep } from "@/components/ui/link";
import { Logo } from "@/components/ui/logo";
import { MeterBar } from "@/components/ui/meter";
import { PageHeader } from "@/components/ui/page-header";
import { Pager } from "@/components/ui/pager";
import { deleteAction, ResourceMenu, toggleAction } from "@/components/ui/resource-menu";
import { SearchKey } from "@/components/ui/search-key";
import { SecretReveal } from "@/components/ui/secret-reveal";
import { ListSection } from "@/components/ui/section";
import { Stat } from "@/components/ui/stat";
import { StatusBadge } from "@/components/ui/status-badge";
import { Table } from "@/components/ui/table";
import { Tabs, Toggle } from "@/components/ui/tabs";
import { LocalTime, RelativeTime } from "@/components/ui/time";
import { Buttons, CHOICES, done, Fields, Forms, Overlays, PartGroup, PartRow } from "./form-parts";

const PATH = "/dashboard/ui";
const TONES = ["neutral", "accent", "good", "warn", "bad"] as const;
const AT = new Date("2026-01-15T10:30:00Z");

/** Every part of `components/ui`. */
export function Parts() {
  return (
    <SecretReveal>
      <div className="columns-1 gap-8 lg:columns-2">
        <Typography />
        <Buttons />
        <Marks />
        <Fields />
        <Forms />
        <Texts />
        <Lists />
        <Navigation />
        <Overlays />
      </div>
    </SecretReveal>
  );
}

function Typography() {
  return (
    <PartGroup title="Type and logo">
      <PartRow>
        <Logo />
        <p className="text-2xl font-semibold tracking-tight">Title</p>
        <p className="text-sm font-semibold">Heading</p>
        <p className="text-sm">Text</p>
        <p className="text-note text-muted">Note</p>
        <p className="text-xs text-muted">Label</p>
        <code className="font-mono text-note">code</code>
      </PartRow>
    </PartGroup>
  );
}

function Marks() {
  const looks = { on: { label: "On", tone: "good" }, off: { label: "Off", tone: "neutral" } } as const;
  return (
    <PartGroup title="Badges, meters, times">
      <PartRow>
        {TONES.map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
        <StatusBadge status="on" looks={looks} />
        <StatusBadge status="off" looks={looks} />
      </PartRow>
      {TONES.map((tone, index) => (
        <MeterBar key={tone} label={`Share, ${tone}`} tone={tone} value={index * 25} max={100} />
      ))}
      <p className="flex flex-wrap gap-x-4 text-sm">
        {(["day", "minute", "second"] as const).map((shape) => (
          <LocalTime key={shape} at={AT} shape={shape} />
        ))}
        <RelativeTime at={AT} />
      </p>
    </PartGroup>
  );
}

function Texts() {
  return (
    <PartGroup title="Callouts, code, empty lists">
      {(["info", "good", "warn", "bad"] as const).map((tone) => (
        <Callout key={tone} tone={tone}>
          <p>A message of the tone {tone}.</p>
        </Callout>
      ))}
      <CodeBlock text="curl https://example.com/api/referrer" label="A request" />
      <Code
        language="json"
        text={'{ "uid": 1 }'}
        lines={[
          [
            { text: "{ ", look: undefined },
            { text: '"uid"', look: "string" },
            { text: ": 1 }", look: undefined },
          ],
        ]}
      />
      <p className="text-sm">
        <CodeText text="Send `uid` with every request." />
      </p>
      <EmptyState icon={Inbox} title="No emails yet" action={<Button variant="secondary">Send one</Button>}>
        They appear here at once.
      </EmptyState>
      {[false, true].map((filtered) => (
        <NoRows
          key={String(filtered)}
          icon={Inbox}
          thing="referral"
          path={PATH}
          filtered={filtered}
          more={false}
          hint="Try fewer filters."
          begin={{ href: PATH, name: "Create a campaign" }}
        >
          The first one appears with the first click.
        </NoRows>
      ))}
    </PartGroup>
  );
}

interface Sample {
  name: string;
  referrals: number;
}

const COLUMNS = [
  { header: "Referrer", cell: (row: Sample) => row.name },
  { header: "Platform", cell: () => "iOS", wide: true },
  { header: "Referrals", cell: (row: Sample) => row.referrals, numeric: true },
  {
    header: "",
    cell: (row: Sample) => (
      <ResourceMenu
        label={`Actions for ${row.name}`}
        actions={[
          toggleAction({
            name: row.name,
            enabled: true,
            disabling: "New friends get no codes.",
            enabling: "",
            action: done,
            hidden: {},
          }),
          deleteAction({
            name: row.name,
            noun: "referrer",
            description: "This cannot be undone.",
            action: done,
            hidden: {},
          }),
        ]}
      />
    ),
  },
];

const SAMPLES: Sample[] = [
  { name: "Anna", referrals: 12 },
  { name: "Ben", referrals: 3 },
];

function Lists() {
  return (
    <PartGroup title="Lists">
      <Filters>
        <SearchBox name="uid" label="Search" />
        <Filter name="all" label="Platform" choices={CHOICES} all="All platforms" />
        <Filter name="one" label="Store" choices={CHOICES} value="ios" all="All stores" />
        <CsvLink path={PATH} query={{}} />
      </Filters>
      <ListSection title="Referrers" action={<span className="text-note text-muted">2 in all</span>}>
        <Table
          label="Referrers"
          columns={COLUMNS}
          rows={SAMPLES}
          rowKey={({ name }) => name}
          href={() => PATH}
        />
      </ListSection>
      <Pager path={PATH} query={{ cursor: "b" }} nextCursor="c" shown={2} />
      <Facts
        facts={[
          { name: "Mode", value: "Live" },
          { name: "App ID", value: "01a2", action: <CopyButton text="01a2" label="Copy the app ID" /> },
        ]}
      />
      <dl className="flex gap-8">
        <Stat name="Confirmed" value="1,204" note="39% of clicks" />
        <Stat name="Earned" value="401" />
      </dl>
    </PartGroup>
  );
}

const VIEWS = [
  { value: "page", name: "Landing page" },
  { value: "answer", name: "API response" },
];

function Navigation() {
  const [view, setView] = useState("page");
  return (
    <PartGroup title="Navigation">
      <PageHeader title="Title of a page" action={<Button>Create campaign</Button>}>
        One line about the page.
      </PageHeader>
      <Tabs
        label="Tabs"
        tabs={[
          { href: PATH, name: "Current" },
          { href: "/dashboard", name: "Another" },
        ]}
      />
      <PartRow>
        <Toggle label="View" choices={VIEWS} value={view} onChange={setView} />
        <Link href={PATH} className="text-sm underline underline-offset-2">
          Link
        </Link>
        <NextStep href={PATH}>Next step</NextStep>
        <SearchKey />
      </PartRow>
    </PartGroup>
  );
}
