/// Seals the reasons for which something was not done: they are words of a device or of another system, which may name anyone.
enum SealedReasons39 {
    static let words = """
        -- The next start, which has the house's key, seals what commands, automations and the journal say of it.
        DELETE FROM column_seal;
        """
}
