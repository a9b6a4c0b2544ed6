/// A place in a sentence of the lexicon: `{who}`.
public enum Placeholder: String, CaseIterable, Hashable, Sendable {
    case who, thing, did, time, when, day, part, month, number, unit, from, to, value, list, condition, words, room, name, count, verb, rest
}
