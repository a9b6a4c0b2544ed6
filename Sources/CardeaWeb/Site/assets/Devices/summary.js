// The house in one sentence, worst state first. It never claims more than is known.

import { capitalize, listOf, text } from "../Shell/text.js";
import { doorState, doorsOf } from "./deviceKinds.js";

const words = text.sentence;
const WORST_FIRST = ["jammed", "open", "unlocked", "silent", "unsure", "moving"];

/** `{ strong, quiet }`: the states that need attention, and the others. */
export function houseSummary(devices) {
  const doors = doorsOf(devices).filter(({ device, entity }) => !entity.entity_category || device.entities.every((one) => one.entity_category)).map((door) => ({ ...door, state: doorState(door).id }));
  if (!doors.length) return { strong: "", quiet: `${words.none}.` };
  const named = (state) => doors.filter((door) => door.state === state).map((door) => words.the(door.name));
  const bad = WORST_FIRST.map((state) => [state, named(state)]).filter(([, names]) => names.length);
  const locked = named("locked"), shut = named("shut");

  if (!bad.length) {
    // "Everything" needs at least two doors, all confirmed.
    if (doors.length === 1) return { strong: `${capitalize(locked.length ? words.locked(locked[0]) : words.shut(shut[0]))}.`, quiet: "" };
    return { strong: `${!locked.length ? words.shutAll : shut.length ? words.allShut : words.all}.`, quiet: "" };
  }
  const strong = `${capitalize(listOf(bad.map(([state, names]) => words[state](short(names)))))}.`;
  const good = [];
  if (locked.length) good.push(words.locked(short(locked, bad.length)));
  if (shut.length) good.push(words.shut(short(shut, bad.length)));
  return { strong, quiet: good.length ? `${capitalize(listOf(good))}.` : "" };
}

/** Up to three names are listed; of more, the others are counted. */
function short(names, others) {
  if (names.length <= 3) return listOf(names);
  return others ? words.others(names.length) : listOf([...names.slice(0, 2), words.more(names.length - 2)]);
}
