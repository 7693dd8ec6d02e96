import { Download, Ticket } from "lucide-react";
import type { Metadata } from "next";
import { BatchActions } from "@/components/codes/batch-actions";
import { BatchFacts } from "@/components/codes/batch-facts";
import { CodeTable } from "@/components/codes/code-table";
import { EditBatch } from "@/components/codes/edit-batch";
import { BatchBadge, CODE_STATUS_LOOKS } from "@/components/codes/labels";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Filter, Filters } from "@/components/ui/filters";
import { NextStep } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { Pager } from "@/components/ui/pager";
import { statusChoices } from "@/components/ui/status-badge";
import { BATCH_SETTINGS, batchName, CODE_STATUSES } from "@/lib/contract/batch";
import { keysOf, pick } from "@/lib/contract/pick";
import { mayAct } from "@/lib/contract/workspace";
import { countVoided } from "@/lib/program/codes/assigned-codes";
import { findImporter, getBatchWithPool } from "@/lib/program/codes/get-batch";
import { listCodes } from "@/lib/program/codes/list-codes";
import { storeDate } from "@/lib/program/stores/expiry";
import { appContext, orNotFound } from "@/lib/web/session/context";
import { quarantineAction, restoreAction, undoAction, updateBatchAction } from "../../actions";

interface Props {
  params: Promise<{ appId: string; batchId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export const metadata: Metadata = { title: "Batch · Codes" };

const STATES = statusChoices(CODE_STATUS_LOOKS);
const SIZE = 50;

export default async function BatchPage({ params, searchParams }: Props) {
  const { appId, batchId } = await params;
  const { ctx, app, role } = await appContext(appId);
  const { batch, pool } = await orNotFound(getBatchWithPool(ctx, batchId));
  const query = await searchParams;
  const status = CODE_STATUSES.find((known) => known === query.state);
  const cursor = typeof query.cursor === "string" ? query.cursor : undefined;
  const [page, importer, voided] = await Promise.all([
    listCodes(ctx, batch, { status, cursor, limit: SIZE }),
    findImporter(ctx, batch),
    countVoided(ctx, batch.id),
  ]);
  const base = `/dashboard/apps/${app.id}/codes`;
  const path = `${base}/batches/${batch.id}`;
  const verbs = { quarantine: quarantineAction, restore: restoreAction, undo: undoAction };
  const isOver = batch.expiresAt !== null && Number(batch.expiresAt) <= Date.now() + pool.marginMs;
  const open = batch.state !== "undone" && batch.state !== "importing";
  return (
    <div className="grid gap-5">
      <PageHeader
        trail={[
          { href: base, name: "Codes" },
          { href: `${base}/pools/${pool.id}`, name: pool.name },
        ]}
        title={
          <span className="flex flex-wrap items-center gap-2.5">
            <span className="wrap-anywhere">{batchName(batch)}</span> <BatchBadge batch={batch} />
          </span>
        }
        action={
          <div className="flex flex-wrap gap-2">
            {mayAct(role, "member") && open && (
              <EditBatch
                action={updateBatchAction}
                appId={app.id}
                batchId={batch.id}
                offer={batch.offer}
                expires={batch.expiresAt ? storeDate(batch.expiresAt) : undefined}
                assigned={batch.assigned > voided}
                seen={pick(batch, keysOf(BATCH_SETTINGS))}
              />
            )}
            {mayAct(role, "member") && (
              <BatchActions appId={app.id} batch={batch} verbs={verbs} over={isOver} />
            )}
            {mayAct(role, "owner") && (
              <a href={`${path}/export`} download className={buttonClass({ variant: "secondary" })}>
                <Download className="size-4" aria-hidden />
                Export
              </a>
            )}
          </div>
        }
      />
      <BatchFacts batch={batch} importer={importer} />
      <Filters>
        <Filter name="state" label="Status" value={status} choices={STATES} all="All codes" />
      </Filters>
      {page.data.length > 0 ? (
        <CodeTable rows={page.data} batch={batch} />
      ) : (
        <EmptyState
          icon={Ticket}
          title={status || cursor ? "No matching codes" : "No codes"}
          action={
            status || cursor ? (
              <NextStep href={path}>Show all codes</NextStep>
            ) : (
              <NextStep href={base}>Open codes</NextStep>
            )
          }
        >
          {page.nextCursor
            ? "No match among these 10,000 codes. Continue below, or choose another status."
            : `No codes${status ? " with this status" : ""} in this batch.`}
        </EmptyState>
      )}
      <Pager
        order="other"
        path={path}
        query={{ state: status, cursor }}
        {...page}
        shown={page.data.length}
        size={SIZE}
      />
    </div>
  );
}
