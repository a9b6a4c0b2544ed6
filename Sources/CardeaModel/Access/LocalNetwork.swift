/// The addresses of a house's own network: loopback, private (RFC 1918), unique local (RFC 4193) and link-local, v4 and v6.
public enum LocalNetwork {
    public static func contains(_ address: String) -> Bool { IPAddress(address)?.isLocal ?? false }
}
