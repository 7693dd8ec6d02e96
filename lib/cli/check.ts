import { checkStyle, checkTypes } from "@/lib/cli/step";

// The checks that take seconds, to run before each commit. `npm test` runs everything.
const counts = [await checkStyle(), await checkTypes()];
process.exitCode = counts.some(({ failed }) => failed > 0) ? 1 : 0;
