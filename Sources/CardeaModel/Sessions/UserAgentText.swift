/// A readable name for the client of a sign-in: `Firefox on Linux`. It comes from the browser's user agent, so it helps people to tell
/// their own sessions apart, and proves nothing.
public enum UserAgentText {
    public static func text(userAgent: String?) -> String {
        guard let agent = userAgent?.prefix(512), !agent.isEmpty else { return "Unknown device" }
        if agent.hasPrefix("cardea/") { return "The cardea command line" }
        let program = first(programs, in: agent)
        let system = first(systems, in: agent)
        switch (program, system) {
        case (let program?, let system?): return "\(program) on \(system)"
        case (let program?, nil): return program
        case (nil, let system?): return "A program on \(system)"
        case (nil, nil): return "Unknown device"
        }
    }

    /// Returns whether this is the name of a browser.
    public static func isBrowser(_ words: String) -> Bool {
        programs.contains { mark, name in words.hasPrefix(name) && !commandLineTools.contains(mark) }
    }

    private static let commandLineTools: Set = ["curl/", "python-requests/"]

    private static func first(_ known: [(mark: String, name: String)], in agent: Substring) -> String? {
        known.first { agent.contains($0.mark) }?.name
    }

    /// Almost every browser also claims to be Safari and Chrome, so the particular ones come first.
    private static let programs = [
        ("Edg/", "Edge"), ("EdgA/", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet"), ("Firefox/", "Firefox"),
        ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"), ("Chromium/", "Chromium"), ("Chrome/", "Chrome"), ("Safari/", "Safari"),
        ("curl/", "curl"), ("python-requests/", "A Python program"),
    ]

    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "ChromeOS"), ("Windows", "Windows"),
        ("Macintosh", "Mac"), ("Linux", "Linux"),
    ]
}
