// `npm run types`: writes generated/api.d.ts from the API's description.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { compile } from "json-schema-to-typescript";

const description = readFileSync("../assets/openapi.json", "utf8");
const { components } = JSON.parse(
  description.replaceAll("#/components/schemas/", "#/$defs/"),
  // A reference with a description of its own would become a second type.
  (_, value) => (value?.$ref ? { $ref: value.$ref } : value),
);
const types = await compile({ type: "object", $defs: components.schemas }, "Api", {
  additionalProperties: false,
  ignoreMinAndMaxItems: true,
  unreachableDefinitions: true,
});
mkdirSync("generated", { recursive: true });
writeFileSync("generated/api.d.ts", types);
