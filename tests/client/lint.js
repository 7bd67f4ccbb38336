// `npm run lint`: checks an OpenAPI description by the recommended rules of Redocly.

import { createConfig, formatProblems, getTotals, lint } from "@redocly/openapi-core";

const config = await createConfig({ extends: ["recommended"] });
const problems = await lint({ ref: process.argv[2], config });
const errors = problems.filter(({ severity }) => severity === "error");
formatProblems(errors, { format: "stylish", totals: getTotals(errors), version: "" });
process.exitCode = errors.length > 0 ? 1 : 0;
