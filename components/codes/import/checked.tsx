"use client";

import { Download, FileText } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { ChoiceCards } from "@/components/ui/choice-cards";
import { Field, FormError, SelectField } from "@/components/ui/field";
import { saveFile } from "@/components/ui/save-file";
import { toast } from "@/components/ui/toast";
import { requirement } from "@/components/ui/use-form";
import { type CheckReport, DATE_ORDERS, type DateOrder, type FileConcern } from "@/lib/contract/code-file";
import type { FormState } from "@/lib/contract/form-state";
import { formatCount, formatLongDate } from "@/lib/contract/format";
import { ExpiresField } from "../edit-batch";
import type { PoolChoice } from "./choose-pool";
import { CheckedHeading, PoolNotice } from "./import-steps";
import { CheckReportView } from "./report";
import { exchangeFile, sizeOf } from "./transport";
import { type CodeFile, type FileFacts, type ImportStep, uploadUrl } from "./use-import";

interface Props {
  appId: string;
  file: CodeFile;
  facts: FileFacts;
  pools: readonly PoolChoice[];
  step: Extract<ImportStep, { at: "checked" }>;
  onFacts: (facts: FileFacts) => void;
  onCheck: () => void;
  onStore: () => void;
  onBack: () => void;
}

/** The result of the dry run, before anything is stored. The reader says where the codes go, and imports them. */
export function Checked({ appId, file, facts, pools, step, onFacts, onCheck, onStore, onBack }: Props) {
  const { report, error, lost } = step;
  const [unreadable, setUnreadable] = useState<FormState>();
  const box = useRef<HTMLDivElement>(null);
  const state = unreadable ?? (error ? { error } : {});
  const { fresh, read } = report;
  const concerns = Object.entries(report.concerns) as [FileConcern, string][];
  const [agreed, setAgreed] = useState<readonly FileConcern[]>([]);
  const blocked = report.refused.in_other_import !== undefined;
  const open = concerns.some(([name]) => !agreed.includes(name));
  const toggle = (name: FileConcern, on: boolean) =>
    setAgreed(on ? [...agreed, name] : agreed.filter((other) => other !== name));
  // Known codes and links are checked per store.
  const store = pools.find(({ value }) => value === facts.pool)?.platform;
  const [checkedStore] = useState(store);
  const stale = store !== checkedStore;
  const onTyped = (typed: FileFacts) => {
    setUnreadable(undefined);
    onFacts(typed);
  };
  const onImport = () => {
    const expiry = box.current?.querySelector<HTMLInputElement>("input[type=date]");
    if (!expiry?.validity.badInput) return onStore();
    setUnreadable({ error: { field: expiry.name, message: requirement(expiry) } });
    expiry.focus();
  };
  return (
    <div ref={box} className="grid gap-5">
      <CheckedHeading report={report} />
      <FileName file={file} onBack={onBack} />
      <PoolNotice unfitting={file.unfitting} pool={pools.find(({ value }) => value === facts.pool)} />
      {fresh > 0 && <Ends ends={report.ends} />}
      {concerns.map(([name, reason]) => (
        <Concern
          key={name}
          reason={reason}
          agreed={agreed.includes(name)}
          onToggle={(on) => toggle(name, on)}
        />
      ))}
      <DateChoice report={report} facts={facts} onFacts={onFacts} />
      {fresh > 0 && <Facts facts={facts} pools={pools} onFacts={onTyped} state={state} />}
      <CheckReportView report={report} />
      {fresh === 0 && (
        <Callout tone="warn">
          <p>{read === 0 ? "The file is empty." : "The file contains no codes that can be imported."}</p>
        </Callout>
      )}
      <FormError state={state} fields={["offer", "expiresAt", "poolId"]} />
      <div className="grid gap-2">
        <div className="flex flex-wrap gap-2">
          {stale && <Button onClick={onCheck}>Check again</Button>}
          {fresh > 0 && !stale && (
            <Button onClick={onImport} disabled={blocked || open}>
              {lost ? "Try again" : `Import ${formatCount(fresh, "code")}`}
            </Button>
          )}
          {read > fresh && <RefusedRows appId={appId} file={file} facts={facts} count={read - fresh} />}
        </div>
        <p className="text-note text-muted empty:hidden">
          {stale && "The file was checked for the other store."}
          {open && fresh > 0 && !stale && "Tick each warning above to import."}
        </p>
      </div>
    </div>
  );
}

interface ConcernProps {
  reason: string;
  agreed: boolean;
  onToggle: (agreed: boolean) => void;
}

