import type { NextApiRequest, NextApiResponse } from "next";
import NextAuth from "next-auth";
import type { RouteAnswer } from "@/lib/web/http/answer";
import { type AuthHandlers, authOptions } from "@/lib/web/session/auth-options";

/** The part of a request that next-auth gets. */
interface AuthCall {
  method: string;
  /** The path below `/api/auth`. */
  segments: string[];
  query?: Record<string, string>;
  body?: Record<string, string>;
  cookies: Record<string, string>;
}

const refuse = async () => {
  throw new Error("this request cannot sign in or out");
};

const REFUSING: AuthHandlers = {
  authorize: refuse,
  onOAuthReturn: refuse,
  onResume: refuse,
  onSignOut: refuse,
};

/**
 * Runs next-auth with the necessary input only, so that no odd header, cookie or field can make it fail: it answers
 * malformed callback addresses and unknown actions with 500.
 */
export async function runAuth(
  { method, segments, query = {}, body = {}, cookies }: AuthCall,
  handlers: AuthHandlers = REFUSING,
): Promise<RouteAnswer> {
  const response = new AuthResponse();
  const request = { method, headers: {}, cookies, body, query: { ...query, nextauth: segments } };
  const options = authOptions(handlers);
  await NextAuth(request as unknown as NextApiRequest, response as unknown as NextApiResponse, options);
  return response.toRouteAnswer();
}

/** The response object that next-auth writes to. */
class AuthResponse {
  private code = 200;
  private body: unknown;
  private readonly headers = new Map<string, string | string[]>();

  status(code: number): this {
    this.code = code;
    return this;
  }

  getHeader(name: string): string | string[] | undefined {
    return this.headers.get(name);
  }

  setHeader(name: string, value: string | string[]): this {
    this.headers.set(name, value);
    return this;
  }

  json(body: unknown): void {
    this.body = body;
  }

  send(body: unknown): void {
    this.body = body;
  }

  end(): void {}

  toRouteAnswer(): RouteAnswer {
    const cookies = [this.headers.get("Set-Cookie") ?? []].flat();
    const location = this.headers.get("Location");
    const headers: RouteAnswer["headers"] = location === undefined ? {} : { Location: String(location) };
    return { status: this.code, body: this.body, headers, cookies };
  }
}
