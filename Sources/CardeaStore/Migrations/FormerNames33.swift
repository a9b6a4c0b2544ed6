/// What somebody was called before, so that an erasure finds what is said of them by it.
enum FormerNames33 {
    static let people = "ALTER TABLE people ADD COLUMN former_names TEXT;"
}
