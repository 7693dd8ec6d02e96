import type { Metadata } from "next";
import { Connections } from "@/components/account/connections";
import { FirstPassword, PasswordForm } from "@/components/account/password-form";
import { ProfileForm } from "@/components/account/profile-form";
import { ProofFields } from "@/components/account/proof-fields";
import { TwoFactor } from "@/components/account/two-factor";
import { PageHeader } from "@/components/dashboard/page-header";
import { Callout } from "@/components/ui/callout";
import { ConfirmButton } from "@/components/ui/confirm";
import { Section } from "@/components/ui/section";
import type { Account } from "@/lib/accounts/get-account";
import { mailPlace } from "@/lib/mail/mailbox";
import { findAccount } from "@/lib/session/account";
import { elsewhereTrouble } from "@/lib/session/elsewhere-trouble";
import * as actions from "./actions";

export const metadata: Metadata = { title: "Account" };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function AccountPage({ searchParams }: Props) {
  const { account, services } = await findAccount();
  const trouble = elsewhereTrouble((await searchParams).error);
  const { hasPassword, name, email } = account;
  return (
    <div className="mx-auto grid max-w-3xl gap-6 pt-8 pb-24 sm:pt-12">
      <PageHeader title="Account">How you sign in, and what you are called.</PageHeader>
      {trouble && <Callout tone="bad">{trouble}</Callout>}
      <Section title="Profile">
        <ProfileForm action={actions.changeNameAction} name={name} email={email} />
      </Section>
      <Section title="Password">
        {hasPassword ? (
          <PasswordForm action={actions.changePasswordAction} email={email} />
        ) : (
          <FirstPassword action={actions.mailPasswordAction} place={mailPlace()} />
        )}
      </Section>
      <Section title="Two-factor sign-in" hint="A code from your phone besides your password.">
        <TwoFactor
          since={account.twoFactorSince}
          codesLeft={account.recoveryCodesLeft}
          prover={account}
          begin={actions.beginTwoFactorAction}
          enable={actions.enableTwoFactorAction}
          disable={actions.disableTwoFactorAction}
          renew={actions.renewRecoveryCodesAction}
        />
      </Section>
      {services.length > 0 && (
        <Section title="Connected accounts" hint="Other ways to sign in to this account.">
          <Connections
            services={services}
            prover={account}
            connect={actions.connectAction}
            disconnect={actions.disconnectAction}
          />
        </Section>
      )}
      <Sessions />
      <Deletion account={account} />
    </div>
  );
}

function Sessions() {
  return (
    <Section title="Sessions" hint="A session ends two weeks after signing in.">
      <div>
        <ConfirmButton
          action={actions.signOutEverywhereAction}
          hidden={{}}
          label="Sign out everywhere else"
          title="Sign out everywhere else"
          description={<p>Every other browser has to sign in again. This one stays signed in.</p>}
          submit="Sign out the others"
          done="Every other browser is signed out"
        />
      </div>
    </Section>
  );
}

function Deletion({ account }: { account: Account }) {
  const { email, twoFactorSince } = account;
  return (
    <Section title="Delete this account" tone="danger">
      <p className="text-sm text-muted">
        Workspaces in which you are alone go with it, if they have no apps. Make somebody else an owner of the
        others first.
      </p>
      <div>
        <ConfirmButton
          action={actions.deleteAccountAction}
          hidden={{}}
          typed={email}
          label="Delete account"
          look={{ variant: "danger" }}
          title="Delete your account"
          description={<p>It is gone at once and for good. What you did stays in the audit logs.</p>}
          submit="Delete account"
          danger
        >
          <ProofFields prover={account} code={twoFactorSince !== null} />
        </ConfirmButton>
      </div>
    </Section>
  );
}
