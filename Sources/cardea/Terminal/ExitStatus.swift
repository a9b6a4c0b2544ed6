/// The exit status of a run. Scripts rely on these numbers.
enum ExitStatus: Int32, CaseIterable {
    case done = 0
    case refused = 1
    case usage = 2
    case notSignedIn = 3
    case unreachable = 4
    case unknown = 5
    case tryLater = 75

    static let help = """
        EXIT CODES:
          0   done; or kept here and sent later, where it says so
          1   the house refused, or could not do it
          2   the command was not understood
          3   not signed in: run `cardea login`, or `cardea pair` as a guest; or a program's token has ended
          4   the hub cannot be reached; nothing was done
          5   the outcome is unknown: it may have happened, so look before you ask again
          75  try later: too many tries, not ready, or waiting for a yes
        """
}
