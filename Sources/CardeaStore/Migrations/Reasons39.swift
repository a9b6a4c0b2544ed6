/// Why something was not done is told in words of a device or of another system, which may name anybody.
enum Reasons39 {
    static let words = """
        -- The next start, which has the house's key, seals what commands, automations and the journal say of it.
        DELETE FROM column_seal;
        """
}
