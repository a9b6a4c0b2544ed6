import Foundation

public enum TokenKind: String, Sendable, CaseIterable {
    case guestPass = "cardea_gp_"
    case guestLink = "cardea_gl_"
    /// The token of a guest's phone that waits for approval and has no key: it identifies the phone.
    case guestClaim = "cardea_gc_"
    case refresh = "cardea_rt_"
    case claim = "cardea_cl_"
    case invitation = "cardea_iv_"
    case ticket = "cardea_tk_"
    case api = "cardea_at_"
    case waitingPhone = "cardea_dc_"
    /// A phone's refresh token: the prefix shows where it is renewed.
    case phoneRefresh = "cardea_pr_"
}
