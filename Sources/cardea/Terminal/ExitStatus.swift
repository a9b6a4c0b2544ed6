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
          0   done, or queued to be sent later if the output says so
          1   the house refused the request, or it failed
          2   the command line is wrong
          3   not signed in: run `cardea login`, or `cardea pair` as a guest; or the program's token is no longer valid
          4   the hub cannot be reached; nothing was done
          5   the outcome is unknown: it may have happened, so check before you try again
          75  try later: too many attempts, the hub is not ready, or the request waits for approval
        """
}
