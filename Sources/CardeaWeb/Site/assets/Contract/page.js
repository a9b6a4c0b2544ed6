// The contract, readable: /openapi.json and /asyncapi.json as they are, laid out as a page. Nothing here knows any route by name.

import { h, fill } from "../Shell/h.js";

const methods = ["get", "post", "put", "patch", "delete"];

async function read(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return answer.json();
}

/** What a schema is, in a few words: a type's name, a range, the words it may be. */
function short(schema) {
  if (!schema) return "";
  if (schema.$ref) return link(schema);
  if (schema.enum) return h("code", schema.enum.join(" | "));
  if ("const" in schema) return h("code", JSON.stringify(schema.const));
  for (const [word, parts] of [["or", schema.anyOf], ["and", schema.allOf]]) {
    if (parts) return parts.flatMap((part, at) => (at ? [` ${word} `, short(part)] : [short(part)]));
  }
  const types = [schema.type].flat().filter(Boolean);
  if (types.includes("array")) return ["list of ", short(schema.items), bounds(schema.minItems, schema.maxItems)];
  const name = types.length ? types.join(" or ") : "anything";
  return [schema.format ?? name, bounds(schema.minimum ?? schema.minLength, schema.maximum ?? schema.maxLength)];
}

const bounds = (least, most) => (least === undefined && most === undefined ? "" : `, ${least ?? ""} to ${most ?? ""}`);

function link(schema) {
  const name = schema.$ref.split("/").pop();
  return h("a", { href: `#type-${name}` }, name);
}

/** An object's fields, those inside it with a step in. */
function fields(schema) {
  if (!schema || schema.$ref) return null;
  if (schema.allOf || schema.anyOf) return (schema.allOf ?? schema.anyOf).map(fields);
  if (schema.type === "array") return fields(schema.items);
  if (!schema.properties) return null;
  return h("ul.fields", Object.entries(schema.properties).map(([name, field]) =>
    h("li", h("code", name), (schema.required ?? []).includes(name) ? "" : h("span.aside", " may be missing"), " · ",
      short(field), field.description ? h("span.aside", ` ${field.description}`) : null, fields(field))));
}

function parameters(operation) {
  if (!operation.parameters.length) return null;
  return [h("h4", "Parameters"), h("ul.fields", operation.parameters.map((parameter) =>
    h("li", h("code", parameter.name), h("span.aside", ` ${parameter.in}`), " · ", short(parameter.schema),
      parameter.schema.description ? h("span.aside", ` ${parameter.schema.description}`) : null)))];
}

function body(operation) {
  const content = operation.requestBody?.content["application/json"];
  return content ? [h("h4", operation.requestBody.required ? "Body" : "Body, may be missing"), h("p", short(content.schema))] : null;
}

function answers(operation) {
  return [h("h4", "Answers"), h("ul.fields", Object.entries(operation.responses).map(([status, response]) => {
    const content = Object.entries(response.content ?? {})[0];
    return h("li", h("code", status), " ", response.description, content && Number(status) < 400 ? [" · ", short(content[1].schema)] : null);
  }))];
}

const who = { household: "somebody of the house", guest_pass: "a pass" };

function operation(path, method, value) {
  const asks = value.security.map((way) => who[Object.keys(way)[0]]).join(" or ") || "anybody";
  return h("details.operation", { id: value.operationId },
    h("summary", h("span.method", method.toUpperCase()), h("code.path", path), h("span.aside", value.summary)),
    h("div.inside", h("p", `${value.summary}. Asked by ${asks}.`), parameters(value), body(value), answers(value)));
}

function capability(tag, open) {
  const own = Object.entries(open.paths).flatMap(([path, item]) =>
    methods.filter((method) => item[method]?.tags.includes(tag.name)).map((method) => operation(path, method, item[method])));
  return own.length ? h("section", { id: tag.name }, h("h2", tag.name), h("p.aside", tag.description), own) : null;
}

function channel([name, value], events) {
  const said = Object.entries(events.operations).filter(([, own]) => own.channel.$ref === `#/channels/${name}`);
  return h("details.operation", { id: `channel-${name}` },
    h("summary", h("span.method", value.servers[0].$ref.split("/").pop()), h("code.path", value.address), h("span.aside", value.description)),
    h("div.inside", said.map(([, own]) => [
      h("h4", own.action === "send" ? "The hub says" : "The hub hears"),
      h("ul.fields", own.messages.map(({ $ref }) => {
        const message = value.messages[$ref.split("/").pop()];
        return h("li", h("code", message.name), h("span.aside", ` ${message.summary}`), fields(message.payload));
      })),
    ])));
}

function types(schemas) {
  return h("section", { id: "types" }, h("h2", "Types"), Object.keys(schemas).sort().map((name) =>
    h("details.operation", { id: `type-${name}` }, h("summary", h("code.path", name)),
      h("div.inside", schemas[name].description ? h("p", schemas[name].description) : null,
        fields(schemas[name]) ?? h("p", short(schemas[name])),
        (schemas[name].examples ?? []).map((example) => h("pre", { tabindex: "0" }, JSON.stringify(example, null, 2)))))));
}

/** Whatever the address names is opened and shown. */
function reveal() {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!named) return;
  if (named.tagName === "DETAILS") named.open = true;
  named.scrollIntoView();
}

async function show(main) {
  try {
    const [open, events] = await Promise.all([read("/openapi.json"), read("/asyncapi.json")]);
    const schemas = { ...open.components.schemas, ...events.components.schemas };
    fill(main,
      h("h1", "The contract"), h("p", open.info.description),
      h("p", `Protocol ${open.info.version}. As documents: `, h("a", { href: "/openapi.json" }, "OpenAPI 3.1"), ", ",
        h("a", { href: "/asyncapi.json" }, "AsyncAPI 3.0"), "."),
      open.tags.map((tag) => capability(tag, open)),
      h("section", { id: "events" }, h("h2", "Events and MQTT"), h("p.aside", events.info.description),
        Object.entries(events.channels).map((entry) => channel(entry, events))),
      types(schemas));
    reveal();
  } catch (problem) {
    fill(main, h("h1", "The contract"), h("p", { role: "alert" }, `It cannot be shown: ${problem.message}. Load the page again.`));
  }
}

addEventListener("hashchange", reveal);
show(document.querySelector("main"));
