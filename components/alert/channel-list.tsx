import { Badge } from "@/components/ui/badge";
import { ALERT_KINDS, type ChannelView } from "@/lib/contract/alerts";
import { type ChannelActions, ChannelMenu } from "./channel-menu";

interface Props {
  appId: string;
  channels: readonly ChannelView[];
  /** Absent for who may only look. */
  actions: ChannelActions | undefined;
}

const TYPE_NAMES = { slack: "Slack", discord: "Discord", mail: "Mail" };

/** Where alerts go beside the mail to owners and admins. */
export function ChannelList({ appId, channels, actions }: Props) {
  if (channels.length === 0) {
    return <p className="text-sm text-muted">No further channel. Add the chat that your team looks at.</p>;
  }
  return (
    <ul aria-label="Channels" className="-my-2 divide-y divide-line">
      {channels.map((channel) => (
        <li key={channel.id} className="flex items-start justify-between gap-3 py-3">
          <div className="grid min-w-0 gap-0.5">
            <p className="flex flex-wrap items-center gap-2.5 text-sm font-medium">
              <span className="min-w-0 break-all">{channel.label}</span>
              <Badge tone={channel.enabled ? "good" : "neutral"}>{channel.enabled ? "On" : "Off"}</Badge>
            </p>
            <p className="text-[13px] break-all text-muted">
              {TYPE_NAMES[channel.type]}
              {channel.masked !== channel.label && ` · ${channel.masked}`} · told of {channel.kinds.length} of{" "}
              {ALERT_KINDS.length} kinds
            </p>
            {channel.stoppedBecause && <p className="text-[13px] text-bad">{channel.stoppedBecause}</p>}
          </div>
          {actions && <ChannelMenu {...{ appId, channel, actions }} />}
        </li>
      ))}
    </ul>
  );
}
