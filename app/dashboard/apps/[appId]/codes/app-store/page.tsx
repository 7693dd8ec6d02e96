import { KeyRound } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { uuidv7 } from "uuidv7";
import { PageHeader } from "@/components/dashboard/page-header";
import { Part } from "@/components/referrer/part";
import { CodeTabs } from "@/components/store/code-tabs";
import { GenerateCodes } from "@/components/store/generate-codes";
import { KeepFresh } from "@/components/store/keep-fresh";
import { KeyCard } from "@/components/store/key-card";
import { KeyForm } from "@/components/store/key-form";
import { OfferList } from "@/components/store/offer-list";
import { RefillList } from "@/components/store/refill-list";
import { isRunning, RequestTable } from "@/components/store/request-table";
import { SourceGuide } from "@/components/store/source-guide";
import { ActButton } from "@/components/ui/act-button";
import { Callout } from "@/components/ui/callout";
import { EmptyState } from "@/components/ui/empty-state";
import { storeRoom } from "@/lib/code-requests/room";
import { CODE_SOURCES } from "@/lib/contract/code-source";
import { mayAct } from "@/lib/contract/roles";
import { personContext } from "@/lib/session/context";
import {
  generateCodesAction,
  giveUpRequestAction,
  refreshOffersAction,
  removeKeyAction,
  removeRefillAction,
  saveKeyAction,
  saveRefillAction,
  switchRefillAction,
} from "./actions";

interface Props {
  params: Promise<{ appId: string }>;
}

export const metadata: Metadata = { title: "App Store Connect" };

const REFILLS = { save: saveRefillAction, turn: switchRefillAction, remove: removeRefillAction };

export default async function AppStorePage({ params }: Props) {
  const { ctx, app, role } = await personContext((await params).appId);
  const { storeKey, offers, requests, rules, pools, expires } = await storeRoom(ctx);
  const mayChange = mayAct(role, "admin");
  const room = { appId: app.id, mayChange };
  const ready = mayChange && storeKey && pools.length > 0 && offers.some(({ active }) => active);
  const form = { appId: app.id, requestId: uuidv7(), offers, pools, expires };
  return (
    <div className="grid gap-8">
      <PageHeader
        title={<span className="text-lg">Codes</span>}
        action={ready && <GenerateCodes action={generateCodesAction} {...form} />}
      >
        One-time codes of your offers, made by Apple and imported by themselves.
      </PageHeader>
      <CodeTabs appId={app.id} />
      {!app.appleAppId && (
        <Callout tone="warn">
          <p>
            The app has no Apple ID yet.{" "}
            <Link href={`/dashboard/apps/${app.id}/settings`} className="underline underline-offset-2">
              Set it under Settings
            </Link>
            , so that Apple knows which app is meant.
          </p>
        </Callout>
      )}
      {storeKey ? (
        <Part title="Key">
          <KeyCard {...room} storeKey={storeKey} save={saveKeyAction} remove={removeKeyAction} />
        </Part>
      ) : (
        <>
          <EmptyState
            icon={KeyRound}
            title="No key yet"
            action={
              mayChange && (
                <KeyForm
                  action={saveKeyAction}
                  appId={app.id}
                  label="Store a key"
                  title="Store a key of App Store Connect"
                />
              )
            }
          >
            {mayChange
              ? "With a key of App Store Connect, codes are made and refilled from here."
              : "Ask an admin of your workspace to store a key of App Store Connect."}
          </EmptyState>
          <SourceGuide source={CODE_SOURCES.ios} />
        </>
      )}
      {storeKey && (
        <Part
          title="Offers"
          action={
            mayChange && (
              <ActButton action={refreshOffersAction} hidden={{ appId: app.id }} done="The offers were read">
                Read again
              </ActButton>
            )
          }
        >
          {offers.length > 0 ? (
            <OfferList offers={offers} />
          ) : (
            <p className="text-sm text-muted">
              Apple listed no offer with codes. Make one at App Store Connect, then read again.
            </p>
          )}
        </Part>
      )}
      {(storeKey || rules.length > 0) && (
        <Part title="Refills">
          {pools.length > 0 ? (
            <RefillList {...room} pools={pools} rules={rules} offers={offers} actions={REFILLS} />
          ) : (
            <p className="text-sm text-muted">There is no pool of the App Store yet. Make one under Pools.</p>
          )}
        </Part>
      )}
      {requests.length > 0 && (
        <Part title="Requests">
          {requests.some(isRunning) && <KeepFresh />}
          <RequestTable {...room} requests={requests} giveUp={giveUpRequestAction} />
        </Part>
      )}
    </div>
  );
}
