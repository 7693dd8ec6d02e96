import { Badge } from "@/components/ui/badge";
import { ALERT_KINDS, type ChannelView } from "@/lib/contract/problems";
import { type ChannelActions, ChannelMenu } from "./channel-menu";

interface Props {
  appId: string;
  channels: readonly ChannelView[];
  /** Absent for viewers. */
  actions: ChannelActions | undefined;
}

const TYPE_NAMES = { slack: "Slack", discord: "Discord", mail: "Email" };

/** Recipients of alerts beside the owners and admins. */
export function ChannelList({ appId, channels, actions }: Props) {
  if (channels.length === 0) {
    const add = actions ? "Add" : "An admin can add";
    return <p className="text-sm text-muted">No other channel. {add} the chat that your team reads.</p>;
  }
  return (
    <ul aria-label="Channels" className="-my-2 divide-y divide-line">
      {channels.map((channel) => (
        <li key={channel.id} className="flex items-start justify-between gap-3 py-3">
          <div className="grid min-w-0 gap-0.5">
            <p className="flex flex-wrap items-center gap-2.5 text-sm font-medium">
              <span className="min-w-0 wrap-anywhere">{channel.label}</span>
              <Badge tone={channel.enabled ? "good" : "neutral"}>
                {channel.enabled ? "Enabled" : "Disabled"}
              </Badge>
            </p>
            <p className="text-note wrap-anywhere text-muted">
              {TYPE_NAMES[channel.type]}
              {channel.masked !== channel.label && ` · ${channel.masked}`} · {channel.kinds.length} of{" "}
              {ALERT_KINDS.length} kinds of alerts
            </p>
            {channel.stoppedBecause && <p className="text-note text-bad">{channel.stoppedBecause}</p>}
          </div>
          {actions && <ChannelMenu appId={appId} channel={channel} actions={actions} />}
        </li>
      ))}
    </ul>
  );
}
