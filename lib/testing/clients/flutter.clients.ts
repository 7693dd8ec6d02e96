import { test } from "vitest";

// Its parts in the documentation are read by `lib/web/docs/code.test.ts` only; no package of Debian or npm compiles Dart.
test.todo("the Flutter client compiles and loses no code (not run: needs dart)");
