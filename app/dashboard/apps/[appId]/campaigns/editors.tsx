"use client";

import { EditCampaignForm, type EditFormProps } from "@/components/campaign/edit-form";
import { NewCampaignForm, type NewFormProps } from "@/components/campaign/new-form";
import type { AnswerOf } from "@/components/campaign/preview";
import { toRedeemResponse } from "@/lib/referrals/present";

/** What the app itself adds to an answer. */
interface SampleApp {
  name: string;
  appleAppId: string | null;
  androidPackage: string | null;
}

/** The function that answers the API, run here with a code, a metacode and a name made up. */
const answerFor =
  (app: SampleApp): AnswerOf =>
  (sample) =>
    toRedeemResponse({
      ...{ ...sample, code: "EXAMPLE2CODE4", metacode: "k7m2p9xd", name: "Anna", display_name: undefined },
      ...{ app_name: app.name, apple_app_id: app.appleAppId, android_package: app.androidPackage },
    });

/** The form of a new campaign with a preview that the API's own code makes. */
export function NewCampaign({ app, ...props }: Omit<NewFormProps, "answerOf"> & { app: SampleApp }) {
  return <NewCampaignForm {...props} answerOf={answerFor(app)} />;
}

/** The form of a campaign's rules with the same preview. */
export function EditCampaign({ app, ...props }: Omit<EditFormProps, "answerOf"> & { app: SampleApp }) {
  return <EditCampaignForm {...props} answerOf={answerFor(app)} />;
}
