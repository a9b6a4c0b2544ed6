/// Seals people's wishes, which are about them: their automations, their view of the house, and the notifications that they do not want.
enum SealedPreferences41 {
    static let words = """
        -- The next start, which has the house's key, seals what automations and people's preferences say in words.
        DELETE FROM column_seal;
        """
}