/** A reason to doubt the file, which the reader has to accept. */
function Concern({ reason, agreed, onToggle }: ConcernProps) {
  return (
    <Callout tone="warn">
      <p>{reason}</p>
      <label className="flex min-h-6 items-center gap-2.5 font-medium pointer-coarse:min-h-11">
        <input
          type="checkbox"
          checked={agreed}
          onChange={({ target }) => onToggle(target.checked)}
          className="size-4 accent-ink"
        />
        This is right, import these codes
      </label>
    </Callout>
  );
}

function FileName({ file, onBack }: Pick<Props, "file" | "onBack">) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="flex min-w-0 items-center gap-2.5 text-sm">
        <FileText className="size-4 shrink-0 text-muted" aria-hidden />
        <strong className="min-w-0 font-semibold wrap-anywhere">{file.name}</strong>
        <span className="shrink-0 text-muted">{sizeOf(file.blob.size)}</span>
      </p>
      <Button variant="secondary" size="sm" onClick={onBack}>
        Change file
      </Button>
    </div>
  );
}

/** The codes at both ends of the file, masked, so that a wrong file is seen at a glance. */
function Ends({ ends: { first, last } }: { ends: CheckReport["ends"] }) {
  return (
    <dl className="grid gap-x-8 gap-y-3 rounded-xl border border-line bg-surface px-4 py-3 text-sm shadow-xs sm:grid-cols-2">
      {[
        { name: "First codes", codes: first },
        { name: "Last codes", codes: last },
      ].map(
        ({ name, codes }) =>
          codes.length > 0 && (
            <div key={name} className="grid gap-1">
              <dt className="text-note text-muted">{name}</dt>
              <dd className="flex flex-wrap gap-x-4 gap-y-1 font-mono text-note">
                {codes.map((code) => (
                  <code key={code}>{code}</code>
                ))}
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** The two readings of a date that the file leaves open. The expiry from the file follows the choice. */
function DateChoice({ report, facts, onFacts }: Pick<Props, "facts" | "onFacts"> & { report: CheckReport }) {
  const { order, unclear } = report.dates;
  if (!unclear) return null;
  const expiresAt = facts.expiresAt === report.expiresAt ? "" : facts.expiresAt;
  return (
    <ChoiceCards
      legend={`“${unclear.text}” in the file means`}
      name="dates"
      value={order}
      choices={DATE_ORDERS.map((value) => ({
        value,
        name: formatLongDate(new Date(unclear[value])),
        hint: value === "day" ? "Day first" : "Month first",
      }))}
      onChange={(dates) => onFacts({ ...facts, dates: dates as DateOrder, expiresAt })}
      wide="always"
    />
  );
}

/** Pool, offer and expiry of the codes, in one line where there is room. */
function Facts({
  facts,
  pools,
  onFacts,
  state,
}: Pick<Props, "facts" | "pools" | "onFacts"> & { state: FormState }) {
  return (
    <div className="grid gap-4 md:grid-cols-[minmax(0,1.5fr)_minmax(0,1fr)_minmax(0,1fr)]">
      <SelectField
        label="Pool"
        name="poolId"
        value={facts.pool}
        onChange={({ target }) => onFacts({ ...facts, pool: target.value })}
        choices={pools}
        hint="Where the codes are kept until they are assigned."
        state={state}
      />
      <Field
        label="Offer"
        name="offer"
        optional
        maxLength={80}
        value={facts.offer}
        onChange={({ target }) => onFacts({ ...facts, offer: target.value })}
        autoComplete="off"
        hint="Its name in the store. No App Store user gets two codes of the same offer."
        state={state}
      />
      <ExpiresField
        value={facts.expiresAt}
        onChange={({ target }) => onFacts({ ...facts, expiresAt: target.value })}
        state={state}
      />
    </div>
  );
}

/** Downloads all refused rows. The service reads the file once more for them. */
function RefusedRows({
  appId,
  file,
  facts,
  count,
}: Pick<Props, "appId" | "file" | "facts"> & { count: number }) {
  const [pending, setPending] = useState(false);
  const onClick = async () => {
    setPending(true);
    try {
      const rows = await exchangeFile(uploadUrl(appId, "refused", facts), file.blob);
      saveFile("refused-rows.csv", rows, "text/csv");
    } catch {
      toast("Could not download the refused rows. Try again.");
    }
    setPending(false);
  };
  return (
    <Button variant="secondary" pending={pending} onClick={onClick}>
      <Download className="size-4" aria-hidden />
      Download {formatCount(count, "refused row")} as CSV
    </Button>
  );
}
