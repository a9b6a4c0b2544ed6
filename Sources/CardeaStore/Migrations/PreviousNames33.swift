/// A person's previous names, so that an erasure finds texts that use them.
enum PreviousNames33 {
    static let people = "ALTER TABLE people ADD COLUMN former_names TEXT;"
}
