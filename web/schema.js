// Writes schema.graphql, from which gql.tada has the types of operations: the whole schema in one file, without what is deprecated,
// so that no module can ask for it.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { parse, print, visit } from "graphql";

const parts = "../graph/schema/";
const text = readdirSync(parts).map((name) => readFileSync(parts + name, "utf8"));
const current = (node) => (node.directives.some((d) => d.name.value === "deprecated") ? null : undefined); // null takes it out
const schema = visit(parse(text.join("\n")), { FieldDefinition: current, InputValueDefinition: current, EnumValueDefinition: current });
writeFileSync("schema.graphql", print(schema));
