"use client";

import { EditCampaignForm, type EditFormProps } from "@/components/campaign/edit-form";
import { NewCampaignForm, type NewCampaignProps } from "@/components/campaign/new-form";
import type { AnswerOf } from "@/components/campaign/preview";
import { platformsOfApp } from "@/lib/contract/app";
import { toRedeemResponse } from "@/lib/program/referrals/redeem-answer";

/** The properties of the app in a response. */
interface SampleApp {
  name: string;
  appleAppId: string | null;
  androidPackage: string | null;
}

/** Runs the function behind the API with a sample code, metacode and name. */
const answerFor =
  (app: SampleApp): AnswerOf =>
  (sample) =>
    toRedeemResponse({
      ...sample,
      code: "EXAMPLE2CODE4",
      metacode: "k7m2p9xd",
      name: "Anna",
      display_name: undefined,
      app_name: app.name,
      apple_app_id: app.appleAppId,
      android_package: app.androidPackage,
    });

/** The form of a new campaign, with a preview by the API's own code. */
export function NewCampaign({
  app,
  ...props
}: Omit<NewCampaignProps, "answerOf" | "stores"> & { app: SampleApp }) {
  return <NewCampaignForm {...props} answerOf={answerFor(app)} stores={platformsOfApp(app)} />;
}

/** The form of the rules of a campaign, with the same preview. */
export function EditCampaign({
  app,
  ...props
}: Omit<EditFormProps, "answerOf" | "stores"> & { app: SampleApp }) {
  return <EditCampaignForm {...props} answerOf={answerFor(app)} stores={platformsOfApp(app)} />;
}
