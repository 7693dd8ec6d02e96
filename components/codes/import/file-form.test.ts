import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { FileForm } from "./file-form";

test("a check that finds the session ended leads to the sign-in page and can be tried again", () => {
  const refused = { name: "codes.csv", message: "Your session has ended", signedOut: true };
  const nothing = () => undefined;
  const props = { pasted: { on: false, text: "" }, onPasted: nothing, onFile: nothing, onRetry: nothing };
  const shown = renderToStaticMarkup(createElement(FileForm, { ...props, refused }));
  expect(shown).toMatch(/Your session has ended\. <a href="\/sign-in" target="_blank".*Try again<\/button>/s);
});
