/** @jsxImportSource hono/jsx */
import type { LandingFrame, LandingView, Notice } from "@/lib/contract/landing";
import { ClosedPage } from "./closed-page";
import { NoticePage } from "./notice-page";
import { OpenPage } from "./open-page";

/** An invitation's page as HTML; every text in it is escaped. */
export function renderInvitation(view: LandingView): string {
  return `<!doctype html>${view.state === "open" ? <OpenPage view={view} /> : <ClosedPage view={view} />}`;
}

/** A page of one message as HTML. */
export function renderNotice(notice: Notice, frame: LandingFrame): string {
  return `<!doctype html>${<NoticePage notice={notice} frame={frame} />}`;
}
