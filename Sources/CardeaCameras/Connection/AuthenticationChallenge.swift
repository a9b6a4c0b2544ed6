/// One challenge of a `WWW-Authenticate` field (RFC 9110, section 11.6.1): a scheme with a token or with parameters.
struct AuthenticationChallenge: Hashable, Sendable {
    /// The scheme in lower case: `basic`, `digest`, `bearer`.
    let scheme: String
    /// The single token of schemes such as Negotiate.
    var token68: String?
    /// The parameters by their names in lower case. Of a name that comes twice, the first counts.
    var parameters: [String: String] = [:]

    /// The challenges of one field, in their order.
    ///
    /// Commas separate both the challenges and the parameters of each: a word with `=` behind it is a parameter, and any other word is the
    /// next scheme. Cameras that leave commas out are read as well.
    static func all(in field: String) -> [AuthenticationChallenge] {
        var reader = HeaderFieldReader(field)
        var all: [AuthenticationChallenge] = []
        reader.skipSeparators()
        while let word = reader.token() {
            if !all.isEmpty, reader.acceptEquals() {
                let (name, value) = (word.lowercased(), reader.value())
                let last = all.index(before: all.endIndex)
                if all[last].parameters[name] == nil { all[last].parameters[name] = value }
            } else {
                all.append(AuthenticationChallenge(scheme: word.lowercased(), token68: reader.token68()))
            }
            reader.skipSeparators()
        }
        return all
    }
}
