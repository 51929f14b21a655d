// check.js FILE: is each document of FILE what the schemas of Kubernetes allow?
import { readFileSync } from "node:fs";
import { loadAll } from "js-yaml";

let failed = false;
for (const document of loadAll(readFileSync(process.argv[2], "utf8"))) {
  const group = document.apiVersion.replace(/^(\w+)\/.*/, "$1");
  const kinds = await import("kubernetes-models/" + group);
  // Each kind is exported under its version, or by itself.
  const Kind = kinds[document.kind] ?? kinds[document.apiVersion.split("/").pop()]?.[document.kind];
  try {
    new Kind(document).validate();
  } catch (error) {
    console.error(`${process.argv[2]}: ${document.kind}: ${error.message}`);
    failed = true;
  }
}
process.exit(failed ? 1 : 0);
