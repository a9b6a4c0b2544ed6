/// The key that a browser's session is bound to.
enum SessionKeys50 {
    static let keys = """
        -- The thumbprint of the key (RFC 7638); NULL where the refresh token is not kept in a cookie. Empty for a session from before there were keys:
        -- the next start, which can read by what it was begun, ends those of browsers.
        ALTER TABLE sessions ADD COLUMN key_thumbprint BLOB CHECK (key_thumbprint IS NULL OR length(key_thumbprint) IN (0, 32));
        UPDATE sessions SET key_thumbprint = x'' WHERE ended_at IS NULL AND signed_in_by <> 'phone';
        """
}
