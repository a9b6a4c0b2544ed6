// The API reference: /openapi.json and /asyncapi.json laid out as a page. It knows no route by name.

import { h, fill } from "../Shell/dom.js";
import { words } from "./words.js";

const methods = ["get", "post", "put", "patch", "delete"];

async function read(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(words.failed(path, answer.status));
  return answer.json();
}

/** A sentence; text between backticks is code. */
const prose = (text) => text.split("\x60").map((part, at) => (at % 2 ? h("code", part) : part));

/** The name of a referenced type. */
const named = (reference) => reference.split("/").pop();

/** A schema in a few words: a type's name, a range, its allowed values. */
function short(schema) {
  if (!schema) return "";
  if (schema.$ref) return h("a", { href: `#type-${named(schema.$ref)}` }, named(schema.$ref));
  if (schema.enum) return h("code", schema.enum.join(" | "));
  if ("const" in schema) return h("code", JSON.stringify(schema.const));
  for (const [word, parts] of [[words.or, schema.anyOf], [words.and, schema.allOf]]) {
    if (parts) return parts.flatMap((part, at) => [at ? word : "", short(part)]);
  }
  const types = [schema.type].flat().filter(Boolean);
  if (types.includes("array")) return [words.listOf, short(schema.items), bounds(schema.minItems, schema.maxItems)];
  const name = types.length ? types.join(words.or) : words.anything;
  return [schema.format ?? name, bounds(schema.minimum ?? schema.minLength, schema.maximum ?? schema.maxLength)];
}

const bounds = (least, most) => (least === undefined && most === undefined ? "" : words.range(least, most));

/** A name with its type and its description. */
function line(name, aside, schema, inside) {
  return h("li", h("code", name), aside ? h("span.aside", aside) : null, " · ", short(schema),
    schema.description ? h("span.aside", " ", prose(schema.description)) : null, inside);
}

/** The fields of an object, nested ones indented. */
function fields(schema) {
  if (!schema || schema.$ref) return null;
  if (schema.allOf || schema.anyOf) return (schema.allOf ?? schema.anyOf).map(fields);
  if (schema.items) return fields(schema.items);
  if (!schema.properties) return null;
  const required = schema.required ?? [];
  return h("ul.fields", Object.entries(schema.properties).map(([name, field]) =>
    line(name, required.includes(name) ? "" : words.optional, field, fields(field))));
}

function part(title, ...inside) {
  return [h("h3", title), ...inside];
}

function operation(path, method, value, open) {
  const by = value.security.map((way) => words.who[Object.keys(way)[0]]).join(words.or) || words.anybody;
  const body = value.requestBody;
  const answers = Object.entries(value.responses).map(([status, response]) => {
    const { description, content } = response.$ref ? open.components.responses[named(response.$ref)] : response;
    const own = Number(status) < 400 && content ? Object.values(content)[0].schema : null;
    return h("li", h("code", status), " ", prose(description), own ? [" · ", short(own)] : null);
  });
  return h("details.operation", { id: value.operationId },
    h("summary", h("span.method", method.toUpperCase()), h("code.path", path), h("span.aside", prose(value.summary))),
    h("div.inside", h("p", prose(words.asked(value.summary, by))),
      value.parameters.length
        ? part(words.parameters, h("ul.fields", value.parameters.map((one) => line(one.name, ` ${one.in}`, one.schema)))) : null,
      body ? part(body.required ? words.body : words.optionalBody, h("p", short(body.content["application/json"].schema))) : null,
      part(words.answers, h("ul.fields", answers))));
}

function section(id, title, about, ...inside) {
  return h("section", { id }, h("h2", title), about ? h("p.aside", about) : null, ...inside);
}

function capability(tag, open) {
  return section(tag.name, tag.name, tag.description, Object.entries(open.paths).flatMap(([path, item]) =>
    methods.filter((method) => item[method]?.tags.includes(tag.name)).map((method) => operation(path, method, item[method], open))));
}

function channel([name, value], events) {
  const said = Object.values(events.operations).filter((own) => own.channel.$ref === `#/channels/${name}`);
  return h("details.operation", { id: `channel-${name}` },
    h("summary", h("span.method", named(value.servers[0].$ref)), h("code.path", value.address), h("span.aside", prose(value.description))),
    h("div.inside", said.map((own) => part(own.action === "send" ? words.says : words.hears,
      h("ul.fields", own.messages.map(({ $ref }) => {
        const message = value.messages[named($ref)];
        return h("li", h("code", message.name), h("span.aside", " ", prose(message.summary)), fields(message.payload));
      }))))));
}

function type(name, schema) {
  return h("details.operation", { id: `type-${name}` }, h("summary", h("code.path", name)),
    h("div.inside", schema.description ? h("p", prose(schema.description)) : null, fields(schema) ?? h("p", short(schema)),
      (schema.examples ?? []).map((example) => h("pre", { tabindex: "0" }, JSON.stringify(example, null, 2)))));
}

/** Opens and shows the item that the address names. */
function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  if (target.tagName === "DETAILS") target.open = true;
  target.scrollIntoView();
}

async function show(main) {
  try {
    const [open, events] = await Promise.all([read("/openapi.json"), read("/asyncapi.json")]);
    const schemas = { ...open.components.schemas, ...events.components.schemas };
    const places = [...open.tags.map((tag) => [tag.name, tag.name]), ["events", words.events], ["types", words.types]];
    fill(main,
      h("h1", words.title), h("p", open.info.description),
      h("p", words.documents(open.info.version), h("a", { href: "/openapi.json" }, "OpenAPI 3.1"), ", ",
        h("a", { href: "/asyncapi.json" }, "AsyncAPI 3.0")),
      h("nav", { "aria-label": words.title }, h("ul.places", places.map(([id, title]) => h("li", h("a", { href: `#${id}` }, title))))),
      open.tags.map((tag) => capability(tag, open)),
      section("events", words.events, events.info.description, Object.entries(events.channels).map((entry) => channel(entry, events))),
      section("types", words.types, null, Object.keys(schemas).sort().map((name) => type(name, schemas[name]))));
    reveal();
  } catch (problem) {
    fill(main, h("h1", words.title), h("p", { role: "alert" }, words.broken(problem.message)));
  }
}

addEventListener("hashchange", reveal);
show(document.querySelector("main"));
