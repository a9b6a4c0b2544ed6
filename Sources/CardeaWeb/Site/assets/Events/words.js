// Words of what was seen at the house; they come with the timeline and the cameras, and not with Home.

import { count } from "../Shell/text.js";
import { remaining } from "../Shell/time.js";

const TYPES = { person: "Person", vehicle: "Vehicle", package: "Package", animal: "Animal", motion: "Motion", ring: "Doorbell" };
const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

export const events = {
  type: (type) => TYPES[type] || capital(type.replace(/[_.-]/g, " ")),
  several: (n, ms) => `${count(n, "event")} in ${remaining(Math.max(1000, ms))}`,
  filters: { seen: "Cameras", person: "People", package: "Packages", vehicle: "Vehicles", animal: "Animals", motion: "Motion" },
  search: "Search what was seen", searchHelp: "Words of the description, the kind or the camera’s name",
  day: "Day", camera: "Camera", anyCamera: "All cameras",
  openSearch: "Search", openDay: "Go to a day", clear: "Clear",
  none: "What the cameras and scripts of the house see is listed here.",
  noneDo: "Add a camera, or give a script a token that may record events.",
  addCamera: "Cameras",
  noneFound: "Nothing that was seen fits.",
  noneOn: (day) => `Nothing on ${day}.`,
  noneFiltered: { seen: "Nothing was seen yet.", person: "Nobody was seen yet.", package: "No package was seen yet.", vehicle: "No vehicle was seen yet.", animal: "No animal was seen yet.", motion: "Nothing moved yet." },
  found: (n, more) => (more ? `${count(n, "event")} and more` : count(n, "event")),
  failed: "What the cameras saw could not be loaded",
  windowed: "The browser’s own search sees only the rows on the screen. Search here instead.",
  what: "What", where: "Where", sure: "How sure", source: "Told by", ring: "Doorbell", rang: "It rang",
  byMachine: "Described by a machine",
  together: "What belongs together",
  position: (n, all) => `${n} of ${all}`,
  noPicture: "No picture was kept.", pictureGone: "The picture is not kept any more.", pictureFailed: "The picture could not be loaded.",
  save: "Save picture", saving: "Saving…", saved: "The picture is saved.",
  remove: "Delete", removeTitle: "Delete this event?", removeBody: "The event and its pictures are gone for good. That you deleted it stays on record.", removeVerb: "Delete event", removed: "The event is deleted.",
  gone: "This event is not there any more.",
};

export const cameras = {
  title: "Cameras",
  none: "The pictures of your cameras are shown here.",
  noneDo: "A camera is added by its address: RTSP, a picture over HTTP, Frigate or Home Assistant.",
  noneOthers: "No camera yet. Whoever looks after the house can add one.",
  add: "Add a camera", failed: "The cameras could not be loaded",
  of: (name) => `Picture of ${name}`,
  waiting: "Asking for a picture…", noPicture: "No picture yet",
  last: "Picture", live: "Live", off: "Switched off", offline: "Not in reach",
  offlineWhy: (why) => `Not in reach: ${why}`,
  seen: "Last seen",
  change: "Change", remove: "Remove", removeTitle: (name) => `Remove ${name}?`, removeBody: "The house looks through it no more. What it saw stays until it is deleted.", removeVerb: "Remove camera", removed: (name) => `${name} is removed.`,
  events: "What it saw", allEvents: "All of it", noEvents: "It has seen nothing yet.", eventsFailed: "What it saw could not be loaded",
  facts: { kind: "Kind", address: "Address", login: "Signs in", motion: "Looks for motion", zones: "Zones" },
  yes: "Yes", no: "No", whole: "The whole picture",
  addTitle: "Add a camera", changeTitle: (name) => `Change ${name}`,
  name: "Name", nameMissing: "Give it a name.",
  kind: "Kind", kinds: { rtsp: "RTSP stream", http: "Picture or MJPEG over HTTP", frigate: "Frigate", home_assistant: "Home Assistant" },
  url: "Address",
  urlHelp: { rtsp: "Like rtsp://192.168.1.20:554/stream1", http: "Like http://192.168.1.20/snapshot.jpg", frigate: "Of Frigate, like http://192.168.1.5:5000", home_assistant: "Of Home Assistant, like http://homeassistant.local:8123" },
  urlMissing: "Say where the camera is.",
  user: "User name", password: "Password", passwordHelp: "Stored sealed and never shown again",
  there: { frigate: "Its name in Frigate", home_assistant: "Its entity, like camera.porch" }, thereMissing: "Say which camera.",
  token: "Access token", tokenHelp: "A long-lived one. Stored sealed and never shown again",
  elsewhere: "Give it another address", elsewhereHelp: (address) => `Now ${address}. The address is stored sealed; to change it, write it whole.`,
  enabled: "Look through it", enabledHelp: "Off: nothing is asked of the camera",
  motionHead: "Motion", motion: "Look for motion", motionHelp: "What moves becomes an event, with a picture",
  sensitivity: "Sensitivity", sensitivityHelp: "Higher finds smaller movements",
  zones: "Where motion counts", zonesNone: "Motion counts in the whole picture.",
  zone: (n) => `Zone ${n}`, addZone: "Add a zone", removeZone: "Remove zone", zoneName: "Name of the zone", addCorner: "Add a corner", removeCorner: "Remove a corner",
  corner: (zone, n) => `${zone}, corner ${n}`, cornerAt: (x, y) => `${x} percent from the left, ${y} percent from the top`,
  cornerHelp: "Drag the corners, or move one with the arrow keys. Delete takes it out.",
  zonesFull: "There can be no more zones.",
  save: "Save camera", added: (name) => `${name} is added.`, saved: (name) => `${name} is changed.`,
};
