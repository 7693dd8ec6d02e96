import type { Answer } from "@/lib/http/answer";

/** Stands for the response object that next-auth writes to, and turns what was written into an {@link Answer}. */
export class AuthAnswer {
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

  toAnswer(): Answer {
    const cookies = [this.headers.get("Set-Cookie") ?? []].flat();
    const location = this.headers.get("Location");
    const headers: Answer["headers"] = location === undefined ? {} : { Location: String(location) };
    return { status: this.code, body: this.body, headers, cookies };
  }
}
