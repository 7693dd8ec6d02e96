import { expect, onTestFinished, test, vi } from "vitest";
import { refreshIfRefused } from "./dialog";

test("the page behind a dialog that was refused is refreshed once the dialog closes, if the server answers", async () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal("document", { querySelector: () => null });
  const refresh = vi.fn();
  const close = async (refused: boolean, ready: boolean) => {
    vi.stubGlobal("fetch", async () =>
      ready ? Response.json({}) : Promise.reject(new TypeError("Failed to fetch")),
    );
    const dialog = {
      removeAttribute: vi.fn(),
      hasAttribute: (name: string) => refused && name === "data-refused",
    };
    await refreshIfRefused(dialog as unknown as HTMLDialogElement, { refresh });
    return refresh.mock.calls.length;
  };
  expect(await close(false, true)).toBe(0);
  expect(await close(true, false)).toBe(0);
  expect(await close(true, true)).toBe(1);
});

test("a dialog opened meanwhile stays, and the page is refreshed once it closes", async () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  const refresh = vi.fn();
  const openDialog = (...attributes: string[]) => {
    const marks = new Set(attributes);
    return {
      hasAttribute: (name: string) => marks.has(name),
      removeAttribute: (name: string) => marks.delete(name),
      setAttribute: (name: string) => marks.add(name),
    };
  };
  let opened: object | null = null;
  vi.stubGlobal("document", {
    querySelector: (of: string) => (of === "#content dialog[open]" ? opened : null),
  });
  const close = (dialog: object) => refreshIfRefused(dialog as HTMLDialogElement, { refresh });
  const next = openDialog();
  vi.stubGlobal("fetch", async () => {
    opened = next;
    return Response.json({});
  });
  await close(openDialog("data-refused"));
  expect(refresh).not.toHaveBeenCalled();
  vi.stubGlobal("fetch", async () => Response.json({}));
  opened = null;
  await close(next);
  expect(refresh).toHaveBeenCalledOnce();
});
