/// What people want of the house tells of them: what it is to do by itself, how they see it, and of what they do not want to hear.
enum Wishes41 {
    static let words = """
        -- The next start, which has the house's key, seals what automations and people's preferences say in words.
        DELETE FROM column_seal;
        """
}
