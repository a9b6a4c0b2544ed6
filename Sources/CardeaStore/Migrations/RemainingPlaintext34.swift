/// Seals or deletes data that was still in the clear beside sealed data.
enum RemainingPlaintext34 {
    static let columns = """
        -- Whatever somebody typed as their user name, a password in the wrong field among it: such guesses are counted by their mark from now on.
        DELETE FROM throttles WHERE scope = 'account' AND subject NOT IN (SELECT id FROM people);
        -- The next start, which has the house's key, seals what is not yet sealed.
        DELETE FROM column_seal;
        """
}
