import type { Metadata } from "next";
import { ProofFields } from "@/components/account/fields";
import { OAuthConnections } from "@/components/account/oauth-connections";
import { FirstPasswordForm, PasswordForm, ProfileForm } from "@/components/account/profile-forms";
import { SecurityLog } from "@/components/account/security-log";
import { SessionList } from "@/components/account/session-list";
import { TwoFactor } from "@/components/account/two-factor";
import { Callout } from "@/components/ui/callout";
import { ConfirmButton } from "@/components/ui/confirm";
import { PageHeader } from "@/components/ui/page-header";
import { Section } from "@/components/ui/section";
import type { Account } from "@/lib/tenants/account-settings/get-account";
import { oauthErrorText } from "@/lib/web/session/oauth-return";
import { ACCOUNT_PAGE } from "@/lib/web/session/paths";
import { getOwnAccount, listOwnEvents, listOwnSessions } from "@/lib/web/session/queries";
import * as actions from "./actions";

export const metadata: Metadata = { title: "Account" };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function AccountPage({ searchParams }: Props) {
  const { account, services } = await getOwnAccount();
  const trouble = oauthErrorText((await searchParams).error);
  const { hasPassword, name, email } = account;
  return (
    <div className="grid max-w-3xl grid-cols-1 gap-6 pt-8 pb-24">
      <PageHeader title="Account">Your name, and how you sign in.</PageHeader>
      {trouble && <Callout tone="bad">{trouble}</Callout>}
      <Section title="Profile">
        <ProfileForm action={actions.updateUserNameAction} name={name} email={email} />
      </Section>
      <Section title="Password">
        {hasPassword ? (
          <PasswordForm action={actions.updatePasswordAction} email={email} />
        ) : (
          <FirstPasswordForm action={actions.sendPasswordLinkAction} />
        )}
      </Section>
      <Section
        title="Two-factor sign-in"
        hint={`A code from your phone in addition to ${hasPassword ? "your password" : "a connected account"}.`}
      >
        <TwoFactor
          since={account.twoFactorSince}
          codesLeft={account.recoveryCodesLeft}
          prover={account}
          begin={actions.startTwoFactorAction}
          enable={actions.enableTwoFactorAction}
          disable={actions.disableTwoFactorAction}
          renew={actions.renewRecoveryCodesAction}
        />
      </Section>
      {services.length > 0 && (
        <Section title="Connected accounts" hint="Other ways to sign in to this account.">
          <OAuthConnections
            services={services}
            prover={account}
            connect={actions.connectAction}
            disconnect={actions.disconnectAction}
          />
        </Section>
      )}
      <Sessions />
      <SecurityLog events={await listOwnEvents()} path={ACCOUNT_PAGE} />
      <Deletion account={account} />
    </div>
  );
}

async function Sessions() {
  const sessions = await listOwnSessions();
  return (
    <Section
      title="Sessions"
      hint="Where you are signed in. A session ends after two weeks, or earlier if it is not used."
    >
      <SessionList sessions={sessions} end={actions.endSessionAction} />
      {sessions.length > 1 && (
        <div>
          <ConfirmButton
            action={actions.signOutEverywhereAction}
            hidden={{}}
            label="Sign out other browsers"
            title="Sign out other browsers?"
            description={<p>All other browsers have to sign in again. This one stays signed in.</p>}
            submit="Sign out"
            done="All other browsers were signed out"
          />
        </div>
      )}
    </Section>
  );
}

function Deletion({ account }: { account: Account }) {
  const { email, twoFactorSince } = account;
  return (
    <Section title="Delete this account" tone="danger">
      <p className="text-sm text-muted">
        Workspaces without other members and without apps are deleted, too. If you are the only owner of
        another one, make a member an owner or delete the workspace first.
      </p>
      <div>
        <ConfirmButton
          action={actions.deleteAccountAction}
          hidden={{}}
          typed={email}
          label="Delete account"
          look={{ variant: "danger" }}
          title="Delete your account?"
          description={
            <p>Your account is deleted at once and for good. Your actions stay in the audit logs.</p>
          }
          submit="Delete account"
          danger
        >
          <ProofFields prover={account} code={twoFactorSince !== null} />
        </ConfirmButton>
      </div>
    </Section>
  );
}
